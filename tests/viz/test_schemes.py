"""Small matrices side by side: one set of colours, the stop where a scheme enters, telling digits."""

import re
from collections.abc import Sequence
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.parts.canvas import LEGEND
from viz.schemes import Panel, side_by_side
from viz.theme import DARK, LIGHT, Theme

WORDS = ("the", "<b>oven</b>", "cooked")
STOPS = ("x", "q k", "scores")
WEIGHTS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.375, 0.125]])
CAUSAL = np.tril(np.ones((3, 3), dtype=bool))
PANELS = [
    Panel(title="none", matrix=WEIGHTS, stops=STOPS),
    Panel(title="rotary", matrix=WEIGHTS[::-1], below=("turns pairs",), stops=STOPS, lit=1),
]
BIAS = -np.abs(np.arange(3)[:, None] - np.arange(3))
BOTH = [Panel(title="note", matrix=BIAS), Panel(title="head 1", matrix=BIAS / 4)]


def drawn(panels: Sequence[Panel], words: Sequence[str], **look: Any) -> go.Figure:
    return side_by_side(panels, words, title="Weights", **look).figure


def plain(text: str) -> str:
    return unescape(re.sub("<[^>]*>", "", text))


def notes(figure: go.Figure) -> list[str]:
    return [plain(note.text) for note in figure.layout.annotations]


def boxes(figure: go.Figure) -> list[Any]:
    return [shape for shape in figure.layout.shapes if shape.xref == "paper"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_each_panel_has_its_matrix_with_gaps_where_words_are_masked(theme: Theme) -> None:
    figure = drawn(PANELS[:1], WORDS, theme=theme, allowed=CAUSAL)
    np.testing.assert_array_equal(figure.data[0].z, np.where(CAUSAL, WEIGHTS, np.nan).astype(np.float32))
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    assert figure.layout.paper_bgcolor == theme.paper


def test_the_title_over_a_single_word_is_whole() -> None:
    panels = [Panel(title="sinusoidal", matrix=[[1]], stops=STOPS)] * 5
    assert notes(drawn(panels, ["oven"], theme=LIGHT)).count("sinusoidal") == 5


def test_a_click_says_which_panel_was_hit() -> None:
    figure = drawn(PANELS, WORDS, theme=LIGHT)
    assert [set(np.ravel(trace.customdata)) for trace in figure.data] == [{0}, {1}]
    np.testing.assert_allclose(figure.data[1].z, WEIGHTS[::-1])


def test_titles_stand_above_and_lines_below() -> None:
    written = notes(drawn(PANELS, WORDS, theme=LIGHT))
    assert {"none", "rotary", "turns pairs"} <= set(written)
    assert [text for text in written if text in STOPS] == [*STOPS, *STOPS]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_only_the_stop_at_which_a_scheme_enters_is_lit(theme: Theme) -> None:
    fills = [box.fillcolor for box in boxes(drawn(PANELS, WORDS, theme=theme))]
    assert fills == [theme.paper] * 3 + [theme.paper, theme.primary, theme.paper]


def test_the_text_of_a_stop_stands_in_the_middle_of_its_box() -> None:
    figure = drawn(PANELS, WORDS, theme=LIGHT)
    texts = [note for note in figure.layout.annotations if plain(note.text) in STOPS]
    for box, note in zip(boxes(figure), texts, strict=True):
        assert (note.x, note.y) == pytest.approx(((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2))
        assert (note.xanchor, note.yanchor) == ("center", "middle")


@pytest.mark.parametrize("n", [1, 6, 13, 40])
def test_six_panels_stand_in_one_row_so_that_none_is_below_the_fold(n: int) -> None:
    panels = [Panel(title=str(at), matrix=np.eye(n), stops=STOPS) for at in range(6)]
    figure = drawn(panels, ["word"] * n, theme=LIGHT, size=980)
    assert len({box.y0 for box in boxes(figure)}) == 1
    assert figure.layout.width <= 980


@pytest.mark.parametrize("n", [1, 2, 3, 6, 13, 40])
def test_the_stops_of_a_panel_do_not_reach_into_the_next(n: int) -> None:
    panels = [Panel(title=str(at), matrix=np.eye(n), stops=STOPS) for at in range(6)]
    stops = boxes(drawn(panels, ["bread"] * n, theme=LIGHT))
    for last, first in zip(stops[2:-1:3], stops[3::3], strict=True):
        assert last.x1 < first.x0 or last.y0 > first.y1
    assert stops[-1].x1 <= 1


def test_five_short_matrices_stand_in_one_row() -> None:
    words = ("a", "b", "c", "d", "e", "f")
    figure = drawn([Panel(title=str(at), matrix=np.eye(6)) for at in range(5)], words, theme=LIGHT)
    assert len({figure.layout[f"yaxis{at}"].domain for at in ("", 2, 3, 4, 5)}) == 1
    assert figure.layout.width <= 980


def test_signed_panels_have_colours_and_decimals_of_their_own() -> None:
    note, head = drawn(BOTH, WORDS, theme=LIGHT, signed=True).data
    assert (note.zmin, note.zmax) == (-2, 2)
    assert (head.zmin, head.zmax) == (-0.5, 0.5)
    assert plain(note.text[0][2]) == "−2"
    assert plain(head.text[0][1]) == "−0.25"


@pytest.mark.parametrize("n", [6, 21])
def test_the_ends_of_two_colour_bars_do_not_touch(n: int) -> None:
    panels = [
        Panel(title="one", matrix=np.full((n, n), -20.5)),
        Panel(title="two", matrix=np.full((n, n), -0.078)),
    ]
    figure = drawn(panels, ["word"] * n, theme=LIGHT, signed=True, size=540)
    assert figure.layout.width <= 540
    if n > 6:
        one, two = (trace.colorbar for trace in figure.data)
        between = (two.x - one.x) * figure.layout.width - one.len
        assert between >= 0.6 * LEGEND * max(len(text) for text in (*one.ticktext, *two.ticktext))


def test_the_alternative_text_has_each_panel_where_it_enters_and_what_is_below() -> None:
    assert side_by_side(PANELS, WORDS, title="Weights", theme=LIGHT).alt == (
        "Weights; the largest number of each. none: the → the 1.00; "
        "rotary: cooked → the 1.00, enters at q k, turns pairs."
    )
    assert side_by_side(BOTH, WORDS, title="Bias", theme=LIGHT, signed=True).alt == (
        "Bias; the smallest number of each. note: the → cooked −2; head 1: the → cooked −0.50."
    )


def test_the_table_has_a_column_for_each_panel_or_is_that_of_the_one_listed() -> None:
    look: dict[str, Any] = {"title": "Weights", "theme": LIGHT, "allowed": CAUSAL}
    pairs, alone = (side_by_side(PANELS, WORDS, **look, listed=listed).table for listed in (None, 1))
    data = side_by_side(PANELS, WORDS, **look, listed=1).data
    assert pairs is not None
    assert alone is not None
    assert data is not None
    assert data().equals(pairs()), "a file has what is drawn, whichever panel is listed"
    assert list(pairs().columns) == ["query", "key", "none", "rotary"]
    np.testing.assert_allclose(pairs()["rotary"], np.where(CAUSAL, WEIGHTS[::-1], np.nan).ravel())
    np.testing.assert_allclose(alone(), np.where(CAUSAL, WEIGHTS[::-1], np.nan))
