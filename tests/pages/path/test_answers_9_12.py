"""Answers of stops 9 to 12, computed apart from the views that show them."""

from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.learning.collection.translators import recurrent_pair
from core.measures.architectures.unrolled import LANGUAGE_MODELS, unrolled_language_model
from core.measures.generation.writing import GenerationSettings, continue_text
from core.measures.gradients.gates import NAME, gates
from core.measures.translation.attending import attending
from core.measures.translation.vector import fixed_vector
from core.measures.translation.writing import Strategy
from core.model import Trace
from core.model.config import ModelConfig
from core.model.trace import silence
from core.pretrained import Pretrained, read
from core.pretrained.fetched import SMOLLM2
from core.sources.trained import load_rival, load_translator
from pages.contract.static_questions import PATH_QUESTIONS, StaticChoice, StaticEstimate, StaticOrder
from pages.generation.by_hand import parse_choices
from pages.generation.writer import STORES, model_of
from pages.gradients.gates import KEYS
from pages.path.stops import FETCH, STOPS
from pages.translation.source_sentence import written
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session
from tests.real import needs_smollm2

OPENING = ModelConfig(vocab_size=1, n_layers=2, n_heads=4, positions="sinusoidal", norm="pre")
NINE_WORDS = "the key that the gardeners sold is heavy ."


def estimate(name: str) -> StaticEstimate:
    found = PATH_QUESTIONS[name]
    assert isinstance(found, StaticEstimate)
    return found


def choice(name: str) -> StaticChoice:
    found = PATH_QUESTIONS[name]
    assert isinstance(found, StaticChoice)
    return found


def seen(name: str) -> dict[str, Any]:
    """Return the parameters of the link that shows the change."""
    link = PATH_QUESTIONS[name].see
    assert link is not None
    return dict(link.parameters)


def test_a_changed_word_changes_its_state_and_later_ones() -> None:
    before = ["Maria", "met", "Zuko", "near", "the", "stores", "and", "Zuko", "praised", "Maria", "."]
    after = str(seen("another_word_in_the_middle")["text"]).split()
    model = load_rival(LANGUAGE_MODELS["rnn"])
    one, other = (
        next(
            row.value
            for name, row in unrolled_language_model(model, tuple(words)).rows.items()
            if name.startswith("layers.0")
        )
        for words in (before, after)
    )
    changed = np.abs(one - other).max(axis=-1) > 0
    assert [a != b for a, b in zip(before, after, strict=True)].index(True) == changed.argmax() == 3
    assert changed[3:].all()


def test_the_way_through_two_recurrent_layers_is_the_shortest() -> None:
    def steps(layer: int, word: int) -> float:
        """Return the operations from the vector of word 0, onwards or up; none lead back."""
        if (layer, word) == (0, 0):
            return 0
        ways = [steps(layer - 1, word)] if layer else []
        if layer and word:
            ways.append(steps(layer, word - 1))
        return 1 + min(ways, default=float("inf"))

    asked = estimate("recurrent_of_two_layers")
    assert steps(1, 4) == 5
    assert steps(2, 4) == asked.number
    assert asked.mistaken.keys() == {2 * 5, 5, 2}


def test_gates_before_training_leave_nearly_nothing() -> None:
    words, means = tuple(KEYS.split()), {}
    for seed in (None, 0):
        forget = gates(load_rival(NAME), words, layer=1, seed=seed).gates["forget"]
        means[seed] = forget[1:].prod(axis=0).mean()
        assert len(forget[1:]) == 14
        assert forget[1:].mean() == pytest.approx(0.74 if seed is None else 0.49, abs=0.005)
    assert means[None] == pytest.approx(0.21, abs=0.005)
    assert means[0] < 0.001
    assert pytest.approx(0.00006, abs=5e-6) == 0.5**14
    assert 0.5**3 == 0.125


@each(("network", "name"), [("lstm", "twice_the_source"), ("rnn", "one_vector_of_an_rnn")])
def test_the_vector_has_one_size_for_every_sentence(network: str, name: str) -> None:
    pair = recurrent_pair(network, "none")
    longer = tuple(str(seen("twice_the_source")["text"]).split())
    assert (len(NINE_WORDS.split()), len(longer)) == (9, 18)
    for words in (tuple(NINE_WORDS.split()), longer):
        vector = fixed_vector(load_translator(pair, words))
        assert len(vector.hidden) + len(vector.cell) == estimate(name).number
    assert {9 * 64, 128} == set(estimate("one_vector_of_an_rnn").mistaken)
    assert {2 * 128, 18 * 128, 18 * 64, 64} == set(estimate("twice_the_source").mistaken)


def test_attention_follows_a_word_to_its_new_place() -> None:
    turned = str(seen("a_source_turned_round")["text"])
    pair, found = recurrent_pair("lstm", "dot"), []
    for sentence in ("the cat sleeps in the garden .", turned):
        words = tuple(sentence.split())
        own = written(pair, words, Strategy()).sentence
        assert own[0] == "dorme"
        found.append((words, int(attending(load_translator(pair, words), own).cross[0, 0, 0].argmax())))
    assert [words[at] for words, at in found] == ["sleeps", "sleeps"]
    assert found[0][1] == 2 != found[1][1]
    assert found[1][0][2] == "river"


def test_a_chosen_word_changes_the_text_after_it() -> None:
    by_hand = tuple(
        (one.step, one.word) for one in parse_choices(str(seen("a_word_chosen_by_hand")["by_hand"]))
    )
    given, model = tuple(STORES.split()), model_of("Transformer", OPENING)
    before = continue_text(model, given, GenerationSettings())
    after = continue_text(model, given, GenerationSettings(forced=by_hand))
    n = len(given)
    assert by_hand == ((0, "is"),)
    assert before.written[0] == "was"
    assert (before.words[:n], after.words[:n]) == (given, given)
    assert after.written[1:] != before.written[1:]


