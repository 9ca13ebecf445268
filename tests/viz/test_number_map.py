"""Numbers over two axes: what is drawn where, in which colours, framed and bordered."""

from html import unescape

import numpy as np
import pytest

from viz.number_map import colour_map, number_map
from viz.theme import DARK, LIGHT, Theme

VALUES = np.arange(-10, 11).reshape(3, 7) / 5


def drawn(theme: Theme = LIGHT, **options):  # type: ignore[no-untyped-def]
    return number_map(VALUES, x_title="dimension", y_title="position", theme=theme, height=300, **options)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_number_is_a_cell_and_zero_has_the_colour_of_the_paper(theme: Theme) -> None:
    figure = drawn(theme)
    (cells,) = figure.data
    np.testing.assert_allclose(cells.z, VALUES, atol=1e-6)
    assert (cells.zmin, cells.zmax) == (-2, 2)
    assert cells.colorscale[2] == (0.5, theme.paper)
    assert figure.layout.paper_bgcolor == theme.paper


def test_rows_run_from_top_to_bottom_and_columns_from_left_to_right() -> None:
    layout = drawn().layout
    assert layout.yaxis.range == (2.5, -0.5)
    assert layout.xaxis.range == (-0.5, 6.5)
    assert list(layout.xaxis.tickvals) == list(range(7))
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("dimension", "position")


def test_long_axes_have_few_ticks() -> None:
    figure = number_map(np.zeros((256, 48)), x_title="x", y_title="y", theme=LIGHT, height=300)
    assert list(figure.layout.yaxis.tickvals) == list(range(0, 256, 32))
    assert list(figure.layout.xaxis.tickvals) == [0, 8, 16, 24, 32, 40]


def test_a_frame_surrounds_the_columns_and_a_border_stands_before_one() -> None:
    figure = drawn(framed=(2, 3), borders={"ends <b>": 5})
    frame, border = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (1.5, 3.5, -0.5, 2.5)
    assert (border.x0, border.x1) == (4.5, 4.5)
    (note,) = figure.layout.annotations
    assert unescape(note.text) == "ends <b>"
    assert (note.x, note.xanchor) == (4.5, "right")


@pytest.mark.parametrize("at", [0, 7, 58])
def test_a_border_that_is_not_in_sight_is_left_out(at: float) -> None:
    assert not drawn(borders={"ends": at}).layout.shapes


def test_a_hover_names_row_column_and_number() -> None:
    assert (
        drawn(word="cosine")
        .data[0]
        .hovertemplate.startswith("position %{y}, dimension %{x}: cosine %{z:.3f}")
    )


def test_a_picture_has_the_map_how_many_numbers_from_where_to_where_and_their_table() -> None:
    axes = {"x_title": "dimension", "y_title": "position"}
    picture = colour_map(VALUES, title="Waves", theme=LIGHT, height=300, **axes)
    assert picture.alt == "Waves: 3 rows of 7 numbers, from -2.00 to 2.00."
    assert picture.figure.to_dict() == drawn().to_dict()
    assert picture.table is not None
    table = picture.table()
    np.testing.assert_array_equal(table, VALUES)
    assert (table.index.name, table.columns[6]) == ("position", "dimension 6")


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


def test_maps_with_one_limit_have_the_same_colours() -> None:
    (cells,) = drawn(limit=5).data
    assert (cells.zmin, cells.zmax) == (-5, 5)


def test_shares_have_the_colours_of_weights_from_0_to_1() -> None:
    figure = number_map([[0.2, 0.7]], x_title="unit", y_title="word", theme=LIGHT, height=200, of_shares=True)
    cells = figure.data[0]
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert tuple(cells.colorbar.ticktext) == ("0", "1")
    assert cells.colorscale[0][1] == LIGHT.sequential[0][1]


def test_rows_that_are_bare_are_not_told_and_the_table_has_the_numbers_drawn() -> None:
    values = np.array([[0.5, -1.0], [np.nan, np.nan]])
    look = {"x_title": "unit", "y_title": "word", "theme": LIGHT, "height": 200}
    picture = colour_map(values, title="States", **look)
    assert picture.alt == "States: 1 row of 2 numbers, from -1.00 to 0.50."
    assert picture.table is not None
    np.testing.assert_array_equal(picture.table(), values)
