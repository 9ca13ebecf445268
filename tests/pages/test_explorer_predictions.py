"""Predictions in the explorer: of the model, without ablated heads, and in training."""

import json
import re
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.learning.evaluation.phenomena import baseline
from core.learning.tasks import NEXT_WORD, chance
from core.measures.heads import effects as analysis
from core.measures.heads.effects import every_head, max_tokens, state_changes
from core.measures.prediction import Head, Prediction, distribution, divergence, predict
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.switches import Architecture
from pages.explorer import knocked_out, learned
from pages.explorer.learned import unlike_default
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers
from tests.real import NAME, SOURCE, one_model
from tests.shelf import ACCURACIES, ACCURACY
from viz.named_bars import DIVERGENCE, SHOWN, STATES, Effect
from viz.text import unique_words

pytestmark = pytest.mark.usefixtures("noise_shelf")

TEXT = "Zuko met Maria and Maria praised Zuko."


def predicted(
    text: str = TEXT, *, silenced: tuple[Head, ...] = (), window: int | None = None, **fields: Any
) -> Prediction:
    config = ModelConfig(vocab_size=1, **fields)
    return predict(load("trained", config, words_of(text), 0), silenced=silenced, window=window)


def assert_shown(session: Asked, before: Prediction, after: Prediction, place: int) -> None:
    table = distribution(before, after, place)
    shown = table[(table.index < SHOWN) | table["answer"]]
    expected = [shown["before"]] if before is after else [shown["before"], shown["after"]]
    figure = session.figure("prediction_bars")
    assert_allclose([numbers(trace["x"]) for trace in figure["data"]], expected, atol=1e-6)
    words = [re.sub("<[^<>]*>", "", word) for word in figure["layout"]["yaxis"]["ticktext"]]
    assert words == [word.replace("<", "&lt;").replace(">", "&gt;") for word in shown["word"]]


@each(
    ("mask", "names", "heads"),
    [("causal", ["1.2"], ((0, 1),)), ("bidirectional", ["1.2", "2.4"], ((0, 1), (1, 3)))],
)
def test_knocking_heads_out_shows_both_distributions_and_how_far_apart_they_are(
    mask: str, names: list[str], heads: tuple[Head, ...]
) -> None:
    session = Asked(text=TEXT, mask=mask, place=3, silenced=names)
    before, after = predicted(mask=mask), predicted(mask=mask, silenced=heads)
    assert_shown(session, before, after, 2)
    forwards, backwards = divergence(before, after, 2), divergence(after, before, 2)
    assert f"= {forwards:.3f} nats" in session.prose
    assert f"{forwards:.3f}" != f"{backwards:.3f}"
    assert f"goes from {before.loss:.2f} nats per word to {after.loss:.2f} nats per word" in session.prose
    session.set(silenced=[])
    assert_shown(session, before, before, 2)


def test_heads_that_go_are_no_longer_knocked_out() -> None:
    session = Session(text=TEXT, place=3, heads=8, needed_table=True)
    session.set(silenced=["1.7", "2.2"])
    session.set(heads=4)
    assert session.value("silenced") == ["2.2"]
    assert_shown(session, predicted(), predicted(silenced=((1, 1),)), 2)


def test_heads_are_knocked_out_and_drawn_only_when_the_fold_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = []

    def head_effects(*args: Any, **named: Any) -> pd.DataFrame:
        measured.append(args)
        return analysis.head_effects(*args, **named)

    monkeypatch.setattr(knocked_out, "head_effects", head_effects)
    text = "Zuko praised Maria and Maria met Zuko."  # of no other test, so that no effects are remembered
    session, weights = Session(text=text, place=3), ["heads_grid", "matrix"]
    assert session.pictures == weights
    session.click("head_effects", x=1, y=0, data=[1, 1])
    assert session.link == {"text": text, "place": "3"}, "the picture is not there, and the place stays"
    assert measured == []
    assert Session(text=text, needed_table=True).pictures == [*weights, "prediction_bars", "head_effects"]
    assert len(measured) == 1


def test_one_component_follows_the_clicks_on_all_pictures() -> None:
    session = Session(text=TEXT, needed_table=True)
    nodes = [node for node in session.app.main if node.type == "bidi_component"]
    assert [node.key for node in nodes if "clicks" in node.key] == ["clicks"]
    followed = json.loads(session.element("clicks").proto.json)["charts"]
    assert list(followed) == ["heads_grid", "matrix", "head_effects"]
    session.click("heads_grid", x=2, y=2)
    session.click("matrix", x=1, y=3)
    assert [session.value(name) for name in ("layer", "head", "query", "key")] == [2, 2, 4, 2]


