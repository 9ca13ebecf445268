"""The stages from scores to weights in one figure: each a matrix of its own, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from viz.parts.canvas import Canvas, canvas
from viz.parts.captions import CAPTION_LINE, with_room, write_caption
from viz.parts.cells import Allowed, Matrix, with_colours_to_the_largest
from viz.parts.downsampling import downsample
from viz.parts.drawing import draw
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import BETWEEN, SMALLEST_PANEL, Grid, word_widths
from viz.parts.kinds import permissions, real_numbers, weights
from viz.picture import Picture, finished
from viz.tables import matrix_table, pairs_table
from viz.text import label, plain
from viz.theme import LIGHT, Theme

SIZE = 1080
SIGN = 24
"""Type size in pixels of the sign before a stage."""

Kind = Literal["scores", "mask", "weights"]


@dataclass(frozen=True)
class Panel:
    """One stage: its title, its (query, key) matrix and what kind of numbers these are.

    `scores` are any real numbers, on a scale of their own; `weights` run from 0 to 1; a `mask` is
    boolean, True where a query may look. `sign` stands before the stage, unless it is the first.
    """

    title: str
    matrix: ArrayLike
    kind: Kind
    sign: str = "→"


@cached_figure
def stages(
    panels: Sequence[Panel],
    words: Sequence[str],
    *,
    theme: Theme,
    size: int = SIZE,
    smallest: int = SMALLEST_PANEL,
) -> go.Figure:
    """The panels from left to right, in two rows where one would leave them too small:
    below `smallest` pixels.

    Each panel has its own axes (`x`, `y`; `x2`, `y2`; …), title and scale; the queries stand beside the
    first of a row only. What a mask forbids is a gap in the weights as well. A click reports x = key,
    y = query and, as customdata, which panel it hit, counted from 0. Where cells would be too small to be
    seen each shows the largest number of a block and a click where that is: `viz.parts.downsampling.cell_of`
    understands both.
    """
    whole = [_matrix(panel, words, _allowed(panels), theme) for panel in panels]
    shown = downsample(whole, _grid(whole), size=size, briefly=True, smallest=smallest)
    matrices = with_colours_to_the_largest(shown.matrices, shown.grid.cell, theme)
    titles = [panel.title for panel in panels]
    grid = with_room(shown.grid, titles, matrices, size=size)
    drawn = canvas(grid.width, grid.height, theme)
    for at, (panel, matrix) in enumerate(zip(panels, matrices, strict=True)):
        draw(drawn, grid, matrix, panel=at)
        _write_caption(drawn, grid, panel, at)
    return drawn.finished()


def staged(
    panels: Sequence[Panel],
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    unit: str = "word",
    size: int = SIZE,
    smallest: int = SMALLEST_PANEL,
) -> Picture:
    """Draw the `stages` and tell them in their order; the table has the numbers of the last of them.

    The `title` is not drawn, for every panel has one of its own.
    """
    last = panels[-1].matrix
    return finished(
        stages(panels, words, theme=theme, size=size, smallest=smallest),
        alt=describe_stages(panels, words, title=title, unit=unit),
        table=lambda: matrix_table(last, words),
        data=lambda: pairs_table({panel.title: panel.matrix for panel in panels}, words),
        title=title,
    )


def describe_stages(
    panels: Sequence[Panel],
    words: Sequence[str],
    *,
    title: str,
    unit: str = "word",
) -> str:
    """The alternative text of `stages`: their order, and the largest number of the last of them.

    What rows and columns stand for is called `unit`.
    """
    last = _matrix(panels[-1], words, _allowed(panels), LIGHT)
    steps = [plain(panels[0].title), *(f"{plain(panel.sign)} {plain(panel.title)}" for panel in panels[1:])]
    largest = "" if last.masked.all() else f" Largest number at the end: {last.spoken(last.highest)}."
    return f"{plain(title)}: stages {last.extent(unit)}: {' '.join(steps)}.{largest}"


def _allowed(panels: Sequence[Panel]) -> Allowed:
    """What all masks among the panels let through."""
    masks = [np.asarray(panel.matrix, dtype=bool) for panel in panels if panel.kind == "mask"]
    return np.logical_and.reduce(masks) if masks else np.array(True)


def _matrix(panel: Panel, words: Sequence[str], allowed: Allowed, theme: Theme) -> Matrix:
    """The panel in the colours and with the gaps of its kind; its legend is short, as the panel is narrow."""
    if panel.kind == "mask":
        matrix = permissions(panel.matrix, words, theme)
    elif panel.kind == "weights":
        matrix = weights(panel.matrix, words, None, allowed, theme)
    else:
        matrix = real_numbers(panel.matrix, words, None, None, theme)
    return replace(matrix, gap=replace(matrix.gap, legend="masked"))


def _grid(matrices: Sequence[Matrix]) -> Grid:
    return Grid(
        query_widths=word_widths(matrices[0].queries),
        key_widths=word_widths(matrices[0].keys),
        panels=len(matrices),
        caption=CAPTION_LINE,
    )


def _write_caption(canvas: Canvas, grid: Grid, panel: Panel, at: int) -> None:
    """The title above a panel and the sign before it; before a row the sign stands with the title."""
    is_below = at > 0 and grid.is_first(at)
    write_caption(canvas, grid, panel.title, at, sign=panel.sign if is_below else "")
    if not grid.is_first(at):
        box = grid.box(at)
        font = {"size": SIGN, "color": canvas.theme.muted}
        canvas.note(label(panel.sign), box.left - BETWEEN / 2, box.top + box.height / 2, font=font)
