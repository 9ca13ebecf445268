"""Small matrices of equal size over one sentence, and above each where a scheme enters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from viz.parts.canvas import Box, Canvas, canvas
from viz.parts.cells import Cell, Matrix, with_colours_to_the_largest
from viz.parts.drawing import draw, foot
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import LARGEST_CELL, Grid, fit, word_widths
from viz.parts.kinds import real_numbers, weights
from viz.picture import Picture
from viz.tables import matrix_table, pairs_table
from viz.text import em_width, label, plain
from viz.theme import LIGHT, Theme

SIZE = 980
BETWEEN, BETWEEN_SIGNED, SMALLEST = 14, 52, 104
"""Pixels from panel to panel, where each has a colour bar of its own with its ends named, and of a panel.

Six panels of this size still stand in one row, so that all of them are in sight."""

CAPTION, CAPTION_LINE = 17, 28
STOP, STOP_HEIGHT, STRIP_LINE, STOP_ROOM, ARROW = 13, 22, 36, 8, 11
"""Type size and height in pixels of the stops of a strip, the line they take, their margins, the arrows."""

LONGEST_HEAD = 150
"""Pixels that a title may take beyond its matrix before it is cut."""

MIDDLE = {"xanchor": "center", "yanchor": "middle"}
LEAST_DECIMALS = 2


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A (query, key) matrix with its title above it and the lines `below` under it.

    `stops` are those of the way from a word vector to the scores, `lit` that at which a scheme enters; none
    are drawn where there are none.
    """

    title: str
    matrix: ArrayLike
    below: tuple[str, ...] = ()
    stops: Sequence[str] = ()
    lit: int | None = None


def side_by_side(
    panels: Sequence[Panel],
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    allowed: ArrayLike | None = None,
    signed: bool = False,
    selected: Cell | None = None,
    size: int = SIZE,
    listed: int | None = None,
) -> Picture:
    """The panels under a `title` in one row, or in more where they would be too small.

    Numbers are weights, all on one scale, or, if `signed`, any: then colours are symmetric about zero, out to
    the largest size in each panel. A cell that `allowed` forbids is a gap. A click reports x = key,
    y = query and, as customdata, the panel.

    The alternative text names the largest number of every panel, or the smallest if they are `signed`. The
    table has a row for each pair of words and a column for each panel, or is that of the panel `listed`.
    """
    look: dict[str, Any] = {"allowed": allowed, "signed": signed}
    pairs = partial(pairs_table, {panel.title: panel.matrix for panel in panels}, words, allowed=allowed)
    return Picture(
        _drawn(panels, words, theme=theme, selected=selected, size=size, **look),
        alt=_alt(panels, words, title=title, **look),
        table=lambda: (
            pairs() if listed is None else matrix_table(panels[listed].matrix, words, allowed=allowed)
        ),
        data=pairs,
        title=title,
    )


@cached_figure
def _drawn(
    panels: Sequence[Panel],
    words: Sequence[str],
    *,
    theme: Theme,
    allowed: ArrayLike | None,
    signed: bool,
    selected: Cell | None,
    size: int,
) -> go.Figure:
    matrices = _matrices(panels, words, allowed, signed, theme)
    between = BETWEEN_SIGNED if signed else BETWEEN
    grid = fit(_grid(panels, words, between), size=size, smallest=SMALLEST)
    grid = replace(grid, between=max(grid.between, _head_width(panels) + ARROW - grid.n_keys * grid.cell))
    matrices = with_colours_to_the_largest(matrices, grid.cell, theme)
    room = max(foot(matrix, grid) for matrix in matrices)
    end = grid.box(grid.columns - 1).left + _head_width(panels)
    grid = replace(grid, foot=room, least=max(grid.width + grid.between - between, end))
    drawn = canvas(grid.width, grid.height, theme)
    for at, (panel, matrix) in enumerate(zip(panels, matrices, strict=True)):
        draw(drawn, grid, matrix, panel=at, selected=selected)
        _write_head(drawn, grid, panel, grid.box(at))
    return drawn.finished()


