"""Language models at work: what they write is what they expect, and costs are counted along a graph."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise, product

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from core.decoding import LanguageModel, Sampling, begin_text
from core.learning.collection import take
from core.measures.distance.long_range import influences
from core.measures.generation import costs as timing
from core.measures.generation.costs import (
    ANEW,
    GATES,
    KEPT,
    LENGTHS,
    QUANTITIES,
    attended,
    cache_bytes,
    kept_bytes,
    memory_table,
    remembered_states,
    serial_operations,
    serial_table,
    state_bytes,
    word_times,
)
from core.measures.generation.writing import (
    ENDS,
    MOST,
    WRITERS,
    ByHand,
    Continued,
    GenerationSettings,
    continue_text,
    member_of,
    spell,
    standing,
    surprisals,
    unspell,
    with_choice,
)
from core.measures.reading import read
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.recurrent import RecurrentConfig, RecurrentLanguageModel
from core.sources import load
from core.sources.rivals import load_language_model
from core.text import language
from core.text.tokenizer import MAX_WORDS
from tests.covering import each
from tests.hostile_links import working

CONFIG = ModelConfig(vocab_size=1)
ODD = ModelConfig(vocab_size=1, positions="alibi", n_heads=2, norm="post")
GIVEN = ("the", "chef", "who", "ran")
every_writer = pytest.mark.parametrize("writer", WRITERS)

pytestmark = pytest.mark.usefixtures("noise_shelf")


def load_writer(writer: str, config: ModelConfig) -> LanguageModel:
    return load_language_model(member_of(writer, config))


def writers(config: ModelConfig) -> dict[str, LanguageModel]:
    return {writer: load_writer(writer, config) for writer in WRITERS}


def go_on(writer: str, config: ModelConfig, manner: GenerationSettings, *, cached: bool = True) -> Continued:
    return continue_text(load_writer(writer, config), GIVEN, manner, cached=cached)


def expected_after(writer: str, words: tuple[str, ...], config: ModelConfig = CONFIG) -> torch.Tensor:
    """Logits of the next word, from a pass over all words."""
    model = load_writer(writer, config)
    with torch.inference_mode():
        return model(language.encode(words).tokens)[0, -1]


@every_writer
@pytest.mark.parametrize("config", [CONFIG, ODD])
def test_a_greedy_text_has_the_likeliest_word_at_every_step(writer: str, config: ModelConfig) -> None:
    found = go_on(writer, config, GenerationSettings(most=7, stops=False))
    assert found.given == GIVEN
    assert len(found.written) == len(found.log_probabilities) == 7
    for step, word in enumerate(found.written):
        row = expected_after(writer, found.words[: len(GIVEN) + step], config)
        assert word == language.vocabulary().words[int(row.argmax())]
        np.testing.assert_allclose(found.log_probabilities[step], row.double().log_softmax(0), atol=1e-5)
        assert found.choices(step)["word"][0] == word
        assert found.choices(step)["answer"].tolist() == [True] + [False] * (len(row) - 1)


@every_writer
@pytest.mark.parametrize("config", [CONFIG, ODD])
def test_the_text_is_the_same_without_the_cache(writer: str, config: ModelConfig) -> None:
    manner = GenerationSettings(way="sampled", seed=5, most=16, stops=False, forced=((3, "key"),))
    kept, anew = (go_on(writer, config, manner, cached=cached) for cached in (True, False))
    assert kept.words == anew.words
    np.testing.assert_array_equal(kept.log_probabilities, anew.log_probabilities)


@every_writer
def test_what_words_were_drawn_from_is_shown(writer: str) -> None:
    sampling = Sampling(temperature=0.6, top_k=5)
    manner = GenerationSettings(way="sampled", sampling=sampling, seed=3, most=9, stops=False)
    found = go_on(writer, CONFIG, manner)
    assert found.drawn is not None
    for step, word in enumerate(found.written):
        table = found.choices(step).set_index("word")
        assert table["after"][word] > 0
        assert (table["after"] > 0).sum() == 5
        assert table["after"].sum() == pytest.approx(1)
        warm = table["before"] ** (1 / 0.6)
        left = warm.nlargest(5)
        np.testing.assert_allclose(table["after"][left.index], left / left.sum(), atol=1e-5)
    assert go_on(writer, CONFIG, manner).words == found.words
    others = {go_on(writer, CONFIG, replace(manner, seed=s)).words for s in range(4, 8)}
    assert len(others | {found.words}) > 1


@every_writer
def test_a_forced_word_changes_what_follows_and_nothing_before(writer: str) -> None:
    own = go_on(writer, CONFIG, GenerationSettings(most=6, stops=False))
    other = next(word for word in own.choices(2)["word"] if word != own.written[2])
    found = continue_text(
        load_writer(writer, CONFIG),
        GIVEN,
        GenerationSettings(most=6, stops=False, forced=((2, other), (9, "key"))),
    )
    assert found.written[:3] == (*own.written[:2], other)
    assert found.forced == {2}
    assert found.choices(2).query("answer")["word"].item() == other
    np.testing.assert_allclose(found.log_probabilities[2], own.log_probabilities[2], atol=1e-5)
    row = expected_after(writer, found.words[: len(GIVEN) + 3])
    assert found.written[3] == language.vocabulary().words[int(row.argmax())]


def test_a_text_stops_at_the_first_mark_unless_it_is_to_go_on() -> None:
    for mark in ENDS:
        manner = GenerationSettings(most=5, forced=((1, mark),))
        stopped = go_on("LSTM", CONFIG, manner)
        assert stopped.ended
        assert len(stopped.written) <= 2
        assert len(go_on("LSTM", CONFIG, replace(manner, stops=False)).written) == 5
    after_mark = continue_text(load_writer("LSTM", CONFIG), (*GIVEN, "."), GenerationSettings(most=1))
    assert len(after_mark.written) == 1, "a mark that was given ends nothing"


def test_no_text_gets_longer_than_the_app_can_show_and_unknown_words_are_read_as_such() -> None:
    long = ("the", "snark") * (MAX_WORDS // 2 - 1)
    found = continue_text(load_writer("Transformer", CONFIG), long, GenerationSettings(most=12, stops=False))
    assert len(found.words) == MAX_WORDS
    assert found.unknown == tuple(range(1, MAX_WORDS - 2, 2))
    full = continue_text(load_writer("RNN", CONFIG), ("the",) * MAX_WORDS, GenerationSettings())
    assert (full.written, full.ended) == ((), False)
    assert full.log_probabilities.shape[0] == 0
    assert (
        continue_text(
            load_writer("RNN", CONFIG), ("the",) * MAX_WORDS, GenerationSettings(way="sampled")
        ).drawn
        is None
    )


@every_writer
def test_surprisal_is_the_cross_entropy_of_each_word(writer: str) -> None:
    words = (*GIVEN, "snark", "of", "flour", ".")
    found = surprisals(writers(ODD), words)
    tokens = language.encode(words).tokens
    with torch.inference_mode():
        expected = cross_entropy(load_writer(writer, ODD)(tokens)[0, :-1], tokens[0, 1:], reduction="none")
    nats = found.nats[writer]
    scored = [1, 2, 3, 5, 6, 7]
    assert np.isfinite(nats).nonzero()[0].tolist() == scored
    np.testing.assert_allclose(nats[scored], expected[[at - 1 for at in scored]], rtol=1e-5)
    np.testing.assert_allclose(found.probabilities(writer)[scored], np.exp(-nats[scored]))
    assert found.perplexities()[writer] == pytest.approx(
        float(expected[[0, 1, 2, 4, 5, 6]].mean().exp()), rel=1e-5
    )
    assert found.perplexities(3)[writer] == pytest.approx(float(expected[:2].mean().exp()), rel=1e-5)
    assert found.perplexities(1) == {}


@pytest.mark.parametrize("config", [CONFIG, ODD])
def test_attention_while_writing_is_that_over_the_whole_text_and_grows_row_by_row(
    config: ModelConfig,
) -> None:
    words = go_on("Transformer", config, GenerationSettings(most=5, stops=False)).words
    whole = attended(load_writer("Transformer", config), words)
    np.testing.assert_allclose(whole, read(load("trained", config, words, 0)).patterns(), atol=1e-6)
    for n in range(1, len(words)):
        np.testing.assert_allclose(
            attended(load_writer("Transformer", config), words[:n]),
            whole[:, :, :n, :n],
            atol=1e-6,
        )
    assert not np.triu(whole, 1).any()


@pytest.mark.parametrize("writer", QUANTITIES)
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


def longest_path(writer: str, use: str, n: int, n_given: int, n_layers: int) -> int:
    """Steps on the longest way to what is asked for, along what each state or gradient is computed from."""
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


@every_writer
@pytest.mark.parametrize("use", ["training", "writing"])
def test_serial_operations_are_the_longest_path_through_the_network(writer: str, use: str) -> None:
    for n, n_layers in product((2, 3, 7, 11), (1, 2, 3)):
        for n_given in range(1, n):
            counted = serial_operations(writer, use, n, n_given=n_given, n_layers=n_layers)
            assert counted == longest_path(writer, use, n, n_given, n_layers)
    for n_given in (0, 5):
        with pytest.raises(ValueError, match=f"n_given must be between 1 and 4, got {n_given}"):
            serial_operations(writer, use, 5, n_given=n_given, n_layers=2)


def test_a_transformer_learns_from_every_text_in_as_many_steps_and_writes_word_by_word() -> None:
    table = (
        serial_table((5, 50), n_given=3, n_layers=2)
        .set_index(["use", "network"])["operations"]
        .sort_index(kind="stable")
    )
    assert table["training", "Transformer"].tolist() == [4, 4]
    assert table["writing", "Transformer"].tolist() == [4, 94]
    assert table["training", "recurrent"].tolist() == [10, 100]
    assert table["writing", "recurrent"].tolist() == [6, 96]
    longer = serial_table((5, 50), n_given=7, n_layers=2)
    assert longer.loc[longer["use"] == "writing", "words"].tolist() == [50, 50], (
        "none of five is left to write"
    )


@pytest.mark.parametrize("config", [CONFIG, ODD])
def test_bytes_are_those_of_the_tensors_that_are_kept(config: ModelConfig) -> None:
    tokens = language.encode([*GIVEN, "out"]).tokens
    shapes = {}
    for writer in WRITERS:
        model = load_writer(writer, config)
        shapes[writer] = model.config
        begun = begin_text(model, tokens)
        if isinstance(model, Transformer):
            held = sum(kept.nbytes for kept in begun.kept.values())
        else:
            held = sum(state.nbytes for memory in begun.memories for state in memory)
        assert kept_bytes(model.config, 5) == held
    table = memory_table(shapes, (5, 10)).pivot(index="words", columns="network", values="bytes")
    assert (table["Transformer"] / table["Transformer"][5]).tolist() == [1, 2]
    assert (table["LSTM"] == 2 * table["RNN"]).all()
    assert table["RNN"][5] == table["RNN"][10]


def test_bytes_of_shapes_without_a_model() -> None:
    whole = ModelConfig(vocab_size=7, d_model=30, n_heads=5, n_layers=3)
    assert cache_bytes(whole, 11) == 4 * 2 * 3 * 30 * 11
    shared = ModelConfig(vocab_size=7, d_model=30, n_heads=6, n_kv_heads=2, n_layers=3)
    assert cache_bytes(shared, 11) == 4 * 2 * 3 * 10 * 11
    for network, n_states in (("rnn", 1), ("lstm", 2)):
        config = RecurrentConfig(vocab_size=7, network=network, d_model=13, n_layers=3)
        assert state_bytes(config) == 4 * n_states * 3 * 13


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


CHOICES = (
    ByHand("RNN", 4, "key"),
    ByHand("Transformer", 0, ","),
    ByHand("RNN", 2, "<unk>"),
    ByHand("LSTM", 255, "."),
    ByHand("RNN", 3, "the"),
)


def test_choices_are_read_as_they_were_spelt() -> None:
    assert unspell(spell(CHOICES)) == CHOICES
    assert spell(CHOICES) == "R5=key;T1=,;R3=<unk>;L256=.;R4=the"


def test_a_choice_takes_back_those_that_were_made_of_later_steps() -> None:
    assert standing(CHOICES, "RNN") == ((2, "<unk>"), (3, "the"))
    assert standing(CHOICES[:1], "RNN") == ((4, "key"),)
    assert standing((*CHOICES, ByHand("RNN", 2, "a")), "RNN") == ((2, "a"),)
    assert standing(CHOICES, "Transformer") == ((0, ","),)
    many = with_choice([CHOICES[0]] * MOST, CHOICES[1])
    assert len(many) == MOST
    assert many[-1] == CHOICES[1]


@each(
    "text",
    [
        *("", ";", "R", "R1", "R1=", "=the", "R0=the", "R01=the", "R257=the", "R999=the", "R1000=the"),
        *("X1=the", "r1=the", "R1=snark", "R1=The", "R-1=the", "R1=the;", ";R1=the", "R1=the;;R2=the"),
        *("R1=the R2=the", "R1= the", "R1=the ", "R1=the\n", "R1=<b>", "R１=the", "R1=the=", "R²=the"),
        *("R1=" + "a" * 9999, ";".join(["R1=the"] * (MOST + 1)), "__import__('os')", "R1=\x00", "\ud7ff"),
    ],
)
def test_what_is_no_choice_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"at most|each choice is|steps are between|words chosen"):
        unspell(text)


def test_a_model_that_wrote_first_can_be_differentiated_through_afterwards() -> None:
    """What is made in inference mode cannot; and models are shared by all pages."""
    go_on("RNN", CONFIG, GenerationSettings(most=1))
    found = influences({"RNN": take("next-word-rnn")}, language.encode(GIVEN).tokens, 3)
    assert all((norms > 0).all() for norms in found.norms.values())


def test_every_sentence_of_the_language_ends_in_a_mark_and_has_none_before() -> None:
    """What is said of a model that writes on beyond the mark."""
    drawn = list(islice(language.sentences(1, split="train"), 500))
    assert {sentence.words[-1] for sentence in drawn} == set(ENDS)
    assert not [sentence for sentence in drawn if set(ENDS) & set(sentence.words[:-1])]


def test_the_writers_are_the_members_that_are_compared_elsewhere() -> None:
    assert [member_of(writer, ODD) for writer in WRITERS] == [
        "next-word-rnn",
        "next-word-lstm",
        "causal-alibi-2-post",
    ]
    assert all(one != other for one, other in pairwise(WRITERS))