@each("mask", ["causal", "bidirectional"])
def test_the_loss_of_each_word_is_in_a_table(mask: str) -> None:
    text = "Zuko såg Maria and Maria"
    table = Asked(text=text, mask=mask, silenced=["1.1"]).table("losses")
    assert list(table.index) == ["Zuko", "såg†", "Maria (3)", "and", "Maria (5)"]
    assert_allclose(table["all heads, loss in nats"], predicted(text, mask=mask).losses())
    assert_allclose(
        table["without head 1 of layer 1"], predicted(text, mask=mask, silenced=((0, 0),)).losses()
    )
    assert np.isnan(table["all heads, loss in nats"].iloc[1])


def test_the_scores_of_the_model_are_compared_with_baselines(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Asked(text=TEXT, silenced=["1.1"]).table("accuracies")
    assert dict(table["accuracy"]) == {"all words (next word)": ACCURACY, **ACCURACIES}
    expected = {name: baseline(name) for name in ACCURACIES}
    assert dict(table["baseline"]) == {"all words (next word)": chance(NEXT_WORD).accuracy, **expected}
    monkeypatch.setattr(learned, "baseline", {"agreement": 0.74, "agreement 1–2": 0.5}.__getitem__)
    table = Asked(text=TEXT).table("accuracies")
    assert list(table[learned.BEATS]) == ["yes", "no", "yes"]
    assert learned.verdict(table).endswith("model is not clearly better than its baseline on agreement.")
    assert learned.verdict(table[::2]).endswith("This model is better than its baseline everywhere.")
    for ablation in ({"residual": False}, {"window": "2"}):
        assert not Asked(text=TEXT, **ablation).has("accuracies"), "they are of the whole model"


def test_the_effect_of_every_head_stands_beside_the_prediction() -> None:
    session = Asked(text=TEXT, view="heads", place=3, window=2)
    before, every = predicted(window=2), product(range(2), range(4))
    without = [predicted(window=2, silenced=(head,)) for head in every]
    shown = numbers(session.figure("head_effects")["data"][0]["x"])
    assert_allclose(shown, [divergence(before, one, 2) for one in without], rtol=1e-3, atol=1e-6)


def test_a_clicked_bar_knocks_its_head_out_and_a_second_click_puts_it_back() -> None:
    session = Asked(text=TEXT, place=3)
    for head, names in [([2, 3], ["2.3"]), ([1, 2], ["1.2", "2.3"]), ([2, 3], ["1.2"])]:
        session.click("head_effects", x=1, y=0, data=head)
        assert session.value("silenced") == names
    assert_shown(session, predicted(), predicted(silenced=((0, 1),)), 2)
    names = session.figure("head_effects")["layout"]["yaxis"]["ticktext"]
    assert [re.sub("<[^<>]*>", "", name) for name in names if "<b>" in name] == ["layer 1, head 2"]


@each(
    ("effects", "is_small"),
    [((0.0, 0.0), True), ((0.00099, 0.0), True), ((0.001, 0.0), False), ((0.0, 2.0), False)],
)
@each("effect", [DIVERGENCE, STATES])
def test_effects_are_too_small_for_bars_if_the_largest_is(
    effect: Effect, effects: tuple[float, float], is_small: bool
) -> None:
    assert knocked_out.too_small(pd.DataFrame({effect.column: effects}), effect) == is_small


def test_a_sentence_stands_where_no_head_has_an_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = knocked_out._effects_at
    monkeypatch.setattr(knocked_out, "_effects_at", lambda *at: whole(*at).assign(divergence=0.0009))
    session = Asked(text=TEXT, place=3)
    assert not session.has("head_effects")
    assert "No head knocked out alone changes this prediction by 0.001 nats or more." in session.prose
    assert "Click a bar" not in session.prose
    session.set(silenced=["1.2"])
    assert "Without head 2 of layer 1 this prediction changes by" in session.prose


def test_of_many_heads_the_title_says_which_have_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    many = pd.DataFrame({"layer": np.repeat(range(1, 7), 12), "head": [*range(1, 13)] * 6})
    effects = many.assign(divergence=np.linspace(0, 1, 72))
    monkeypatch.setattr(knocked_out, "_effects_at", lambda *at: effects)
    session = Asked(text=TEXT, place=3)
    assert session.picture("head_effects").title == "Effect of knocking out each head: the 12 largest of 72"
    assert "Bars show the 12 heads with the largest effects. The menu has all 72." in session.prose


DIFFERS = "The likeliest next word differs from the default model's after"

SAME = "the likeliest next word is the same as the default model's."


def likely(*best: int, in_sight: tuple[int, ...] = ()) -> Prediction:
    log_p = np.log(np.full((len(best), 9), 0.01))
    log_p[range(len(best)), best] = 0
    words = tuple("abcdefghi")
    return Prediction(words, log_p, np.zeros(len(best), dtype=int), (), ahead=1, in_sight=in_sight)


@each(
    ("best", "in_sight", "said"),
    [
        ((0, 0, 0), (), f"After all 3 words, {SAME}"),
        ((1, 1, 1), (), f"{DIFFERS} all 3 words: *w0* (1), *w1* (2) and *w2* (3)."),
        (
            (1,) * 7,
            (),
            f"{DIFFERS} all 7 words: *w0* (1), *w1* (2), *w2* (3), *w3* (4), *w4* (5) and 2 more.",
        ),
        ((1, 0, 1), (0,), f"{DIFFERS} 1 of 2 words that may not attend to the next word: *w2* (3)."),
        ((1, 0, 0), (0,), f"After both words that may not attend to the next word, {SAME}"),
        ((1, 1), (0, 1), ""),
    ],
)
def test_words_that_may_attend_to_the_next_one_are_not_compared(
    monkeypatch: pytest.MonkeyPatch, best: tuple[int, ...], in_sight: tuple[int, ...], said: str
) -> None:
    words = tuple(Typed(f"w{at}") for at in range(len(best)))
    switches = Architecture(ModelConfig.of_switches(n_heads=8), "trained", 0)
    monkeypatch.setattr(learned, "predicted", lambda *_: likely(*[0] * len(best)))
    assert unlike_default(Scene(words, switches, 0, 0), likely(*best, in_sight=in_sight)) == said


CATS = "I don't think the other cats saw the cat running?"


def opened(**parameters: Any) -> Asked:
    return Asked(**({"text": CATS, "model": "real", "real": NAME} | parameters))


@pytest.mark.usefixtures("tiny_model")
def test_every_head_has_a_bar_where_a_model_has_no_output_layer() -> None:
    session = opened()
    one = one_model(SOURCE)
    expected = every_head(load(SOURCE, one.config, one.split(CATS).texts, 0))["change"]
    assert_allclose(numbers(session.figure("head_effects")["data"][0]["x"]), expected, rtol=1e-5)
    assert "tiny has no output layer" in session.prose
    assert "moved_states" not in session.pictures


@pytest.mark.usefixtures("tiny_model")
def test_a_link_with_ablated_heads_shows_the_changes() -> None:
    one, silenced = one_model(SOURCE), [(0, 1), (1, 2)]
    words = one.split(CATS).texts
    changes = state_changes(load(SOURCE, one.config, words, 0), silenced=silenced, window=2)
    session = opened(silenced=["1.2", "2.3"], window=2)
    names = session.figure("head_effects")["layout"]["yaxis"]["ticktext"]
    assert [re.sub("<[^<>]*>", "", name) for name in names if "<b>" in name] == [
        "layer 1, head 2",
        "layer 2, head 3",
    ]
    bars = numbers(session.figure("moved_states")["data"][0]["y"])
    assert_allclose(bars / bars.max(), changes.moved / changes.moved.max(), rtol=1e-5)
    assert_allclose(session.table("moved_states").to_numpy().T, [changes.moved, changes.cosines], rtol=1e-5)
    assert f"**{100 * changes.sentence_moved:.0f} %** (cosine {changes.sentence_cosine:.3f})" in session.prose
    assert f"by **{100 * changes.mean:.0f} %** of their length" in session.prose
    assert "silenced = [(0, 1), (1, 2)]" in session.code


@pytest.mark.usefixtures("tiny_model")
def test_a_sentence_too_long_for_every_head_still_loses_the_chosen_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = one_model(SOURCE).config
    monkeypatch.setattr(analysis, "MOST_WORK", analysis.MOST_WORK * 7 / max_tokens(config, one_layer=True))
    session = opened(silenced=["1.2"])
    assert session.has("moved_states")
    assert not session.has("head_effects")
    assert "is knocked out alone in sentences of up to 7 tokens; this one has 16." in session.prose


@pytest.mark.usefixtures("tiny_model")
def test_of_a_sentence_too_long_for_all_heads_those_of_the_chosen_layer_are_knocked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = one_model(SOURCE).config
    monkeypatch.setattr(analysis, "MOST_WORK", analysis.MOST_WORK * 15.5 / max_tokens(config))
    session = opened(layer=2, needed_table=True)
    table = session.table("head_effects")
    assert set(table["layer"]) == {2}
    words = one_model(SOURCE).split(session.scene.text).texts
    every = every_head(load(SOURCE, config, words, 0))
    assert_allclose(table["change"], every[every["layer"] == 2]["change"], rtol=1e-4)
    assert session.alt("head_effects").startswith("Effect of knocking out each head of layer 2, ")
    assert "Bars show the heads of the chosen layer. Every head of tiny is knocked out" in session.prose


@pytest.mark.usefixtures("tiny_model")
def test_of_many_pieces_those_whose_states_move_most_have_bars_in_the_order_of_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(knocked_out, "MOST_DRAWN", 3)
    one = one_model(SOURCE)

    moved = state_changes(load(SOURCE, one.config, one.split(CATS).texts, 0), silenced=[(1, 0)]).moved
    labels = unique_words(one.split(CATS).labels)
    shown = opened(silenced=["2.1"]).figure("moved_states")["layout"]["xaxis"]["ticktext"]
    assert list(shown) == [labels[at] for at in sorted(moved.argsort()[-3:])]
