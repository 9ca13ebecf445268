"""The panel beside the picture: what the model expects, and what is left of it without some heads."""

import json
import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.learning.evaluation.baselines import baseline
from core.learning.tasks import NEXT_WORD, chance
from core.measures.prediction import Head, Prediction, distribution, divergence, predict
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.text.tokenizer import words_of
from pages.contract.sheet import Text
from pages.controls.examples import CHEF, MARIA, PRAISED
from pages.controls.prose import Typed, literal
from pages.controls.switches import Architecture
from pages.explorer import accuracies, prediction
from pages.shell.scene import Scene
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.shelf import ACCURACIES, ACCURACY
from viz.predictions import SHOWN
from viz.units import p_equals

TEXT = "Zuko met Maria and Maria praised Zuko."
VIEWS = ("all heads", "matrix", "lines", "stages")

pytestmark = pytest.mark.usefixtures("noise_shelf")


def predicted(
    text: str = TEXT, *, silenced: tuple[Head, ...] = (), window: int | None = None, **fields: Any
) -> Prediction:
    config = ModelConfig(vocab_size=1, **fields)
    return predict(load("trained", config, words_of(text), 0), silenced=silenced, window=window)


def bars(session: Asked) -> list[np.ndarray]:
    return [numbers(trace["x"]) for trace in session.figure("prediction_bars")["data"]]


def assert_shown(session: Asked, before: Prediction, after: Prediction, place: int) -> None:
    table = distribution(before, after, place)
    shown = table[(table.index < SHOWN) | table["answer"]]
    expected = [shown["before"]] if before is after else [shown["before"], shown["after"]]
    found = bars(session)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one, other, atol=1e-6)
    words = [
        re.sub("<[^<>]*>", "", word)
        for word in session.figure("prediction_bars")["layout"]["yaxis"]["ticktext"]
    ]
    assert words == [word.replace("<", "&lt;").replace(">", "&gt;") for word in shown["word"]]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_one_model_has_its_prediction_beside_it(view: str) -> None:
    session = Asked(text=TEXT, view=view, place=3)
    both = predicted()
    assert_shown(session, both, both, 2)


@pytest.mark.parametrize(
    "mask",
    ["causal", pytest.param("bidirectional", marks=pytest.mark.long("a word hidden at each of its places"))],
)
def test_every_place_shows_its_own_distribution(mask: str) -> None:
    session, found = Asked(text=TEXT, view="matrix", mask=mask), predicted(mask=mask)
    for place in range(len(found.tokens)):
        session.set(place=place + 1)
        assert_shown(session, found, found, place)


@pytest.mark.parametrize(
    ("mask", "title"),
    [
        ("causal", "Next word after “Maria” (10)"),
        ("bidirectional", "Masked word in place of "),
    ],
)
def test_at_first_the_prediction_is_about_the_last_word_or_the_easiest_masked(mask: str, title: str) -> None:
    session, found = Asked(text=MARIA, mask=mask), predicted(MARIA, mask=mask)
    losses = found.losses()
    words = [at for at, word in enumerate(words_of(MARIA)) if word.isalnum()]
    at = 9 if mask == "causal" else min(words, key=lambda at: losses[at])
    assert_shown(session, found, found, at)
    assert title in session.figure("prediction_bars")["layout"]["title"]["text"]


def test_the_page_opens_with_the_word_that_goes_on() -> None:
    session, found = Asked(), predicted(PRAISED)
    assert_shown(session, found, found, len(found.tokens) - 1)
    best = found.vocabulary[found.probabilities(-1).argmax()]
    assert (
        f"The likeliest next word is **{literal(best)}** (p = {found.probabilities(-1).max():.3f})."
        in session.prose
    )


@pytest.mark.parametrize(
    ("mask", "title"), [("causal", "Next word after"), ("bidirectional", "Masked word in place of")]
)
def test_of_a_single_word_its_own_place_is_asked_for(mask: str, title: str) -> None:
    session = Session(text="zuko", mask=mask)
    assert f"{title} “zuko” (1)" in session.figure("prediction_bars")["layout"]["title"]["text"]
    assert session.element("place_word").placeholder == "1 zuko"