def test_a_temperature_of_a_half_squares_the_ratio() -> None:
    def first(temperature: float) -> float:
        one, other = (exp(log(p) / temperature) for p in (0.8, 0.2))
        return one / (one + other)

    asked = estimate("half_the_temperature")
    assert asked.number == pytest.approx(first(0.5), abs=0.005)
    assert set(asked.mistaken) == {0.8, 0.8 * 0.5, round(first(2), 2), 1, round(8 / 9, 2)}


@lru_cache(1)
def smollm2() -> Pretrained:
    return read(SMOLLM2.folder)


def patterns(text: str) -> tuple[list[str], list[np.ndarray], np.ndarray]:
    """Return the pieces of a text, the weights of each layer, and the probabilities of the next piece."""
    one, trace = smollm2(), Trace()
    tokens = one.tokenizer.encode(text).tokens
    with torch.no_grad():
        logits = one.model(tokens, trace=trace)[0, -1]
    pieces = [str(one.tokenizer.piece(int(token))) for token in tokens[0]]
    weights = [trace[f"blocks.{at}.attention.pattern"][0].numpy() for at in range(30)]
    return pieces, weights, logits.softmax(-1).numpy()


needs_time = pytest.mark.long("reads SmolLM2, of 135 million parameters")


@needs_smollm2
@needs_time
def test_a_previous_token_head_is_one_in_another_sentence() -> None:
    pieces, weights, _ = patterns(str(seen("the_same_head_elsewhere")["text"]))
    most = weights[16][0].argmax(axis=-1)
    assert (most[1:] == np.arange(len(pieces) - 1)).mean() > 0.8


@needs_smollm2
@needs_time
def test_an_induction_head_attends_to_the_word_after_the_copy() -> None:
    pieces, weights, _ = patterns(str(seen("nonsense_repeated")["text"]))
    row = weights[18][6][-1]
    assert pieces[-1] == pieces[1]
    assert pieces[1 + int(row[1:].argmax())].endswith("seven")
    assert row[1:].max() > 0.5


@needs_smollm2
@needs_time
def test_one_head_knocked_out_changes_less_than_its_weight() -> None:
    text = "The trophy does not fit into the suitcase because it is too"
    pieces, weights, before = patterns(text)
    row, one = weights[0][2][-1], smollm2()
    assert pieces[int(row[:-1].argmax())].endswith("because")
    assert row[:-1].max() == pytest.approx(0.21, abs=0.005)
    without = Trace(edits={"blocks.0.attention.z": silence(head=2)})
    with torch.no_grad():
        after = one.model(one.tokenizer.encode(text).tokens, trace=without)[0, -1].softmax(-1).numpy()
    assert np.abs(before - after).sum() / 2 == pytest.approx(0.056, abs=0.001)
    assert "5.6 %" in choice("one_head_of_270").because


@needs_smollm2
@needs_time
def test_heads_divide_the_width_of_the_real_model() -> None:
    config = smollm2().model.config
    assert (config.d_model, config.n_heads, config.n_layers * config.n_heads) == (576, 9, 270)
    assert estimate("width_of_a_head").number == config.d_model / config.n_heads
    assert set(estimate("width_of_a_head").mistaken) == {576, 576 * 9}


def test_only_the_order_of_the_steps_gives_these_weights() -> None:
    """Put −∞ before or after the division, and the weights are the same: so they are not two steps apart."""
    steps = PATH_QUESTIONS["steps_of_a_head"]
    assert isinstance(steps, StaticOrder)
    assert steps.order[0] == "multiply queries by keys, and divide by √d"
    hidden = torch.tensor([True, False, False])
    scores = torch.tensor([3.0, 1.0, 0.0])
    divided_last = scores.masked_fill(hidden, -torch.inf) / 8
    torch.testing.assert_close(divided_last, (scores / 8).masked_fill(hidden, -torch.inf))
    masked_first, masked_last = divided_last.softmax(0), (scores / 8).softmax(0).masked_fill(hidden, 0)
    assert masked_first.sum().item() == pytest.approx(1)
    assert masked_last.sum().item() < 0.9


@each("n_layers", [1, 3])
def test_the_operations_that_boxes_count_add_up_to_the_headline(n_layers: int) -> None:
    shown = Asked("interaction-distance", view="networks", layers=n_layers)
    further = len(shown.scene.words) - 1
    n = 1 + further + n_layers - 1
    assert f"takes {n} operations in the recurrent network" in shown.sheet.headline
    said = "one to read it, and one for each further word" + " and each further layer" * (n_layers > 1)
    assert f"{said}." in shown.prose


def test_without_its_model_the_last_stop_shows_a_small_one_and_a_remedy(no_real_model: Path) -> None:
    heads, hiding = STOPS[-1].views
    assert (heads.shown_text, heads.asked) == (hiding.shown_text, hiding.asked) == (FETCH, ())
    assert "`python -m core.pretrained` fetches it" in FETCH
    session = Session("explorer", stop=len(STOPS), **heads.link.parameters)
    assert not session.warnings
    assert "model" not in session.link
    assert session.link["text"] == heads.link.parameters["text"]


@needs_smollm2
def test_with_its_model_the_last_stop_asks_about_it() -> None:
    heads, hiding = STOPS[-1].views
    assert (heads.shown_text, heads.asked) == (heads.says, heads.asks)
    assert hiding.asked == hiding.asks
