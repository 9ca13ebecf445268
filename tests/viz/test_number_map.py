"""Numbers over two axes: what is drawn where, in which colours, framed and bordered."""

from html import unescape

import numpy as np

from viz.number_map import colour_map, number_map
from viz.theme import LIGHT, Theme

VALUES = np.arange(-10, 11).reshape(3, 7) / 5


def drawn(theme: Theme = LIGHT, **options):  # type: ignore[no-untyped-def]
    return number_map(VALUES, x_title="dimension", y_title="position", theme=theme, height=300, **options)


def test_a_border_stands_before_its_column_and_is_named() -> None:
    figure = drawn(borders={"ends <b>": 5})
    (border,) = figure.layout.shapes
    assert (border.x0, border.x1) == (4.5, 4.5)
    (note,) = figure.layout.annotations
    assert unescape(note.text) == "ends <b>"
    assert (note.x, note.xanchor) == (4.5, "right")


def test_named_rows_stand_beside_their_numbers_and_a_hover_names_those_without_room() -> None:
    figure = drawn(rows=["<b>", "lo", "lo"])
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "lo", "lo"]

    words = [f"word{at}" for at in range(64)]
    crowded = number_map(np.ones((64, 5)), x_title="x", y_title="y", theme=LIGHT, height=300, rows=words)
    axis = crowded.layout.yaxis
    assert list(axis.ticktext) == [words[at] for at in axis.tickvals]
    assert 1 < len(axis.tickvals) < 16
    assert axis.labelalias == {str(at): words[at] for at in range(64) if at not in axis.tickvals}


def test_rows_that_are_bare_are_not_told_and_the_table_has_the_numbers_drawn() -> None:
    values = np.array([[0.5, -1.0], [np.nan, np.nan]])
    look = {"x_title": "unit", "y_title": "word", "theme": LIGHT, "height": 200}
    picture = colour_map(values, title="States", **look)
    assert picture.alt() == "States: 1 row of 2 numbers, from -1.00 to 0.50."
    assert picture.has_table
    np.testing.assert_array_equal(picture.table(), values)
