"""Masking: cells are flipped and kept in the link, every view shows what core computes."""

import re
from functools import partial

import numpy as np
import pytest
import streamlit as st

from core.learning.collection import take
from core.measures.masking import future
from core.measures.masking.dependence import dependence
from core.measures.masking.mask_values import ROWS, mask_values
from core.measures.masking.painting import PRESETS, PaintedMask, read_painted, share_kept, spell
from core.measures.reading import Reading
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from pages.controls.examples import TEA
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.pages.test_hostile_text import UNESCAPED
from tests.shelf import LOSS
from viz.units import per_cent

PAGE = "masking"
AMOUNTS = {"window": {"radius": 3}, "prefix": {"prefix": 3}, "padding": {"padded": 3}}


def read(
    mask: PaintedMask, text: str = TEA, *, source: str = "trained", seed: int = 0, **fields: object
) -> Reading:
    config = ModelConfig(vocab_size=1, **fields)  # type: ignore[arg-type]
    return read_painted(load(source, config, words_of(text), seed), mask)


def gaps(session: Asked) -> np.ndarray:
    """Which cells of the mask are gaps."""
    return np.isnan(session.matrix("painted"))


def sums(session: Asked, picture: str = "painted") -> list[str]:
    notes = [note["text"] for note in session.figure(picture)["layout"]["annotations"]]
    return [re.sub("<[^>]*>", "", text) for text in notes if "→ <b>" in text]


def test_the_page_opens_with_figure_3_of_the_note() -> None:
    session = Asked(PAGE)

    assert session.value("text") == TEA
    np.testing.assert_array_equal(gaps(session), np.triu(np.ones((5, 5), dtype=bool), 1))
    reading = read(PaintedMask())
    shown = np.where(reading.allowed(), reading.pattern(0, 0), np.nan)
    np.testing.assert_allclose(session.matrix("painted", panel=1), shown)
    stages = reading.head(0, 0)
    assert sums(session) == [f"{share:.2f} → 1" for share in share_kept(stages.scores, stages.allowed)]
    assert session.link == {}
    assert session.warnings == session.infos == []


@each("preset", PRESETS)
def test_every_preset_masks_what_it_says(preset: str) -> None:
    amounts = AMOUNTS.get(preset, {})
    session = Asked(PAGE, preset=preset, layer=2, head=3, **amounts)

    mask = PaintedMask(preset=preset, amount=next(iter(amounts.values()), 0))
    reading = read(mask)
    np.testing.assert_array_equal(gaps(session), ~reading.allowed())
    weights = np.where(reading.allowed(), reading.pattern(1, 2), np.nan)
    np.testing.assert_allclose(session.matrix("painted", panel=1), weights)


@pytest.mark.parametrize("preset", ["window", "padding"])
def test_a_preset_that_shows_the_future_can_be_made_causal(preset: str) -> None:
    session = Asked(PAGE, preset=preset, causal=True)
    amount = {"window": 1, "padding": 2}[preset]
    expected = PaintedMask(preset=preset, amount=amount, no_future=True).allowed(5).numpy()
    np.testing.assert_array_equal(gaps(session), ~expected)


def test_a_click_flips_a_cell_and_the_row_is_shared_out_again() -> None:
    session = Asked(PAGE)

    session.click("painted", x=3, y=1)

    assert session.link == {"cells": spell([(1, 3)])}
    reading = read(PaintedMask().flip((1, 3)))
    np.testing.assert_array_equal(gaps(session), ~reading.allowed())
    assert session.matrix("painted", panel=1)[1].sum() != 1, "nothing is looked at where a gap is"
    assert np.nansum(session.matrix("painted", panel=1)[1]) == pytest.approx(1)
    np.testing.assert_allclose(
        session.matrix("painted", panel=1), np.where(reading.allowed(), reading.pattern(0, 0), np.nan)
    )

    session.click("painted", x=3, y=1)
    assert session.link == {}


def test_a_word_that_may_look_nowhere_has_a_row_of_zeros_and_is_named() -> None:
    session = Asked(PAGE)

    session.click("painted", x=0, y=0)

    np.testing.assert_array_equal(session.matrix("painted", panel=1)[0], np.zeros(5))
    assert sums(session)[0] == "0.00 → 0"
    assert "*Zuko* may attend to nothing: the row is 0 everywhere, and never NaN." in session.prose


def test_cells_can_be_flipped_by_number_and_all_of_them_taken_back() -> None:
    session = Session(PAGE, preset="none", query=2, key=4)

    session.press("Flip this cell")
    assert session.link["cells"] == spell([(1, 3)])
    assert gaps(session)[1, 3]
    assert gaps(session).sum() == 1

    session.press("Unpaint")
    assert "cells" not in session.link
    assert not gaps(session).any()
    assert "*made* may attend to *uncle*, and gives it" in session.prose
    session.set(query=None, key=None)
    assert "Nothing is masked" in session.prose


