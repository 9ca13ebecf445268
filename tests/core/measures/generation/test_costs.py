"""Costs of writing: serial operations along a graph, bytes of the tensors kept, and states recorded."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest
import torch

from core.decoding import LanguageModel, start_text
from core.measures.generation import costs as timing
from core.measures.generation.costs import (
    ANEW,
    GATES,
    KEPT,
    LENGTHS,
    QUANTITIES,
    attended,
    kept_bytes,
    memory_table,
    remembered_states,
    serial_operations,
    word_times,
)
from core.measures.generation.writing import WRITERS, GenerationSettings, continue_text, member_of
from core.measures.reading import read
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.recurrent import RecurrentLanguageModel
from core.sources import load
from core.sources.trained import load_language_model
from core.text import language
from core.text.tokenizer import MAX_WORDS
from tests.covering import each
from tests.hostile_links import working

CONFIG = ModelConfig(vocab_size=1)
ODD = ModelConfig(vocab_size=1, positions="alibi", n_heads=2, norm="post")
GIVEN = ("the", "chef", "who", "ran")
pytestmark = pytest.mark.usefixtures("noise_shelf")


def load_writer(writer: str, config: ModelConfig) -> LanguageModel:
    return load_language_model(member_of(writer, config))


def writers(config: ModelConfig) -> dict[str, LanguageModel]:
    return {writer: load_writer(writer, config) for writer in WRITERS}


def longest_path(writer: str, use: str, n: int, n_given: int, n_layers: int) -> int:
    """Return the steps of the longest path to a result, along the inputs of each state or gradient."""
    n_read = n - 1
    known: dict[tuple[int, int], int] = {}
    goes_into: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for word, layer in product(range(n_read), range(n_layers + 1)):
        if layer == 0:
            waits = use == "writing" and word >= n_given
            known[0, word] = known[n_layers, word - 1] if waits else 0
            continue
        inputs = [(layer - 1, at) for at in range(word + 1)]
        if writer != "Transformer":
            inputs = [(layer - 1, word), *([(layer, word - 1)] if word else [])]
        known[layer, word] = 1 + max(known[one] for one in inputs)
        for one in inputs:
            goes_into[one].append((layer, word))
    if use == "writing":
        return max(known[n_layers, word] for word in range(n_read))

    @cache
    def gradient(one: tuple[int, int]) -> int:
        return 1 + max([known[one], *(gradient(other) for other in goes_into[one])])

    return max(gradient(one) for one in known if one[0])


def test_attention_while_writing_is_that_over_the_whole_text_and_grows_row_by_row() -> None:
    model, manner = load_writer("Transformer", ODD), GenerationSettings(most=5, stops=False)
    words = continue_text(model, GIVEN, manner).words
    whole = attended(load_writer("Transformer", ODD), words)
    np.testing.assert_allclose(whole, read(load("trained", ODD, words, 0)).patterns(), atol=1e-6)
    for n in range(1, len(words)):
        np.testing.assert_allclose(
            attended(load_writer("Transformer", ODD), words[:n]), whole[:, :, :n, :n], atol=1e-6
        )
    assert not np.triu(whole, 1).any()


@each("writer", QUANTITIES)
def test_states_are_what_the_model_hands_on_and_gates_make_the_cell(writer: str) -> None:
    words = (*GIVEN, "out", "of")
    states = remembered_states(load_writer(writer, CONFIG), words)
    model = load_writer(writer, CONFIG)
    assert isinstance(model, RecurrentLanguageModel)
    for n in range(1, len(words) + 1):
        _, memories = model.continued(language.encode(words[:n]).tokens)
        for layer, memory in enumerate(memories):
            np.testing.assert_allclose(states["hidden"][layer, n - 1], memory[0][0], atol=1e-6)
            if writer == "LSTM":
                np.testing.assert_allclose(states["cell"][layer, n - 1], memory[1][0], atol=1e-6)
    if writer == "LSTM":
        cell = np.concatenate([np.zeros_like(states["cell"][:, :1]), states["cell"][:, :-1]], axis=1)
        made = states["forget_gate"] * cell + states["input_gate"] * states["candidate"]
        np.testing.assert_allclose(states["cell"], made, atol=1e-6)
        assert all(((states[gate] >= 0) & (states[gate] <= 1)).all() for gate in GATES)
        assert set(states) == {*GATES, "candidate", "cell", "hidden"}


@each("writer", WRITERS)
@each("use", ["training", "writing"])
def test_serial_operations_are_the_longest_path_through_the_network(writer: str, use: str) -> None:
    for n, n_layers in product((2, 3, 7), (1, 3)):
        for n_given in range(1, n):
            counted = serial_operations(writer, use, n, n_given=n_given, n_layers=n_layers)
            assert counted == longest_path(writer, use, n, n_given, n_layers)


def test_bytes_agree_with_the_cached_tensors() -> None:
    tokens = language.encode([*GIVEN, "out"]).tokens
    shapes = {}
    for writer in WRITERS:
        model = load_writer(writer, ODD)
        shapes[writer] = model.config
        begun = start_text(model, tokens)
        if isinstance(model, Transformer):
            held = sum(kept.nbytes for kept in begun.kept.values())
        else:
            held = sum(state.nbytes for memory in begun.memories for state in memory)
        assert kept_bytes(model.config, 5) == held
    table = memory_table(shapes, (5, 10)).pivot(index="words", columns="network", values="bytes")
    assert (table["Transformer"] / table["Transformer"][5]).tolist() == [1, 2]
    assert (table["LSTM"] == 2 * table["RNN"]).all()
    assert table["RNN"][5] == table["RNN"][10]


def test_times_are_measured_of_every_writer_and_the_models_are_left_as_they_were() -> None:
    before = {writer: [p.clone() for p in load_writer(writer, CONFIG).parameters()] for writer in WRITERS}
    points = list(word_times(writers(CONFIG), lengths=(3, 5), most_seconds=0))
    assert [(one.words, one.network) for one in points] == [
        (n, name) for n in (3, 5) for name in ("RNN", "LSTM", KEPT, ANEW)
    ]
    assert all(one.seconds > 0 and one.low <= one.seconds <= one.high for one in points)
    for writer, weights in before.items():
        for old, new in zip(weights, load_writer(writer, CONFIG).parameters(), strict=True):
            assert torch.equal(old, new)
            assert new.grad is None
            assert not new.requires_grad
    assert LENGTHS[-1] + 1 == MAX_WORDS


def test_only_without_its_cache_does_a_transformer_read_all_words_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: dict[str, int] = {}

    def counted(run: Callable[[], object], name: str, *_: object, **__: object) -> None:
        with working() as work:
            run()
        read[name] = work.words

    monkeypatch.setattr(timing, "timed", counted)
    assert len(list(word_times(writers(CONFIG), lengths=(9,)))) == 4
    assert read == {"RNN": 1, "LSTM": 1, KEPT: 1, ANEW: 10}
