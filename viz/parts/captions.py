"""Titles above matrices that stand side by side, and the room that these and the legends below need."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from viz.parts.canvas import Canvas, headline_width, legend_width
from viz.parts.cells import Matrix
from viz.parts.drawing import foot
from viz.parts.grid import BETWEEN, Grid
from viz.text import em_width, fitting_size, label

CAPTION, SMALLEST_CAPTION, CAPTION_LINE = 16, 13, 30
"""Type size of a title in pixels, the smallest where it has little room, and how high its line is."""


def with_room(
    grid: Grid, titles: Sequence[str], matrices: Sequence[Matrix], *, size: int, headline: str = ""
) -> Grid:
    """`grid` with room below its matrices, and beside the last of a row for the end of its title and legend.

    It gets no wider than `size` pixels for that.
    """
    ends = [
        grid.box(at).left + max(em_width(title) * CAPTION, legend_width(matrix.legend_lines(grid.cell)))
        for at, (title, matrix) in enumerate(zip(titles, matrices, strict=True))
        if _is_last(grid, at)
    ]
    room = max(foot(matrix, grid) for matrix in matrices)
    return replace(grid, foot=room, least=min(size, ceil(max(headline_width(headline), *ends)) + 1))


def write_caption(canvas: Canvas, grid: Grid, title: str, at: int, *, sign: str = "") -> None:
    """The title above a panel after its `sign`, smaller or cut where the next panel or the edge is."""
    box = grid.box(at)
    room = grid.width - box.left if _is_last(grid, at) else box.width + BETWEEN
    size = fitting_size(title, room, usual=CAPTION, smallest=SMALLEST_CAPTION)
    shown = f"{label(sign)} " * bool(sign) + label(title, longest=room / size)
    top = box.top - grid.above - CAPTION_LINE
    look = {"xanchor": "left", "yanchor": "top", "font": {"size": size}}
    canvas.note(f"<b>{shown}</b>", box.left, top, **look)


def _is_last(grid: Grid, at: int) -> bool:
    """Whether nothing stands to the right of a panel."""
    return at == grid.panels - 1 or grid.is_first(at + 1)