@each(
    ("query", "key", "said"),
    [
        (4, None, "*uncle* may attend to 4 of 5 words. Without the mask"),
        (5, None, "*tea* may attend to every word: nothing is masked in its row."),
        (2, 4, "*made* may not attend to *uncle*: that weight is masked, and 0."),
        (None, 4, "2 of 5 words may attend to *uncle*."),
    ],
)
def test_the_headline_is_about_the_chosen_row_or_cell(query: int | None, key: int | None, said: str) -> None:
    chosen = {name: at for name, at in (("query", query), ("key", key)) if at is not None}
    headline = readable(str(Asked(PAGE, view="paint", layer=2, head=3, **chosen).sheet.answer))
    assert headline.startswith(f"Layer 2, head 3: {said}")


def test_the_weight_in_the_headline_is_that_of_the_chosen_cell() -> None:
    asked = Asked(PAGE, view="paint", query=4, key=2, head=2)
    weight = asked.sheet.answer.split("gives it ")[1].split(" of")[0]
    found = asked.scene.reading.pattern(0, 1)[3, 1]
    assert weight == per_cent(float(found))


def test_another_preset_is_a_clean_sheet() -> None:
    session = Session(PAGE, cells=spell([(0, 0), (4, 1)]))
    assert gaps(session)[4, 1]

    session.set(preset="none")

    assert "cells" not in session.link
    assert not gaps(session).any()


def test_a_link_carries_painted_cells_and_a_longer_sentence_keeps_them() -> None:
    session = Asked(PAGE, preset="window", radius=2, cells=spell([(0, 4), (2, 2)]))
    expected = PaintedMask(preset="window", amount=2, cells=frozenset({(0, 4), (2, 2)}))
    np.testing.assert_array_equal(gaps(session), ~expected.allowed(5).numpy())

    session.set(text=f"{TEA} and more")
    np.testing.assert_array_equal(gaps(session), ~expected.allowed(7).numpy())


@pytest.mark.parametrize("cells", ["<b>![](http://x)", "1" * 145, ["1", "2"]])
def test_impossible_cells_get_a_sentence_and_no_painting(cells: str | list[str]) -> None:
    session = Session(PAGE, cells=cells)

    assert len(session.warnings) == 1
    assert "Showing the mask without painted cells" in session.warnings[0]
    assert not UNESCAPED.search(session.warnings[0])
    assert "cells" not in session.link
    np.testing.assert_array_equal(gaps(session), np.triu(np.ones((5, 5), dtype=bool), 1))


def test_beyond_24_words_there_are_presets_only() -> None:
    session = Asked(PAGE, text="the cat " * 13, preset="window", cells="1")

    assert (
        "Cells can be painted in sentences of up to 24 words; this one has 26. Choose a preset."
        in session.prose
    )
    assert not session.has("painted_clicks")
    np.testing.assert_array_equal(gaps(session), ~PaintedMask(preset="window", amount=1).allowed(26).numpy())
    session.set(view="gradient")
    assert "up to 24 words" in session.infos[0]


def test_the_table_has_the_sums_before_and_after() -> None:
    session = Asked(PAGE, cells="1", head=2)

    table, stages = session.table("painted"), read(PaintedMask().flip((0, 0))).head(0, 1)
    np.testing.assert_allclose(table["sum before"], share_kept(stages.scores, stages.allowed))
    np.testing.assert_allclose(table["sum after"], [0, 1, 1, 1, 1], rtol=1e-6)
    assert list(table.columns[:5]) == TEA.split()


def test_eq_21_is_cited_and_its_slip_noted() -> None:
    session = Asked(PAGE)
    assert "CS 224N note, eq 21" in session.prose
    stages = read(PaintedMask()).head(0, 0)
    least = share_kept(stages.scores, stages.allowed).argmin()
    assert f"*{TEA.split()[least]}* may attend to {least + 1} of 5 words" in session.prose


def test_mask_values_are_those_of_the_chosen_row_under_the_painted_mask() -> None:
    parameters = {"view": "mask values", "preset": "window", "radius": 1, "query": 2, "head": 4}
    session = Asked(PAGE, **parameters)

    stages = read(PaintedMask(preset="window", amount=1)).head(0, 3)
    expected = mask_values(stages.scores[1], stages.allowed[1])
    for key, row in zip(("values", "values_masked"), ROWS, strict=True):
        at, lines = ROWS.index(row), expected.table().query("row == @row")
        strips = session.matrix(key)[::2]
        shown = np.stack([strips[:, 6 * ask : 6 * ask + 5] for ask in range(3)], axis=1)
        np.testing.assert_array_equal(shown, expected.weights[at])
        verdicts = Asked(PAGE, **parameters, **{f"{key}_table": True}).table(key)
        np.testing.assert_array_equal(verdicts["on masked keys"], lines["on masked keys"])
        assert list(verdicts["verdict"]) == list(lines["verdict"])
    assert "row of “made”, 3 of 5 keys allowed" in session.alt("values")
    assert "every key masked" in session.alt("values_masked")