@pytest.mark.parametrize(
    "fields",
    [
        {"positions": "alibi", "n_layers": 1},
        {"n_heads": 8, "norm": "post"},
        {"scale": False, "window": 1},
        {"residual": False},
        {"mlp": False},
    ],
)
def test_the_prediction_is_that_of_the_model_on_the_screen(fields: dict[str, Any]) -> None:
    link = {"n_heads": "heads", "n_layers": "layers"}
    session = Asked(
        text=TEXT, view="matrix", place=4, **{link.get(name, name): fields[name] for name in fields}
    )
    both = predicted(**fields)
    assert_shown(session, both, both, 3)


@pytest.mark.parametrize("view", ["matrix", "stages"])
def test_a_clicked_row_is_the_word_whose_prediction_is_shown(view: str) -> None:
    session = Asked(text=TEXT, view=view)
    session.click(view, x=1, y=4)
    assert (session.value("query"), session.value("key"), session.value("place")) == (5, 2, 5)
    assert session.link["place"] == "5"


def test_a_click_with_random_weights_asks_for_no_prediction() -> None:
    session = Asked(text=TEXT, view="matrix", model="random")
    session.click("matrix", x=1, y=4)
    assert session.value("query") == 5
    assert "place" not in session.link


@pytest.mark.parametrize("mask", MASKS)
def test_knocking_heads_out_shows_both_distributions_and_how_far_apart_they_are(mask: str) -> None:
    session, before = Asked(text=TEXT, mask=mask, place=3), predicted(mask=mask)
    for names, heads in [
        (["1.2"], ((0, 1),)),
        (["1.2", "2.4"], ((0, 1), (1, 3))),
        (["2.1", "2.3"], ((1, 0), (1, 2))),
    ]:
        session.set(silenced=names)
        after = predicted(mask=mask, silenced=heads)
        assert_shown(session, before, after, 2)
        forwards, backwards = divergence(before, after, 2), divergence(after, before, 2)
        assert f"= {forwards:.3f} nats" in session.prose
        assert f"{forwards:.3f}" != f"{backwards:.3f}"
        assert f"goes from {before.loss:.2f} nats per word to {after.loss:.2f} nats per word" in session.prose
        assert f"Without {', '.join(names)} this prediction changes" in session.prose
        assert f"without {', '.join(names)}" in session.alt("prediction_bars")
    session.set(silenced=[])
    assert_shown(session, before, before, 2)


def test_a_link_knocks_heads_out() -> None:
    session = Asked(text=TEXT, place=3, silenced=["1.1", "2.4"])
    assert session.warnings == []
    assert session.value("silenced") == ["1.1", "2.4"]
    assert_shown(session, predicted(), predicted(silenced=((0, 0), (1, 3))), 2)


@each("wrong", ["3.1", "1.5", "0.1", "1.1,2.4", "x", ""])
def test_a_link_that_knocks_out_what_is_not_there_is_told_so(wrong: str) -> None:
    session = Asked(text=TEXT, view="matrix", silenced=["1.1", wrong])
    (warning,) = session.warnings
    assert f"asks for silenced = 1.1,{f' {wrong}' if wrong else ''}, but" in readable(warning)
    assert warning.endswith("Showing none.")
    assert session.value("silenced") == []


def test_heads_that_go_are_no_longer_knocked_out() -> None:
    session = Session(text=TEXT, place=3, heads=8)
    session.set(silenced=["1.7", "2.2"])
    session.set(heads=4)
    assert session.value("silenced") == ["2.2"]
    assert_shown(session, predicted(), predicted(silenced=((1, 1),)), 2)


def test_the_picture_of_the_weights_stays_that_of_the_intact_model_and_says_so() -> None:
    intact = Asked(text=TEXT, view="matrix")
    knocked_out = Asked(text=TEXT, view="matrix", silenced=["1.1"])
    assert intact.figure("matrix") == knocked_out.figure("matrix")
    assert "The weights in the picture are those of the intact model." in knocked_out.prose
    assert "need not change the prediction" in intact.prose
    assert "those of the intact model" not in intact.prose


def test_the_answer_its_rank_and_the_loss_are_written_out() -> None:
    session, found = Asked(text=TEXT, place=3), predicted()
    answer = found.answer(2)
    assert answer is not None
    chance = found.probabilities(2)[answer]
    assert (
        f"The next word in the sentence is **and**: rank {found.rank(2)}, {p_equals(chance)}, of 531 words."
        in session.prose
    )
    assert (
        f"Loss on this sentence: **{found.loss:.2f} nats per word**, the mean over 7 words." in session.prose
    )


