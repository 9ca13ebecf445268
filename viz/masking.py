"""A mask as cells to paint, and beside it what follows from it: the weights, or the gradients."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted
from viz.parts.boxes import outlines
from viz.parts.canvas import Canvas, canvas
from viz.parts.captions import CAPTION_LINE, with_room, write_caption
from viz.parts.cells import Allowed, Cell, Gap, Matrix, with_colours_to_the_largest
from viz.parts.drawing import draw
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import TITLE_SIZE, Grid, fit, word_widths
from viz.parts.kinds import permissions, weights
from viz.parts.scale import weight_scale
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.stages import SIZE
from viz.tables import matrix_table
from viz.text import plain
from viz.theme import LIGHT, Theme

MASK = "mask"
SUMS, SUMS_TITLE, BESIDE = 84, "row sum", 12
"""Pixels at the right for what the rows sum to, the title above them, and their distance from the matrix."""

SMALLEST_ROW, NUMBER = 14, 15
"""Rows less high than this have no room for a number of this type size."""

SMALLEST_PANEL = 100
"""Smaller than elsewhere: who paints the mask wants to see the weights follow beside it."""

INSIDE = 0.46
"""Half the side of a frame inside a cell, in cells."""

UNSEEN = ((0, "rgba(0, 0, 0, 0)"), (1, "rgba(0, 0, 0, 0)"))
"""Colours of nothing but gaps: Plotly (7) neither draws nor clicks a matrix without any number."""

EXACTLY_ZERO = Gap(sign="0", hover="exactly 0", legend="exactly 0")


@dataclass(frozen=True)
class Beside:
    """A title and a matrix that stand beside the mask."""

    title: str
    matrix: Matrix


def painted(
    allowed: ArrayLike,
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    kept: ArrayLike,
    title: str,
    theme: Theme,
    flipped: Sequence[Cell] = (),
    unit: str = "word",
    size: int = SIZE,
    smallest_cell: int = 0,
    tallest: float = inf,
) -> Picture:
    """The mask with its cells, and the weights under it; what every row sums to stands at the right.

    `allowed` is True where a query may look, `pattern` are the weights (query, key) with zeros for a query
    that may attend to nothing: its row is framed and keeps its zeros. `flipped` cells are framed in the mask.
    `kept` is what each row sums to while only the masked weights are taken away. A click on either matrix
    reports x = key, y = query. Where cells of two matrices side by side are smaller than `smallest_cell`
    pixels they stand below each other. Cells end within `tallest` pixels if that leaves them legible. What
    rows and columns stand for is called `unit`.
    """
    seen, shares = np.asarray(allowed, dtype=bool), np.asarray(kept)
    sizes: dict[str, Any] = {"size": size, "smallest_cell": smallest_cell, "tallest": tallest}
    return finished(
        _painted(seen, pattern, words, kept=shares, title=title, theme=theme, flipped=flipped, **sizes),
        alt=_told_painted(seen, pattern, words, title=title, flipped=flipped, unit=unit),
        table=lambda: _with_sums(seen, np.asarray(pattern), words, shares),
        title=f"Mask and attention {title}",
    )


@cached_figure
def _painted(
    seen: Allowed,
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    kept: np.ndarray,
    title: str,
    theme: Theme,
    flipped: Sequence[Cell],
    size: int,
    smallest_cell: int,
    tallest: float,
) -> go.Figure:
    blind = _blind(seen)
    beside = Beside(title, _under(seen, pattern, words, theme))
    figure, grid = _two_panels(
        seen,
        beside,
        words,
        flipped,
        theme,
        size=size,
        smallest_cell=smallest_cell,
        tallest=tallest,
        right=SUMS,
    )
    for query in blind:
        figure.shape(**_whole_row(query, len(words), theme), xref="x2", yref="y2")
    _write_sums(figure, grid, kept, blind)
    return figure.finished()


def _told_painted(
    seen: Allowed,
    pattern: ArrayLike,
    words: Sequence[str],
    *,
    title: str,
    flipped: Sequence[Cell],
    unit: str,
) -> str:
    """The size of the mask, what was flipped, and the largest weight."""
    matrix = weights(pattern, words, None, seen, LIGHT)
    blind = _blind(seen)
    by_hand = f", {counted(len(flipped), 'cell')} flipped by hand" if flipped else ""
    queries = "1 query" if len(blind) == 1 else f"{len(blind)} queries"
    nothing = f" {queries} may attend to nothing." if blind else ""
    largest = "" if matrix.masked.all() else f" Largest weight: {matrix.spoken(matrix.highest)}."
    return f"Mask {matrix.extent(unit)}{by_hand}.{matrix.spoken_gaps}{nothing} {plain(title)}.{largest}"


def _with_sums(seen: Allowed, pattern: np.ndarray, words: Sequence[str], shares: np.ndarray) -> pd.DataFrame:
    """The weights, what each row sums to before they are normalised again, and after."""
    table = matrix_table(np.where(seen, pattern, np.nan), words)
    return table.assign(**{"sum before": shares, "sum after": pattern.sum(axis=1)})


def reached(
    allowed: ArrayLike,
    shares: ArrayLike,
    norms: ArrayLike,
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    flipped: Sequence[Cell] = (),
    size: int = SIZE,
    smallest_cell: int = 0,
    tallest: float = inf,
) -> Picture:
    """The mask, and how much every output depends on every input: `shares` (output, input) from 0 to 1.

    A share of exactly 0 is a gap marked as such: it is no small number that was rounded. The table has the
    `norms` of the gradients. `smallest_cell` and `tallest` are those of `painted`.
    """
    seen = np.asarray(allowed, dtype=bool)
    sizes: dict[str, Any] = {"size": size, "smallest_cell": smallest_cell, "tallest": tallest}
    return finished(
        _reached(seen, shares, words, title=title, theme=theme, flipped=flipped, **sizes),
        alt=_told_reached(shares, words, title=title),
        table=lambda: matrix_table(np.asarray(norms), words),
        title=f"Mask and {title} of every output",
    )


@cached_figure
def _reached(
    seen: Allowed,
    shares: ArrayLike,
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    flipped: Sequence[Cell],
    size: int,
    smallest_cell: int,
    tallest: float,
) -> go.Figure:
    beside = Beside(title, _dependence(shares, words, theme))
    figure, _ = _two_panels(
        seen, beside, words, flipped, theme, size=size, smallest_cell=smallest_cell, tallest=tallest
    )
    return figure.finished()


def _told_reached(shares: ArrayLike, words: Sequence[str], *, title: str) -> str:
    """How many dependences are exactly 0, and the largest."""
    matrix = _dependence(shares, words, LIGHT)
    n_zero = int(matrix.masked.sum())
    largest = "" if matrix.masked.all() else f" Largest share: {matrix.spoken(matrix.highest)}."
    return (
        f"{plain(title).capitalize()} {matrix.extent()}: {n_zero} of {matrix.values.size} exactly 0.{largest}"
    )


def _blind(seen: Allowed) -> list[int]:
    """The queries that may attend to nothing."""
    return [int(at) for at in np.flatnonzero(~seen.any(axis=1))]


def _under(seen: Allowed, pattern: ArrayLike, words: Sequence[str], theme: Theme) -> Matrix:
    """The weights with gaps where masked, but zeros where a query may attend to nothing: its result."""
    shown = seen | ~seen.any(axis=1, keepdims=True)
    matrix = weights(pattern, words, None, shown, theme)
    nowhere = f'<span style="color:{theme.ink}">▭</span> may attend to nothing: all 0'
    legend = () if seen.any(axis=1).all() else (nowhere,)
    return replace(matrix, legend=legend, gap=replace(matrix.gap, legend="masked"))


def _dependence(shares: ArrayLike, words: Sequence[str], theme: Theme) -> Matrix:
    values = np.array(shares, dtype=np.float32)
    values[values == 0] = np.nan
    return Matrix(values=values, queries=words, keys=words, scale=weight_scale(theme), gap=EXACTLY_ZERO)


def _two_panels(
    seen: Allowed,
    beside: Beside,
    words: Sequence[str],
    flipped: Sequence[Cell],
    theme: Theme,
    *,
    size: int,
    smallest_cell: int,
    tallest: float,
    right: int = 0,
) -> tuple[Canvas, Grid]:
    """The mask and what stands beside it, or below, with `right` pixels kept free at the right."""
    matrices = [_mask(seen, words, flipped, theme), beside.matrix]
    widths = word_widths(words)
    both = Grid(
        query_widths=widths,
        key_widths=widths,
        panels=2,
        caption=CAPTION_LINE,
        beside=right,
        tallest=tallest,
    )
    grid = fit(both, size=size, smallest=max(SMALLEST_PANEL, smallest_cell * len(words)))
    matrices = with_colours_to_the_largest(matrices, grid.cell, theme)
    titles = (MASK, beside.title)
    grid = with_room(grid, titles, matrices, size=size)
    drawn = canvas(grid.width, grid.height, theme)
    for at, (title, matrix) in enumerate(zip(titles, matrices, strict=True)):
        draw(drawn, grid, matrix, panel=at)
        if matrix.masked.all():
            drawn.figure.data[-1].update(z=np.zeros(matrix.values.shape, np.uint8), colorscale=UNSEEN)
        write_caption(drawn, grid, title, at)
    if flipped:
        drawn.figure.add_trace(_frames(flipped, theme))
    return drawn, grid


def _mask(seen: Allowed, words: Sequence[str], flipped: Sequence[Cell], theme: Theme) -> Matrix:
    matrix = permissions(seen, words, theme)
    by_hand = (f'<span style="color:{theme.selection}">□</span> flipped by hand',) if flipped else ()
    return replace(matrix, legend=(*matrix.legend, *by_hand), gap=replace(matrix.gap, legend="masked"))


def _frames(flipped: Sequence[Cell], theme: Theme) -> Trace:
    queries, keys = np.array(flipped).T
    x, y = outlines(keys, queries, INSIDE, INSIDE)
    line = {"color": theme.selection, "width": 3}
    return trace_of("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def _whole_row(query: int, n: int, theme: Theme) -> dict[str, Any]:
    """A dashed frame round a row of the second matrix."""
    corners = {"x0": -0.5, "x1": n - 0.5, "y0": query - 0.5, "y1": query + 0.5}
    return {"type": "rect", "line": {"color": theme.ink, "width": 2, "dash": "dot"}, **corners}


def _write_sums(drawn: Canvas, grid: Grid, kept: np.ndarray, blind: Sequence[int]) -> None:
    """What each row sums to before the softmax is taken again over what is left, and after."""
    if grid.cell < SMALLEST_ROW:
        return
    box, muted = grid.box(1), drawn.theme.muted
    left = box.right + BESIDE
    look = {"xanchor": "left", "yanchor": "middle"}
    title = {"size": TITLE_SIZE, "color": muted}
    drawn.note(SUMS_TITLE, left, box.top - TITLE_SIZE, font=title, **look)
    for query, share in enumerate(kept):
        after = "0" if query in blind else "1"
        middle = box.top + (query + 0.5) * grid.cell
        size = min(NUMBER, int(grid.cell))
        drawn.note(f"{share:.2f} → <b>{after}</b>", left, middle, font={"size": size}, **look)