@pytest.mark.parametrize("view", ["paint", "mask values", "gradient"])
def test_a_mask_that_the_model_was_not_trained_with_is_an_ablation(view: str) -> None:
    session = Asked(PAGE, view=view)
    assert "ablation" not in session.prose

    said = ":orange-badge[ablation] {}another mask. The model was trained with the causal mask and everything"
    for mask in ({"preset": "none"}, {"preset": "window"}, {"preset": "causal", "cells": spell([(0, 1)])}):
        assert said.format("") in Asked(PAGE, view=view, **mask).prose
    assert said.format("no second layer, ") in Asked(PAGE, view=view, preset="none", layers=1).prose
    assert "ablation" not in Asked(PAGE, view=view, preset="none", model="random").prose


def test_what_the_constants_do_is_told_with_the_slip_of_the_note() -> None:
    prose = Asked(PAGE, view="mask values").prose
    assert "each of the large constants gives masked keys the weight 0" in prose
    assert "So does −10⁵ in float16, where it becomes −∞" in prose
    assert "numbers there are 0.008 apart" in prose
    assert "Around −10⁹ numbers are 64 apart: every score of this row is rounded away" in prose


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"preset": "none"}, "Nothing is masked for *Zuko*"),
        ({"preset": "padding", "padded": 5}, "*Zuko* may attend to nothing: both rows are the same"),
        ({"text": "tea"}, "Nothing is masked for *tea*"),
    ],
)
def test_a_row_with_nothing_to_mask_or_to_see_is_said_to_be_one(
    parameters: dict[str, object], said: str
) -> None:
    assert said in Asked(PAGE, view="mask values", **parameters).prose


@pytest.mark.parametrize("layers", [1, 2])
def test_no_gradient_reaches_the_future_under_the_causal_mask(layers: int) -> None:
    session = Session(PAGE, view="gradient", layers=layers)

    norms = dependence(
        load("trained", ModelConfig(vocab_size=1, n_layers=layers), tuple(TEA.split()), 0), PaintedMask()
    ).norms
    shown = session.matrix("gradient", panel=1)
    np.testing.assert_array_equal(np.isnan(shown), np.triu(np.ones((5, 5), dtype=bool), 1))
    np.testing.assert_allclose(np.nan_to_num(shown), norms / norms.sum(axis=1, keepdims=True), rtol=1e-5)
    assert f"through {layers} layer" in session.prose
    assert "10 are exactly 0, not merely small.**\nAbove the diagonal" in session.prose
    assert "all of them are" in session.prose
    assert not session.has("layer")


@pytest.mark.parametrize(
    ("preset", "layers"), [("causal", 2), ("window", 1), ("window", 2), ("prefix", 2), ("padding", 1)]
)
def test_the_formula_of_the_gradient_holds_on_the_screen(preset: str, layers: int) -> None:
    session = Asked(PAGE, view="gradient", preset=preset, layers=layers)
    unreached = np.isnan(session.matrix("gradient", panel=1))
    allowed = ~np.isnan(session.matrix("gradient", panel=0))
    (formula,) = (one for one in session.latex)

    if preset == "causal":
        assert "j > i" in formula
        assert unreached[np.triu_indices(5, 1)].all()
    else:
        assert "(A + I)^L" in formula
        ways = np.linalg.matrix_power((allowed | np.eye(5, dtype=bool)).astype(int), layers)
        np.testing.assert_array_equal(unreached, ways == 0)


def test_no_gradient_or_one_is_said_to_be_zero_in_words_that_fit_the_number() -> None:
    session = Asked(PAGE, view="gradient", text="hot tea", preset="none")
    assert " 0 are exactly 0" in session.prose
    session.set(preset="causal")
    assert " 1 is exactly 0" in session.prose


@pytest.mark.parametrize(("preset", "may_look"), [("causal", r"j \leq i"), ("padding", "may attend to")])
def test_equation_21_is_that_of_the_mask_on_the_screen(preset: str, may_look: str) -> None:
    session = Asked(PAGE, preset=preset)
    drawn, eq_21 = (formula for formula in session.latex)
    assert may_look in drawn
    assert may_look in eq_21
    assert r"\mathrm{softmax}(s_i + M_i)" in drawn
    assert r"-\infty" in drawn
    assert r"0 & \text{otherwise}" in eq_21
    assert "What is drawn: scores of −∞, then the softmax" in session.prose
    assert ("eq 21, for any mask" in session.prose) == (preset != "causal")