def test_beyond_the_last_word_the_sentence_ends() -> None:
    session, before, after = Asked(text=TEXT, place=8), predicted(), predicted(silenced=((1, 2),))
    assert "The sentence ends here, so no next word is scored." in session.prose
    session.set(silenced=["2.3"])
    (one, first), (other, then) = (
        (found.vocabulary[found.probabilities(7).argmax()], p_equals(found.probabilities(7).max()))
        for found in (before, after)
    )
    assert (
        f"The likeliest next word is **{literal(one)}** ({first}); without 2.3 **{literal(other)}** ({then})."
        in session.prose
    )


def test_an_unknown_word_is_not_scored_and_that_is_said() -> None:
    session = Asked(text="Zuko såg Maria.", place=1)
    assert "The next word in the sentence is **såg**, which the model does not know" in session.prose
    assert "the mean over 2 words" in session.prose
    assert "The sentence has no word that can be scored." in Asked(text="såg").prose
    assert "has no word that can be scored." in Asked(text="såg", silenced=["1.1"]).prose
    assert "no loss" not in Asked(text="såg", silenced=["1.1"]).prose
    masked = Asked(text="Zuko såg Maria.", place=2, mask="bidirectional")
    assert "The masked word is **såg**, which the model does not know" in masked.prose


@pytest.mark.parametrize("mask", MASKS)
def test_the_loss_of_each_word_is_in_a_table(mask: str) -> None:
    session = Asked(text="Zuko såg Maria and Maria", mask=mask, silenced=["1.1"])
    table = session.table("losses")
    before, after = (predicted("Zuko såg Maria and Maria", mask=mask, silenced=s) for s in ((), ((0, 0),)))
    assert list(table.index) == ["Zuko", "såg†", "Maria (3)", "and", "Maria (5)"]
    assert_allclose(table["all heads, loss in nats"], before.losses())
    assert_allclose(table["without 1.1"], after.losses())
    assert np.isnan(table["all heads, loss in nats"].iloc[1])


def test_what_the_model_has_learned_is_in_a_table_beside_what_needs_no_reading() -> None:
    session = Asked(text=TEXT)
    table = session.table("accuracies")
    assert dict(table["accuracy"]) == {"all words (next word)": ACCURACY, **ACCURACIES}
    without = dict(table["baseline"])
    assert without.pop("all words (next word)") == chance(NEXT_WORD).accuracy
    assert without == {name: baseline(name) for name in ACCURACIES}


def test_accuracies_of_the_whole_model_are_not_shown_of_an_ablation() -> None:
    for ablation in ({"residual": False}, {"layers": 1}, {"window": "2"}):
        assert not Asked(text=TEXT, **ablation).has("accuracies")
    assert Asked(text=TEXT, silenced=["1.1"]).has("accuracies")


def test_shares_in_a_table_have_equally_many_decimals_and_a_missing_number_is_a_dash() -> None:
    session = Session(text="Zuko såg Maria.", accuracies_table=True, losses_table=True)
    (accuracy,) = [one for one in session.app.dataframe if "accuracy" in one.value.columns]
    assert set(accuracy.value["accuracy"]) >= {0.75, 1.0}
    columns = json.loads(accuracy.proto.columns)
    for name in ("accuracy", "baseline"):
        assert columns[name]["type_config"]["format"] == "%.4f"
    (losses,) = [one for one in session.app.dataframe if "loss in nats" in one.value.columns]
    assert losses.value.isna().any().item()
    assert losses.proto.placeholder == "–"
    assert "loss in nats" not in json.loads(losses.proto.columns), "a loss is no share"


def test_where_a_model_is_no_better_than_without_reading_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracies, "baseline", {"agreement": 0.74, "agreement 1–2": 0.5}.__getitem__)
    session = Session(text=TEXT, accuracies_table=True)
    assert list(session.table("accuracies")[accuracies.BEATS]) == ["yes", "no", "yes"]
    assert "This model is not clearly better than its baseline on agreement." in session.prose
    monkeypatch.setattr(accuracies, "baseline", lambda _: 0.3)
    session.run()
    assert "This model is better than its baseline everywhere." in session.prose


def test_the_distribution_is_in_a_table_in_full() -> None:
    table = Asked(text=TEXT, place=2).table("prediction_bars")
    assert len(table) == 531
    assert table["before"].sum() == pytest.approx(1)
    assert "<pad>" in set(table["word"])


