"""Titles and legends of matrices side by side end within the figure, however short the sentence."""

from dataclasses import replace

from tests.covering import each
from viz.parts.canvas import legend_width
from viz.parts.captions import CAPTION, with_room
from viz.parts.grid import Grid, word_widths
from viz.parts.kinds import weights
from viz.text import em_width
from viz.theme import LIGHT

LONG = "many words above or below a matrix of one"


@each("columns", [1, 2, 3])
@each(("title", "legend"), [(LONG, ""), ("", LONG)])
def test_the_last_title_and_legend_of_every_row_have_room(columns: int, title: str, legend: str) -> None:
    matrix = replace(weights([[1.0]], ["cat"], None, None, LIGHT), legend=(legend,))
    widths = word_widths(["cat"])
    grid = Grid(query_widths=widths, key_widths=widths, panels=3, columns=columns)
    for size in (2000, 300):
        shown = with_room(grid, [title] * 3, [matrix] * 3, size=size)
        end = shown.box(columns - 1).left + max(em_width(title) * CAPTION, legend_width([legend]))
        assert shown.width > end or shown.width == max(size, grid.width)
    assert with_room(grid, [""] * 3, [replace(matrix, legend=())] * 3, size=2000).width == grid.width
