"""Masking: cells are flipped and kept in the link, every view shows what core computes."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from core.learning.collection import load_listed_member
from core.measures.masking import future
from core.measures.masking.mask_values import ALL_MASKED, METHODS, ROWS, mask_values
from core.measures.masking.painting import PRESETS, PaintedMask, read_painted, share_kept
from core.measures.reading import Reading
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from pages.contract.examples import TEA
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.masking import future as of_future
from pages.masking import gradient, paint, values
from pages.masking.mask import spell
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.pages.test_hostile_text import UNESCAPED

PAGE = "masking"
TEA_WORD, HIS, UNCLE = map(Typed, ("tea", "his", "uncle"))


def read(mask: PaintedMask) -> Reading:
    return read_painted(load("trained", ModelConfig(vocab_size=1), words_of(TEA), 0), mask)


def gaps(session: Asked, picture: str = "painted") -> np.ndarray:
    """Return which cells of the mask are gaps."""
    return np.isnan(session.matrix(picture))


def sums(session: Asked, picture: str = "painted") -> list[str]:
    notes = [note["text"] for note in session.figure(picture)["layout"]["annotations"]]
    return [re.sub("<[^>]*>", "", text) for text in notes if "→ <b>" in text]


def headline(session: Asked) -> str:
    return readable(str(session.sheet.headline))


def assert_shown(session: Asked, mask: PaintedMask, layer: int = 0, head: int = 0) -> None:
    """The gaps, weights and sums are those of a head under this mask."""
    reading = read(mask)
    stages = reading.head(layer, head)
    np.testing.assert_array_equal(gaps(session), ~reading.allowed())
    weights = np.where(reading.allowed(), reading.pattern(layer, head), np.nan)
    weights[~reading.allowed().any(axis=1)] = 0
    np.testing.assert_allclose(session.matrix("painted", panel=1), weights)
    shares, after = share_kept(stages.scores, stages.allowed), reading.allowed().any(axis=1)
    assert sums(session) == [f"{share:.2f} → {int(one)}" for share, one in zip(shares, after, strict=True)]
    np.testing.assert_allclose(session.table("painted")["sum before"], shares)
    np.testing.assert_allclose(session.table("painted")["sum after"], after, rtol=1e-6)


AMOUNTS = {"window": "radius", "prefix": "prefix", "padding": "padded"}


@each(
    "mask",
    [
        *(PaintedMask(preset=preset, amount=3 if preset in AMOUNTS else 0) for preset in PRESETS),
        PaintedMask(preset="window", amount=1, no_future=True),
        PaintedMask(preset="padding", amount=2, no_future=True),
    ],
)
def test_every_preset_agrees_with_its_name(mask: PaintedMask) -> None:
    amounts = {AMOUNTS[mask.preset]: mask.amount} if mask.preset in AMOUNTS else {}
    causal = {"causal": True} if mask.no_future else {}
    session = Asked(PAGE, preset=mask.preset, layer=2, head=3, **amounts, **causal)
    assert_shown(session, mask, layer=1, head=2)


def test_a_click_flips_a_cell_and_the_row_is_shared_out_again() -> None:
    session = Asked(PAGE)
    session.click("painted", x=3, y=1)
    assert session.link == {"cells": spell([(1, 3)])}
    assert_shown(session, PaintedMask(cells=frozenset({(1, 3)})))

    session.click("painted", x=3, y=1)
    assert session.link == {}
    session.click("painted", x=5, y=0)
    assert session.link == {}, "the pointer may be on the edge"
    session.click("painted", x=0, y=0)
    assert_shown(session, PaintedMask(cells=frozenset({(0, 0)})))
    assert "*Zuko* may attend to nothing" in session.prose
    assert "“.”" in readable(paint.nothing_to_see(["tea", "."], [1])), (
        "a full stop in italics would end the sentence"
    )
    told = paint.nothing_to_see("abcdefg", range(7))
    assert told.startswith("*a*, *b*, *c*, *d*, *e* and 2 more may")


def test_a_stroke_paints_every_cell_it_passes_like_the_first() -> None:
    session = Asked(PAGE)
    session.stroke("painted", (2, 0), (2, 1), (3, 4), (2, 1))
    assert session.link["cells"] == spell({(2, 0), (2, 1)}), "the fourth row's last cell is masked already"
    session.stroke("painted", (0, 3), (2, 1))
    assert session.link["cells"] == spell({(2, 0), (0, 3)}), "this stroke unmasks"


def test_cells_can_be_flipped_by_number_and_all_of_them_taken_back() -> None:
    asked = Asked(PAGE, preset="none", query=2, key=4)
    asked.press("Flip this cell")
    assert asked.link["cells"] == spell([(1, 3)])
    assert np.argwhere(gaps(asked)).tolist() == [[1, 3]]
    asked.press("Clear")
    assert "cells" not in asked.link
    assert not gaps(asked).any()
    session = Session(PAGE, preset="none", cells=spell([(1, 3)]))
    session.set(preset="prefix")
    assert "cells" not in session.link, "another preset is a clean sheet"


def test_a_link_carries_painted_cells_and_a_longer_sentence_keeps_them() -> None:
    session = Asked(PAGE, preset="window", radius=2, cells=spell([(0, 4), (2, 2)]))
    expected = PaintedMask(preset="window", amount=2, cells=frozenset({(0, 4), (2, 2)}))
    assert_shown(session, expected)
    session.set(text=f"{TEA} and more")
    np.testing.assert_array_equal(gaps(session), ~expected.allowed(7).numpy())


@each("cells", ["<b>![](http://x)", ["1", "2"]])
def test_impossible_cells_get_a_sentence_and_no_painting(cells: str | list[str]) -> None:
    session = Asked(PAGE, cells=cells)
    (warning,) = session.warnings
    assert "Showing the mask without painted cells" in warning
    assert not UNESCAPED.search(warning)
    np.testing.assert_array_equal(gaps(session), np.triu(np.ones((5, 5), dtype=bool), 1))


@each("view", ["paint", "mask values"])
def test_beyond_24_words_there_are_presets_only(view: str) -> None:
    session = Asked(PAGE, text="the cat " * 13, preset="window", cells="1", view=view)
    assert not session.has("cells")
    assert "Clear" not in session.buttons
    if view == "paint":
        assert "up to 24 words; this one has 26. Choose a preset." in session.prose
        allowed = PaintedMask(preset="window", amount=1).allowed(26).numpy()
        np.testing.assert_array_equal(gaps(session), ~allowed)
        session.set(beside="gradient")
        assert "up to 24 words" in session.infos[0]
        assert session.pictures == []


def verdicts_of(scores: list[float], seen: list[bool]) -> pd.Series:
    table = mask_values(np.array(scores, np.float32), np.array(seen)).table()
    return table.set_index(["row", "method", "format"])["verdict"]


SOME = [True, True, False]


@each(
    ("scores", "ends"),
    [([1.0, 1.0, 1.0], "they get 16 %, because exp(0) = 1."), ([200.0, 1.0, 1.0], "they get 0 %.")],
)
def test_a_score_of_0_has_its_reason_where_it_leaks(scores: list[float], ends: str) -> None:
    table = mask_values(np.array(scores, np.float32), np.array(SOME)).table()
    said = values.headline("head 1 of layer 1", "his", np.array(SOME), table)
    assert "gives masked keys 0 % of its attention" in said
    assert said.endswith(ends)


def test_a_row_with_scores_below_the_number_has_a_sentence_too() -> None:
    low = verdicts_of([-20_001, -20_002, -20_003], SOME)
    assert values.in_this_row(low).endswith("not with *score = −10⁴*.")
    told = values.with_scores_lowered(low, np.array(SOME))
    assert told.endswith("Every number that masked the original scores still masks the row.")
    assert values.with_scores_lowered(low, np.ones(3, bool)).endswith("of a softmax.")


def test_a_question_on_a_masked_row_or_word_is_asked_only_if_it_has_one_answer() -> None:
    pair = gradient.HiddenPair(HIS, TEA_WORD, 3, is_zero=False)
    assert gradient.hidden_word_question(pair) is None, "the word that passes it on is unknown"
    around = gradient.hidden_word_question(replace(pair, passer=UNCLE))
    assert around is not None
    assert solution(around) == "not 0, by way of other words"
    assert around.because == "*uncle* may attend to *tea* in one layer, and *his* to *uncle* in the next."
    found = mask_values(np.array([1, 2, 3], np.float32), np.array(SOME))
    asked = values.row_replaced(found)
    assert asked is not None
    assert solution(asked) == "all keys the same weight"
    at = list(METHODS).index("score = −10⁴")
    found.weights[ROWS.index(ALL_MASKED), at, 0] = [0.5, 0.25, 0.25]
    assert values.row_replaced(found) is None


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models that have hardly learned anything, in no time."""
    monkeypatch.setattr(future, "learn", partial(future.learn, steps=3))
    monkeypatch.setattr(future, "stored_measurement", lambda name, what: None)
    monkeypatch.setattr(future, "N_TESTED", 8)