def _alt(
    panels: Sequence[Panel], words: Sequence[str], *, title: str, allowed: ArrayLike | None, signed: bool
) -> str:
    """The largest number of every panel and what stands below it, or the smallest where all are negative."""
    told = []
    for panel, matrix in zip(panels, _matrices(panels, words, allowed, signed, LIGHT), strict=True):
        cell = matrix.lowest if signed else matrix.highest
        enters = f", enters at {panel.stops[panel.lit]}" if panel.lit is not None else ""
        below = "".join(f", {plain(line)}" for line in panel.below)
        told.append(f"{plain(panel.title)}: {matrix.spoken(cell)}{enters}{below}")
    extreme = "smallest" if signed else "largest"
    return f"{title}; the {extreme} number of each. {'; '.join(told)}."


def _matrices(
    panels: Sequence[Panel], words: Sequence[str], allowed: ArrayLike | None, signed: bool, theme: Theme
) -> list[Matrix]:
    kind = real_numbers if signed else weights
    matrices = [kind(panel.matrix, words, None, allowed, theme) for panel in panels]
    if signed:
        matrices = [
            replace(matrix, scale=replace(matrix.scale, decimals=_decimals(matrix))) for matrix in matrices
        ]
    return [
        replace(matrix, legend=panel.below, gap=replace(matrix.gap, legend="masked"))
        for panel, matrix in zip(panels, matrices, strict=True)
    ]


def _decimals(matrix: Matrix) -> int:
    """Decimals that tell the numbers of this panel apart; none for whole ones."""
    values = matrix.values[~matrix.masked]
    return 0 if np.array_equal(values, values.round()) else max(LEAST_DECIMALS, matrix.scale.decimals)


def _grid(panels: Sequence[Panel], words: Sequence[str], between: int) -> Grid:
    widths = word_widths(words)
    strip = STRIP_LINE if any(panel.stops for panel in panels) else 0
    # Under a sentence of one or two words a panel is narrower than what stands above and below it.
    missing = max(0, SMALLEST - LARGEST_CELL * len(words))
    return Grid(
        query_widths=widths,
        key_widths=widths,
        panels=len(panels),
        caption=CAPTION_LINE + strip,
        between=between + missing,
    )


def _head_width(panels: Sequence[Panel]) -> float:
    """Pixels of width of the longest title or strip of stops, each up to that of a panel that has room."""
    titles = [em_width(panel.title) * CAPTION for panel in panels]
    strips = [sum(em_width(stop) * STOP + STOP_ROOM + ARROW for stop in one.stops) - ARROW for one in panels]
    return min(max(*titles, *strips), LONGEST_HEAD)


def _write_head(drawn: Canvas, grid: Grid, panel: Panel, box: Box) -> None:
    """The title of a panel, and below it the stops from a word vector to the scores, one of them lit."""
    top = box.top - grid.above - grid.caption
    shown = label(panel.title, longest=(box.width + grid.between) / CAPTION)
    look = {"xanchor": "left", "yanchor": "top", "font": {"size": CAPTION}}
    drawn.note(f"<b>{shown}</b>", box.left, top, **look)
    left = box.left
    for at, stop in enumerate(panel.stops):
        width = em_width(stop) * STOP + STOP_ROOM
        _draw_stop(drawn, Box(left, top + CAPTION_LINE, width, STOP_HEIGHT), stop, lit=at == panel.lit)
        left += width + ARROW
        if at < len(panel.stops) - 1:
            font = {"size": STOP, "color": drawn.theme.muted}
            drawn.note("→", left - ARROW / 2, top + CAPTION_LINE + STOP_HEIGHT / 2, font=font, **MIDDLE)


def _draw_stop(drawn: Canvas, box: Box, text: str, *, lit: bool) -> None:
    theme = drawn.theme
    across, upwards = drawn.domains(box, 0)
    drawn.shape(
        type="rect",
        xref="paper",
        yref="paper",
        x0=across[0],
        x1=across[1],
        y0=upwards[0],
        y1=upwards[1],
        line={"color": theme.primary if lit else theme.line, "width": 1.5},
        fillcolor=theme.primary if lit else theme.paper,
    )
    font = {"size": STOP, "color": theme.paper if lit else theme.muted}
    shown = f"<b>{label(text)}</b>" if lit else label(text)
    drawn.note(shown, box.left + box.width / 2, box.top + box.height / 2, font=font, **MIDDLE)
