"""Numbers over two axes: their places, colours, frames and borders."""

from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.number_map import NumberMap
from viz.room import PAGE, Room
from viz.theme import GREY, LIGHT, Theme

VALUES = np.arange(-10, 11).reshape(3, 7) / 5

HALF = Room(width=450, height=420, fills=True, medium="print")


def pictured(values: object = VALUES, **fields: object) -> NumberMap:
    named = {"title": "States", "of": "state", "x_title": "dimension", "y_title": "position"}
    return NumberMap(values=values, **(named | fields))  # type: ignore[arg-type]


def drawn(values: object = VALUES, room: Room = PAGE, **fields: object) -> go.Figure:
    return pictured(values, **fields).figure(room)


def test_a_border_stands_before_its_column_and_is_named() -> None:
    figure = drawn(borders={"ends <b>": 5})
    (border,) = figure.layout.shapes
    assert (border.x0, border.x1) == (4.5, 4.5)
    (note,) = [note for note in figure.layout.annotations if "ends" in note.text]
    assert unescape(note.text) == "ends <b>"
    left, right = figure.layout.xaxis.domain
    assert note.x == pytest.approx(left + (right - left) * 5 / 7)
    assert note.xanchor == "right"


@each(("n", "most"), [(1, 1), (2, 2), (10, 10), (13, 13), (25, 12), (64, 12), (512, 13)])
def test_numbers_reach_both_ends_and_do_not_touch(n: int, most: int) -> None:
    layout = drawn(np.ones((n, n))).layout
    for axis in (layout.xaxis, layout.yaxis):
        assert (axis.tickvals[0], axis.tickvals[-1]) == (0, n - 1)
        assert len(axis.tickvals) <= most
    width = (layout.xaxis.domain[1] - layout.xaxis.domain[0]) * layout.width
    assert np.diff(layout.xaxis.tickvals).min(initial=n) * width / n >= len(str(n)) * 8


def test_a_hover_names_the_rows_that_have_no_room_for_their_names() -> None:
    assert list(drawn(rows=["<b>", "lo", "lo"]).layout.yaxis.ticktext) == ["&lt;b&gt;", "lo", "lo"]
    words = [f"word{at}" for at in range(64)]
    axis = drawn(np.ones((64, 5)), HALF, rows=words).layout.yaxis
    assert list(axis.ticktext) == [words[at] for at in axis.tickvals]
    assert 16 < len(axis.tickvals) < 64
    assert axis.labelalias == {str(at): words[at] for at in range(64) if at not in axis.tickvals}


def test_the_text_leaves_out_bare_rows_which_have_a_reason() -> None:
    values = np.array([[0.5, -1.0], [np.nan, np.nan]])
    picture = pictured(values, bare="not read yet")
    assert picture.alt() == "States: 1 row of 2 numbers, from −1.00 to 0.50."
    np.testing.assert_array_equal(picture.table(), values)
    (note,) = [note for note in picture.figure().layout.annotations if note.text == "not read yet"]
    low, high = picture.figure().layout.yaxis.domain
    assert np.isclose(note.y, low + (high - low) / 4)
    assert "not read yet" not in str(drawn(bare="not read yet").layout.annotations)


@each("theme", [LIGHT, GREY])
def test_in_grey_alone_numbers_below_zero_are_hatched_and_the_bar_says_so(theme: Theme) -> None:
    figure = drawn([[-1.0, 1.0, -1.0], [1.0, -1.0, 0.0]], Room(theme=theme, medium="print"))
    told = figure.layout.annotations[-1].text
    assert told == ("state" if theme.has_hues else "state, hatched below zero")
    assert len(figure.data) == (1 if theme.has_hues else 2)
    for hatches in figure.data[1:]:
        ends = np.stack([hatches.y, hatches.x]).astype(float)
        middles = ends[:, ~np.isnan(ends[0])].reshape(2, -1, 2).mean(axis=2)
        assert {*map(tuple, np.rint(middles.T).tolist())} == {(0, 0), (0, 2), (1, 1)}
    assert len(drawn([[0.1, 0.9]], Room(theme=theme), of_shares=True).data) == 1


def test_a_cell_without_a_number_has_no_hover() -> None:
    assert drawn(bare="not read yet").data[0].hoverongaps is False