@pytest.mark.usefixtures("briefly")
def test_the_future_shows_the_losses_of_both_models_and_every_setting_on_the_sentence() -> None:
    session = Asked(PAGE, view="the future")

    learned = future.learn()
    losses = future.sentence_losses(
        TEA.split(), future.settings(load_listed_member("causal-sinusoidal-4-pre"), learned)
    )
    bars = session.figure("next_words")["data"]
    shown = np.array([numbers(bar["y"]) for bar in bars])
    drawn = np.exp(-losses[[0, 2, 3]])
    np.testing.assert_allclose(shown / shown[0, 2] * drawn[0, 2], drawn, rtol=1e-4)
    np.testing.assert_allclose(session.table("next_words").to_numpy().T, losses, rtol=1e-5)
    mean = np.nanmean(losses, axis=1)[future.SETTINGS.index(future.CHEAT)]
    assert f"Here the mean loss is {mean:.2f} nats without the mask" in session.prose
    assert session.table("learning").shape == (1, 2)
    for text, said in (("tea", "no next word"), ("zuko zzyzx zzyzx", "know none")):
        session.set(text=text)
        assert said in session.infos[0]
        assert session.pictures == ["learning"]


@each(
    ("cheat", "masked", "said"),
    [
        (0.2, 7.0, "its mean loss is 0.20 nats, but 7.00 once a mask hides that word."),
        (0.2, 1.3, "The fully trained model has 1.40."),
        (1.3, 7.0, "The fully trained model has 1.40."),
    ],
)
def test_a_model_without_a_mask_copies_or_does_not(cheat: float, masked: float, said: str) -> None:
    losses = dict(zip(future.SETTINGS, (1.4, 3.0, cheat, masked), strict=True))
    assert of_future.headline(losses).endswith(said)
    asked = of_future.learned_without_mask(1.4, cheat, masked)
    copies = "that word" in said
    assert (asked is not None) == copies
    if asked is not None:
        assert solution(asked) == "to copy the next word"
