"""Everything of a matrix figure lies inside it, in square cells, with as many words as can be read."""

from dataclasses import replace
from functools import cache
from math import cos, inf, radians, sin

import numpy as np
import plotly.graph_objects as go

from tests.covering import each
from viz.layout.grid import SHORTEST_CELL, SMALLEST_PANEL, Grid, fit
from viz.matrices import HeadMatrix
from viz.room import Room
from viz.text import em_width, label

NUMBERS = [1, 3, 13, 251]
SIZES = [560, 900]
LONG = "Donaudampfschifffahrtsgesellschaft"
WORDS = {
    "short": ["is"],
    "mixed": ["the", "blackberries", "so"],
    "long": [LONG],
    "Chinese": ["私は学生です私は学生"],
}

KINDS = each(
    ("kind", "n", "size"),
    [(kind, n, SIZES[(i + j) % 2]) for i, kind in enumerate(WORDS) for j, n in enumerate(NUMBERS)],
)
"""Equal numbers of words of each kind, in both sizes by turns."""


@cache
def drawn(n: int, kind: str, size: int, selected: tuple[int, int] | None = None) -> go.Figure:
    words = (WORDS[kind] * n)[:n]
    pattern = np.full((n, n), 1 / n, dtype=np.float32)
    picture = HeadMatrix(pattern=pattern, words=words, title="Layer 1 · head 3", selected=selected)
    return picture.figure(Room(width=size))


def pixels_per_cell(figure: go.Figure) -> tuple[float, float]:
    """Across and down, from the domains and ranges of the axes."""
    x, y = figure.layout.xaxis, figure.layout.yaxis
    across = figure.layout.width * (x.domain[1] - x.domain[0]) / (x.range[1] - x.range[0])
    down = figure.layout.height * (y.domain[1] - y.domain[0]) / (y.range[0] - y.range[1])
    return across, down


def edges(figure: go.Figure) -> tuple[float, float]:
    """Pixels left of the first cell and above the first cell."""
    across, down = pixels_per_cell(figure)
    left = figure.layout.width * figure.layout.xaxis.domain[0]
    above = figure.layout.height * (1 - figure.layout.yaxis.domain[1])
    return left + across * (-0.5 - figure.layout.xaxis.range[0]), above + down * (
        -0.5 - figure.layout.yaxis.range[1]
    )


@each(("kind", "is_level"), [("short", True), ("long", False)])
def test_keys_are_horizontal_if_each_has_room_above_its_column(kind: str, is_level: bool) -> None:
    assert (drawn(4, kind, 900).layout.xaxis.tickangle == 0) == is_level


@KINDS
def test_all_words_are_in_the_figure_in_legible_type_and_none_stands_on_another(
    n: int, kind: str, size: int
) -> None:
    """Horizontal words are narrower than columns; lines of slanted ones are closer than the columns are."""
    figure = drawn(n, kind, size)
    left, above = edges(figure)
    cell, _ = pixels_per_cell(figure)
    columns, rows = figure.layout.xaxis, figure.layout.yaxis
    for axis in (columns, rows):
        assert 12 <= axis.tickfont.size <= 20
        assert np.diff(axis.tickvals).min(initial=99) * cell >= axis.tickfont.size - 0.1
    assert left >= max(em_width(word) for word in rows.ticktext) * columns.tickfont.size

    widths, slant = [em_width(word) * columns.tickfont.size for word in columns.ticktext], -columns.tickangle
    assert above - figure.layout.title.font.size - 15 >= max(widths) * sin(radians(slant))
    for at, width in zip(columns.tickvals, widths, strict=True):
        assert left + (at + 0.5) * cell + width * cos(radians(slant)) <= figure.layout.width
    if slant == 0:
        assert max(widths) < cell
    else:
        apart = np.diff(columns.tickvals).min(initial=99) * cell * sin(radians(slant))
        assert apart >= columns.tickfont.size - 0.1
        assert slant == 60 or columns.tickfont.size <= 14, "steeper only where they are as small as can be"


@each("n", [n for n in NUMBERS if n <= 64])
def test_every_written_word_stands_at_its_own_position_and_a_hover_knows_the_others(n: int) -> None:
    words = [f"w{at}" for at in range(n)]
    figure = HeadMatrix(pattern=np.full((n, n), 1 / n), words=words, title="").figure(Room(width=560))
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        known = dict(zip(map(str, axis.tickvals), axis.ticktext, strict=True)) | (axis.labelalias or {})
        assert known == {str(at): label(word) for at, word in enumerate(words)}


def test_a_selected_word_is_written_even_where_not_every_word_fits() -> None:
    figure = drawn(61, "short", 560, selected=(47, 20))
    assert 47 in figure.layout.yaxis.tickvals
    assert 20 in figure.layout.xaxis.tickvals
    cell, _ = pixels_per_cell(figure)
    assert np.diff(figure.layout.yaxis.tickvals).min() * cell >= 12 - 0.1


@each(("size", "rows"), [(980, 1), (620, 2), (400, 3), (300, 3)])
def test_panels_take_as_few_rows_as_keep_them_readable(size: int, rows: int) -> None:
    """Three matrices of 11 words: readable is 14 pixels a cell."""
    fitted = fit(Grid(query_widths=(2,) * 11, key_widths=(2,) * 11, panels=3), Room(width=size))

    assert fitted.columns == {1: 3, 2: 2, 3: 1}[rows]
    assert fitted.width <= size
    assert fitted.box(2).bottom <= fitted.height
    assert rows == 3 or fitted.box().width >= SMALLEST_PANEL


@each("tallest", [197, 431, 613, inf])
@each("n", [5, 13, 41])
def test_cells_end_within_the_height_of_the_window_while_they_are_legible(n: int, tallest: float) -> None:
    roomy = Grid(query_widths=(3,) * n, key_widths=(3,) * n, head=31)
    free, fitted = fit(roomy, Room(width=530)), fit(roomy, Room(width=530, height=tallest))
    assert fitted.height <= tallest or fitted.cell == min(free.cell, SHORTEST_CELL)
    larger = replace(fitted, cell=fitted.cell + 1)
    assert fitted.cell == free.cell or larger.height > tallest, "no smaller than it need be"
