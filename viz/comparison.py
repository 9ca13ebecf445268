"""Two configurations side by side, and where they differ."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted
from viz.parts.canvas import canvas
from viz.parts.captions import CAPTION_LINE, with_room, write_caption
from viz.parts.cells import Cell, Matrix, Numbers, visible, with_colours_to_the_largest
from viz.parts.downsampling import downsample
from viz.parts.drawing import draw
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import Grid, word_widths
from viz.parts.kinds import NOISE, changes, differs, weights
from viz.picture import Picture, finished
from viz.stages import SIZE
from viz.tables import cells_table, largest_changes
from viz.theme import Theme

CHANGE = "B − A"
NO_CHANGE = "no cell differs"


@cached_figure
def comparison(
    a: ArrayLike,
    b: ArrayLike,
    words: Sequence[str],
    *,
    titles: tuple[str, str],
    theme: Theme,
    allowed: tuple[ArrayLike, ArrayLike],
    selected: Cell | None = None,
    size: int = SIZE,
) -> go.Figure:
    """The weights of A, those of B, and B − A on a diverging scale of its own.

    `a` and `b` are (query, key) weights and `allowed` says for each of them who may look where. A word that
    may not look gives a weight of 0, and that is what the difference counts; where it may look in neither
    there is no difference to show. A click reports x = key, y = query and, as customdata, the panel.
    """
    first, second = (visible(pattern, mask) for pattern, mask in zip((a, b), allowed, strict=True))
    matrices = [
        weights(first, words, None, None, theme),
        weights(second, words, None, None, theme),
        _changes(first, second, words, theme),
    ]
    return _side_by_side((*titles, CHANGE), [_briefly(matrix) for matrix in matrices], theme, selected, size)


def compared(
    a: ArrayLike, b: ArrayLike, words: Sequence[str], *, of: str, unit: str = "word", **look: Any
) -> Picture:
    """The weights of A and B told by their largest change, and the table of B − A.

    They are those `of` a head, as titles name it. What rows and columns stand for is called `unit`; `look` is
    what else `comparison` takes.
    """
    return finished(
        comparison(a, b, words, **look),
        alt=_alt(a, b, words, unit),
        table=lambda: cells_table(np.asarray(b) - np.asarray(a), words),
        title=f"Attention weights of A and B and their difference, {of}",
    )


def _alt(a: ArrayLike, b: ArrayLike, words: Sequence[str], unit: str) -> str:
    """The largest change from A to B."""
    top = largest_changes(a, b, words).iloc[0]
    found = (
        f"Largest change: {top['query']} to {top['key']}, from {top['A']:.2f} to {top['B']:.2f}."
        if abs(top["change"]) > NOISE
        else f"{NO_CHANGE.capitalize()}."
    )
    return f"Attention weights of A and B over {counted(len(words), unit)}, and their difference. {found}"


def _changes(first: Numbers, second: Numbers, words: Sequence[str], theme: Theme) -> Matrix:
    """B − A, a gap only where both are masked."""
    change = np.nan_to_num(second) - np.nan_to_num(first)
    change[np.isnan(first) & np.isnan(second)] = np.nan
    matrix = changes(change, words, theme)
    return matrix if differs(matrix) else replace(matrix, legend=(NO_CHANGE,))


def _briefly(matrix: Matrix) -> Matrix:
    """A panel is narrow, and so is the line that explains its gaps."""
    return replace(matrix, gap=replace(matrix.gap, legend="masked"))


def _side_by_side(
    titles: Sequence[str], matrices: Sequence[Matrix], theme: Theme, selected: Cell | None, size: int
) -> go.Figure:
    widths = word_widths(matrices[0].queries)
    panels = Grid(query_widths=widths, key_widths=widths, panels=len(matrices), caption=CAPTION_LINE)
    blocks = downsample(matrices, panels, size=size, briefly=True, selected=selected)
    grid, selected = blocks.grid, blocks.block_of(selected)
    matrices = with_colours_to_the_largest(blocks.matrices, grid.cell, theme)
    grid = with_room(grid, titles, matrices, size=size)
    drawn = canvas(grid.width, grid.height, theme)
    for at, (title, matrix) in enumerate(zip(titles, matrices, strict=True)):
        draw(drawn, grid, matrix, panel=at, selected=selected)
        write_caption(drawn, grid, title, at)
    return drawn.finished()