def test_a_window_is_crossed_in_two_layers_and_a_click_flips_its_cells() -> None:
    session = Asked(PAGE, view="gradient", preset="window")
    assert "In 6 cells an output depends on a word that it may not attend to" in session.prose

    session.click("gradient", x=4, y=0)
    assert session.link["cells"] == spell([(0, 4)])
    assert not np.isnan(session.matrix("gradient", panel=1)[0, 4])


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models that have hardly learned anything, in no time."""
    monkeypatch.setattr(future, "learn", partial(future.learn, steps=3))
    monkeypatch.setattr(future, "finding", lambda name, what: None)
    monkeypatch.setattr(future, "N_TESTED", 8)


@pytest.mark.usefixtures("briefly")
def test_the_future_shows_the_losses_of_both_models_and_every_setting_on_the_sentence() -> None:
    session = Asked(PAGE, view="the future")

    learned = future.learn()
    losses = future.sentence_losses(TEA.split(), future.settings(take("causal-sinusoidal-4-pre"), learned))
    bars = session.figure("next_words")["data"]
    shown = np.array([numbers(bar["y"]) for bar in bars])
    np.testing.assert_allclose(shown / shown[0, 2] * np.exp(-losses[0, 2]), np.exp(-losses), rtol=1e-4)
    np.testing.assert_allclose(session.table("next_words").to_numpy().T, losses, rtol=1e-5)
    assert session.table("learning").shape == (1, 2)
    assert f"fully trained **{np.nanmean(losses[0]):.2f} nats**" in session.prose
    assert all(f"**{name}**" in session.prose for name in (future.HONEST, future.CHEAT))
    assert not session.has("preset")


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize(
    ("trained", "opened", "cheat", "said"),
    [
        (1.5, 3.25, 2.0, ("2.00 nats on 128", "above the 1.50 nats", "rises to 3.25 nats", "of 7.00 nats")),
        (3.25, 1.5, 2.0, ("2.00 nats on 128", "below the 3.25 nats", "falls to 1.50 nats", "of 7.00 nats")),
    ],
)
def test_what_the_mask_is_worth_is_told_whichever_way_the_losses_go(
    trained: float, opened: float, cheat: float, said: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = dict(zip(future.SETTINGS, (trained, opened, cheat, 7.0), strict=True))
    monkeypatch.setattr(future, "tested", lambda model, name, learned: losses)
    st.cache_resource.clear()
    prose = Asked(PAGE, view="the future", text="tea").prose
    st.cache_resource.clear()
    assert [part for part in said if part not in prose] == []


@pytest.mark.usefixtures("briefly", "noise_shelf")
def test_the_loss_that_other_views_name_for_the_same_model_is_explained() -> None:
    prose = Asked(PAGE, view="the future", text="tea").prose
    assert f"a loss of {LOSS:.2f} nats for the fully trained model" in prose
    assert "over 1,024 unseen sentences" in prose
    assert "one word in 50 is read as" in prose
    assert f"loss {LOSS:.2f} nats per word" in Asked(PAGE, text="tea").prose


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize(("text", "said"), [("tea", "no next word"), ("zuko zzyzx zzyzx", "know none")])
def test_where_no_next_word_is_known_there_are_no_bars(text: str, said: str) -> None:
    session = Asked(PAGE, view="the future", text=text)
    assert said in session.infos[0]
    assert session.pictures == ["learning"]


@pytest.mark.parametrize(
    ("view", "picture"), [("paint", "painted"), ("mask values", "values"), ("gradient", "gradient")]
)
def test_every_view_is_about_the_model_of_the_switches(view: str, picture: str) -> None:
    usual = Asked(PAGE, view=view).figure(picture)
    for switches in ({"positions": "alibi", "heads": 2}, {"model": "random", "layers": 3, "seed": 7}):
        session = Asked(PAGE, view=view, **switches)
        assert session.figure(picture) != usual
        assert session.warnings == []


def test_a_stroke_paints_every_cell_it_passes_like_the_first() -> None:
    session = Session(PAGE)
    session.stroke("painted", (2, 0), (2, 1), (3, 4), (2, 1))
    assert session.link["cells"] == spell({(2, 0), (2, 1)}), "the fourth row's last cell is masked already"
    session.stroke("painted", (0, 3), (2, 1))
    assert session.link["cells"] == spell({(2, 0), (0, 3)}), "this stroke unmasks"
