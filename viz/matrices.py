"""One matrix as a figure: the weights of a head."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from viz.parts.canvas import HEADLINE_LINE, canvas, headline_width, legend_width
from viz.parts.cells import Cell, Matrix, checked_selection, visible, with_colours_to_the_largest
from viz.parts.downsampling import LEAST_SEEN, Downsampled, downsample, near
from viz.parts.drawing import draw, foot
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import Grid, fit, word_widths
from viz.parts.kinds import weights
from viz.parts.sketch import Trace
from viz.picture import Picture, finished
from viz.tables import cells_table
from viz.text import plain, quoted
from viz.theme import LIGHT, Theme

SIZE = 560
"""The default greatest width of a figure in pixels: what a page on a small laptop has to give."""

AROUND = "Around the chosen cell"
"""The title drawn above a part of a matrix: beside the whole, which says what both are."""


@cached_figure
def heatmap(
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    short: str = "",
    selected: Cell | None = None,
    allowed: ArrayLike | None = None,
    size: int = SIZE,
    tallest: float = inf,
) -> go.Figure:
    """The weights of one head, (query, key), in colours from 0 to 1, or less where cells have no digits.

    Rows are queries from top to bottom, columns are keys, and `words` names both. A cell that `allowed`
    forbids, or that is not a number, is a dotted gap. `selected` frames a (query, key). The figure is at most
    `size` pixels wide, and its cells end within `tallest` if that leaves them legible; a click on a cell
    reports x = key, y = query.

    Where cells would be too small to be seen each shows the largest of a block, and a click reports where
    that is as its data: `downsampling.cell_of` understands both, and `shows_blocks` tells which it is. A
    `short` title is drawn where the whole one has no room.
    """
    matrix = weights(pattern, words, None, allowed, theme)
    return alone(matrix, title, theme, selected, size, short=short, tallest=tallest)


def one_head(
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    allowed: ArrayLike | None = None,
    unit: str = "word",
    **look: Any,
) -> Picture:
    """The weights of one head, told and listed from the same matrix; `look` is what else `heatmap` takes.

    What rows and columns stand for is called `unit`.
    """
    return finished(
        heatmap(pattern, words, title=title, theme=theme, allowed=allowed, **look),
        alt=describe_heatmap(pattern, words, title=title, allowed=allowed, unit=unit),
        table=lambda: cells_table(visible(pattern, allowed), words),
        title=title,
    )


def shows_blocks(words: Sequence[str], *, size: int = SIZE) -> bool:
    """Whether a `heatmap` of that size between so many words is drawn from afar."""
    widths = word_widths(words)
    return fit(Grid(query_widths=widths, key_widths=widths), size=size).cell < LEAST_SEEN


def close_up(
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    around: Cell,
    title: str,
    theme: Theme,
    allowed: ArrayLike | None = None,
    size: int = SIZE,
) -> Picture:
    """The weights of one head around a cell, which is framed: a part of what `one_head` shows from afar."""
    query, key = (plain(words[at]) for at in around)
    return finished(
        _close_up(pattern, words, around, theme, allowed, size),
        alt=f"The weights around the chosen cell: {query} → {key}",
        title=f"{title}, around {quoted(query)} to {quoted(key)}",
    )


@cached_figure
def _close_up(
    pattern: ArrayLike,
    words: Sequence[str],
    around: Cell,
    theme: Theme,
    allowed: ArrayLike | None,
    size: int,
) -> go.Figure:
    matrix = weights(pattern, words, None, allowed, theme)
    checked_selection(around, matrix.values.shape, "(query, key)")
    part = near(matrix, around)
    assert part.places is not None, "a part knows its places"
    query, key = (at - int(first) for at, first in zip(around, part.places[0, 0], strict=True))
    return alone(part, AROUND, theme, (query, key), size)


def describe_heatmap(
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    title: str,
    allowed: ArrayLike | None = None,
    unit: str = "word",
) -> str:
    """The alternative text of `heatmap`: its size, its largest weight, how much of it is masked.

    What rows and columns stand for is called `unit`: a word, or a piece of one. A query that sees one key
    gives it all its weight, so the largest is sought where there is a choice.
    """
    matrix = weights(pattern, words, None, allowed, LIGHT)
    choice = np.sum(~matrix.masked, axis=1, keepdims=True) > 1
    free = replace(matrix, values=np.where(choice, matrix.values, np.nan)) if choice.any() else matrix
    where = "" if choice.all() or not choice.any() else " where there is a choice"
    largest = "" if matrix.masked.all() else f" Largest weight{where}: {free.spoken(free.highest)}."
    return f"{plain(title)}: attention {matrix.extent(unit)}.{largest}{matrix.spoken_gaps}"


def alone(
    matrix: Matrix,
    title: str,
    theme: Theme,
    selected: Cell | None,
    size: int,
    *,
    short: str = "",
    marks: Sequence[Trace] | None = None,
    tallest: float = inf,
) -> go.Figure:
    """A figure with this matrix and nothing else; a large one from afar, with the block of the selection.

    `marks` are drawn over its cells, in columns and rows: with them, if only an empty list, every cell is
    drawn, however small.
    """
    checked_selection(selected, matrix.values.shape, "(query, key)")
    queries, keys = word_widths(matrix.queries), word_widths(matrix.keys)
    head = HEADLINE_LINE if title else 0
    grid = Grid(query_widths=queries, key_widths=keys, head=head, tallest=tallest)
    if marks is None:
        shown = downsample([matrix], grid, size=size, selected=selected)
    else:
        shown = Downsampled([matrix], fit(grid, size=size), 1)
    grid, selected = shown.grid, shown.block_of(selected)
    (matrix,) = with_colours_to_the_largest(shown.matrices, grid.cell, theme)
    legend = grid.left + legend_width(matrix.legend_lines(grid.cell))
    least = min(size, max(headline_width(title), legend))
    grid = replace(grid, foot=foot(matrix, grid), least=least)
    drawn = canvas(grid.width, grid.height, theme, title=title, short=short)
    draw(drawn, grid, matrix, selected=selected)
    for mark in marks or ():
        drawn.figure.add_trace(mark)
    return drawn.finished()