@each("view", VIEWS)
def test_random_weights_say_why_they_predict_nothing(view: str) -> None:
    session = Asked(text=TEXT, view=view, model="random")
    assert session.prose.count("Random weights have learned nothing") == 1
    assert not session.has("silenced")
    assert "prediction_bars" not in session.pictures


def has_a_prediction(session: Asked) -> bool:
    assert session.warnings == []
    assert 0 <= bars(session)[0].min() <= bars(session)[0].max() <= 1
    return True


@pytest.mark.parametrize("mask", MASKS)
def test_any_sentence_has_a_prediction(mask: str) -> None:
    session = Asked(text=CHEF, mask=mask, view="matrix")
    assert has_a_prediction(session)
    for text in ("Maria", "…", "är"):
        session.set(text=text)
        assert has_a_prediction(session)


@pytest.mark.parametrize(
    "mask",
    ["causal", pytest.param("bidirectional", marks=pytest.mark.long("256 readings, a mask in each"))],
)
def test_the_longest_sentence_has_a_prediction(mask: str) -> None:
    assert has_a_prediction(Asked(text="the " * 256, mask=mask, view="matrix"))


def test_without_heads_the_answer_is_told_before_and_after() -> None:
    before, after = predicted(), predicted(silenced=((0, 0),))
    answer = before.answer(2)
    assert answer is not None
    first, then = (f"rank {one.rank(2)}, {p_equals(one.probabilities(2)[answer])}" for one in (before, after))
    assert (
        f"is **and**: {first}; without 1.1 {then}, of 531 words."
        in Asked(text=TEXT, place=3, silenced=["1.1"]).prose
    )


@pytest.mark.parametrize("mask", MASKS)
def test_the_effect_of_every_head_stands_beside_the_prediction(mask: str) -> None:
    session = Asked(text=TEXT, view="matrix", mask=mask, place=3, window=2)
    before = predicted(mask=mask, window=2)
    expected = [
        divergence(before, predicted(mask=mask, window=2, silenced=((layer, head),)), 2)
        for layer in range(2)
        for head in range(4)
    ]
    shown = numbers(session.figure("head_effects")["data"][0]["y"])
    assert_allclose(shown, expected, rtol=1e-3, atol=1e-6)


def test_a_clicked_bar_knocks_its_head_out_and_a_second_click_puts_it_back() -> None:
    session = Asked(text=TEXT, place=3)
    for head, names in [([2, 3], ["2.3"]), ([1, 2], ["1.2", "2.3"]), ([2, 3], ["1.2"]), ([1, 2], [])]:
        session.click("head_effects", x=1, y=0, data=head)
        assert session.value("silenced") == names
    session.click("head_effects", x=1, y=0, data=[2, 3])
    assert_shown(session, predicted(), predicted(silenced=((1, 2),)), 2)
    names = session.figure("head_effects")["layout"]["xaxis"]["ticktext"]
    assert [re.sub("<[^<>]*>", "", name) for name in names if "<b>" in name] == ["2.3"]


def test_a_masked_word_is_found_without_the_weights_in_the_picture() -> None:
    assert (
        "The model predicts the word from a sentence in which that word is masked."
        in Asked(text=TEXT, mask="bidirectional").prose
    )
    assert "that word is masked" not in Asked(text=TEXT).prose


@each(
    ("switches", "trained_with"),
    [
        ({"positions": "none"}, "no positions"),
        ({"positions": "alibi", "heads": 8}, "alibi positions and 8 heads"),
        ({"heads": 1, "norm": "post"}, "1 head and post-norm"),
        ({"mask": "bidirectional"}, "the bidirectional mask"),
        ({"residual": False}, ""),
        ({"model": "random", "positions": "none"}, ""),
        ({}, ""),
    ],
)
def test_the_switches_say_which_trained_model_they_show(switches: dict[str, Any], trained_with: str) -> None:
    prose = Asked("explorer", view="matrix", **switches).prose
    assert ("These switches show a model of its own" in prose) == bool(trained_with)
    assert not trained_with or f"a model of its own, trained with {trained_with}." in prose


DIFFERS = "The most likely next word differs from the default model's after"
SAME = "The most likely next word is the default model's after"
MASKED = "These switches show a model of its own, trained with the bidirectional mask."


@each(
    ("switches", "said"),
    [
        (
            {"positions": "none"},
            "These switches show a model of its own, trained with no positions. The most",
        ),
        ({"layers": 1}, "These switches show the default model, with no second layer. The most likely"),
        ({"window": 1}, "These switches show the default model, with no attention beyond 1 word. The most"),
        (
            {"heads": 8, "residual": False},
            "a model of its own, trained with 8 heads. Here it has no residual connections. The most likely",
        ),
        ({"mask": "bidirectional"}, f"{MASKED} This model fills in masked words, so its predictions cannot"),
        ({"positions": "none", "silenced": ["1.1"]}, "a model of its own, trained with no positions.\n\n"),
        ({}, ""),
        ({"model": "random", "positions": "none"}, ""),
        ({"model": "random", "mask": "bidirectional"}, ""),
    ],
)
def test_the_sheet_says_which_model_the_switches_show(switches: dict[str, Any], said: str) -> None:
    asked = Asked("explorer", view="matrix", text=PRAISED, **switches)
    told = "\n".join(part.markdown for part in asked.parts if isinstance(part, Text))
    assert said in told
    assert ("These switches show" in told) == bool(said)
    assert said or "default model" not in told


@each(
    ("switches", "fields"),
    [
        ({"positions": "none"}, {"positions": "none"}),
        ({"heads": 8}, {"n_heads": 8}),
        ({"residual": False}, {"residual": False}),
        ({"layers": 1}, {"n_layers": 1}),
        ({"window": 1}, {"window": 1}),
    ],
)
def test_the_words_after_which_the_default_model_expects_another_are_named(
    switches: dict[str, Any], fields: dict[str, Any]
) -> None:
    prose, words = Asked("explorer", view="matrix", text=PRAISED, **switches).prose, words_of(PRAISED)
    shown, usual = predicted(PRAISED, **fields), predicted(PRAISED)
    best = [[one.probabilities(at).argmax() for at in range(len(words))] for one in (shown, usual)]
    unlike = [at for at, (one, other) in enumerate(zip(*best, strict=True)) if one != other]
    n_unlike, n_same = f"{len(unlike)} of {len(words)} words: ", f"{len(words)} of {len(words)} words."
    assert f"{DIFFERS} {n_unlike}" in prose if unlike else f"{SAME} {n_same}" in prose
    assert [at for at in unlike[:5] if f"*{words[at]}* ({at + 1})" not in prose] == []
    assert (f"and {len(unlike) - 5} more." in prose) == (len(unlike) > 5)
    assert ("who did what to whom" in prose) == ("positions" in switches)


def likely(*best: int, in_sight: tuple[int, ...] = ()) -> Prediction:
    log_p = np.log(np.full((len(best), 9), 0.01))
    log_p[range(len(best)), best] = 0
    words = tuple("abcdefghi")
    return Prediction(words, log_p, np.zeros(len(best), dtype=int), (), ahead=1, in_sight=in_sight)


@each(
    ("best", "in_sight", "said"),
    [
        ((0, 0, 0), (), f"{SAME} 3 of 3 words."),
        ((0, 1, 0), (), f"{DIFFERS} 1 of 3 words: *w1* (2)."),
        ((1, 1, 1), (), f"{DIFFERS} 3 of 3 words: *w0* (1), *w1* (2) and *w2* (3)."),
        ((1,), (), f"{DIFFERS} 1 of 1 word: *w0* (1)."),
        ((0,), (), f"{SAME} 1 of 1 word."),
        (
            (1,) * 7,
            (),
            f"{DIFFERS} 7 of 7 words: *w0* (1), *w1* (2), *w2* (3), *w3* (4), *w4* (5) and 2 more.",
        ),
        ((1, 0, 1), (0,), f"{DIFFERS} 1 of 2 words that may not attend to the next word: *w2* (3)."),
        ((1, 0, 0), (0,), f"{SAME} 2 of 2 words that may not attend to the next word."),
        ((1, 1), (0, 1), ""),
    ],
)
def test_words_that_may_attend_to_the_next_one_are_not_compared(
    monkeypatch: pytest.MonkeyPatch, best: tuple[int, ...], in_sight: tuple[int, ...], said: str
) -> None:
    words = tuple(Typed(f"w{at}") for at in range(len(best)))
    switches = Architecture(ModelConfig.of_switches(n_heads=8), "trained", 0)
    monkeypatch.setattr(prediction, "predicted", lambda *_: likely(*[0] * len(best)))
    assert prediction.unlike_default(Scene(words, switches, 0, 0), likely(*best, in_sight=in_sight)) == said
