"""Drawing of matrices side by side: cells, words, masked cells, the chosen cell and legends."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from viz.layout.canvas import (
    BAR,
    BAR_LINE,
    HEADLINE_LINE,
    LEGEND_LINE,
    Canvas,
    bar_room,
    canvas,
    headline_width,
    legend_width,
)
from viz.layout.cell_marks import dotted, framing, hatched, outlined
from viz.layout.cells import Cell, Matrix, checked_selection, with_colours_to_the_largest
from viz.layout.downsampling import Downsampled, downsample
from viz.layout.figure import Trace
from viz.layout.grid import (
    BETWEEN,
    KEY_TITLE,
    LARGEST_CELL,
    PADDING,
    SMALLEST_PANEL,
    TITLE_SIZE,
    WITHOUT_SIGN,
    Grid,
    fit,
    key_axis,
    query_axis,
    word_widths,
)
from viz.room import Room
from viz.text import em_width, fitting_size, label
from viz.theme import Theme

FRAME, SMALLEST_FRAME = 3, 8
MANY_CELLS = 128 * 128
"""Greatest number of cells with a text each.

A text is as large to send as a number. With more cells, no cell has a text of its own.
"""

CAPTION, SMALLEST_CAPTION, CAPTION_LINE = 16, 13, 30
"""Type size of a title above a panel in pixels, its least size in little room, and its line height."""

APART = 24
"""Pixels between a matrix and the legend beside it."""

SIGN = 24
"""Type size in pixels of the sign between two panels."""

SAID = "%{hovertext}<extra></extra>"
NAMELESS_HOVER = "<b>%{y}</b> · <b>%{x}</b>: %{hovertext}<extra></extra>"
HOVER = "query <b>%{y}</b> → key <b>%{x}</b>: %{hovertext}<extra></extra>"


UNSEEN = ((0, "rgba(0, 0, 0, 0)"), (1, "rgba(0, 0, 0, 0)"))
"""Clear colours for all-masked matrices: Plotly (7) neither draws nor clicks a matrix without numbers."""


@dataclass(frozen=True)
class Panel:
    """A matrix under its title, with a `sign` before it unless it is the first.

    `outlined_as` explains the `outlined` cells.
    """

    matrix: Matrix
    title: str = ""
    sign: str = ""
    outlined: Collection[Cell] = ()
    outlined_as: str = ""

    def explained(self, theme: Theme) -> "Panel":
        """Return the panel with a line for its outlined cells in the legend."""
        if not self.outlined:
            return self
        key = f'<span style="color:{theme.selection}">☐</span> {self.outlined_as}'
        return replace(self, matrix=replace(self.matrix, legend=(*self.matrix.legend, key)))


def draw_panels(
    panels: Sequence[Panel],
    room: Room,
    *,
    title: str = "",
    short: str = "",
    selected: Cell | None = None,
    is_whole: bool = False,
    beside: float = 0,
    smallest: int = SMALLEST_PANEL,
) -> tuple[Canvas, Grid]:
    """Draw equal matrices from left to right under one title, in more rows if one has no room.

    Each has separate axes: `x`, `y`; `x2`, `y2`; … A click reports x = key, y = query and, of several panels,
    the panel as customdata. Cells too small to be seen become blocks, see `downsampling`, unless the matrix
    `is_whole`. `beside` and `smallest` are as in `Grid`. A `short` title is drawn if the whole one has no
    room. In print there is neither title nor selection.
    """
    panels = [panel.explained(room.theme) for panel in panels]
    whole = [panel.matrix for panel in panels]
    checked_selection(selected, whole[0].values.shape, "(query, key)")
    if room.is_printed:
        title, selected = "", None
    legends = [(matrix.measure, *matrix.legend) for matrix in whole]
    titles = [em_width(panel.title) * SMALLEST_CAPTION for panel in panels]
    between = BETWEEN if any(panel.sign for panel in panels) else WITHOUT_SIGN
    grid = Grid(
        query_widths=word_widths(whole[0].queries),
        key_widths=word_widths(whole[0].keys),
        panels=len(panels),
        head=HEADLINE_LINE if title else 0,
        caption=CAPTION_LINE if any(titles) else 0,
        foot=_most_below(whole),
        between=between,
        beside=beside,
        smallest=smallest,
        titles=max(*titles, *map(legend_width, legends)) - between,
    )
    if room.fills and len(panels) == 1:
        wide = max(BAR, legend_width((*legends[0], whole[0].gap.legend))) + APART
        aside = replace(grid, foot=2 * PADDING, beside=wide, explains_beside=True)
        grid = max((grid, aside), key=lambda one: fit(one, room).cell)
    if is_whole:
        shown = Downsampled(whole, fit(grid, room), 1)
    else:
        shown = downsample(whole, grid, room, selected=selected)
    grid, selected = shown.grid, shown.block_of(selected)
    if shown.side == 1 and not grid.explains_beside:
        grid = _with_less_below(grid, whole, room)
    matrices = with_colours_to_the_largest(shown.matrices, grid, room.theme)
    drawn = [replace(panel, matrix=matrix) for panel, matrix in zip(panels, matrices, strict=True)]
    grid = _with_room(grid, drawn, title, room)
    surface = canvas(grid.width, grid.height, room.theme, title=title, short=short)
    for at, panel in enumerate(drawn):
        _draw(surface, grid, panel.matrix, at, selected)
        _write_caption(surface, grid, panel, at)
    for at, panel in enumerate(drawn, start=1):
        for line in outlined(panel.outlined, room.theme):
            number = str(at) if at > 1 else ""
            surface.add_trace(line | {"xaxis": f"x{number}", "yaxis": f"y{number}"})
    return surface, grid


def _most_below(matrices: Sequence[Matrix]) -> int:
    """Return pixels below a matrix while it is unknown whether it has a bar: as if it had."""
    lines = max(len(matrix.legend) + bool(matrix.masked.any()) for matrix in matrices)
    has_bar = any(matrix.measure for matrix in matrices)
    return 3 * PADDING + LEGEND_LINE * (lines + has_bar) + BAR_LINE * has_bar


def _with_less_below(grid: Grid, matrices: Sequence[Matrix], room: Room) -> Grid:
    """Return `grid` with larger cells if those need less room below them: cells with digits have no bar.

    It first tries whether digits fit without the bars, then whether they fit in cells that make the figure no
    higher than smaller cells with bars.
    """
    theme = room.theme
    bare = max(_foot(matrix, replace(grid, cell=LARGEST_CELL), theme) for matrix in matrices)
    foot = max(_foot(matrix, grid, theme) for matrix in matrices)

    def fits(one: Grid) -> bool:
        return all(_foot(matrix, one, theme) <= one.foot for matrix in matrices)

    def largest(foot: int) -> Grid:
        return fit(replace(grid, foot=foot, cell=LARGEST_CELL), room)

    if fits(found := largest(bare)):
        return found
    for cell in np.arange(grid.cell, LARGEST_CELL, 1).tolist():
        larger = replace(grid, cell=cell, foot=bare)
        if larger.width > room.width or larger.height > replace(grid, foot=foot).height:
            break
        if fits(larger):
            return larger
    return found if fits(found := largest(foot)) else grid


def _with_room(grid: Grid, panels: Sequence[Panel], title: str, room: Room) -> Grid:
    """Return `grid` with room below its matrices, and beside a row's last, but no wider than the room."""
    theme = room.theme
    feet = [_foot(panel.matrix, grid, theme) for panel in panels]
    foot, n = max(feet), grid.columns
    if grid.explains_beside:
        least = min(room.width, headline_width(title))
        return replace(grid, foot=max(2 * PADDING, foot - grid.box().height), least=least)
    ends = [headline_width(title)]
    for at, panel in enumerate(panels):
        if _is_last(grid, at):
            legend = legend_width(panel.matrix.legend_lines(grid, theme))
            ends.append(grid.box(at).left + max(em_width(panel.title) * CAPTION, legend))
    rows = tuple(max(feet[at : at + n]) for at in range(0, len(feet), n))
    return replace(grid, foot=foot, feet=rows, least=min(room.width, ceil(max(ends)) + 1))


def _write_caption(surface: Canvas, grid: Grid, panel: Panel, at: int) -> None:
    """Write the title above a panel, and its sign before it, or before its title if it begins a row."""
    box = grid.box(at)
    if panel.sign and not grid.is_first(at):
        x, y = box.left - grid.between / 2, box.top + box.height / 2
        surface.note(label(panel.sign), x, y, size=SIGN, colour=surface.theme.muted)
    if not panel.title:
        return
    leading = f"{label(panel.sign)} " if panel.sign and at and grid.is_first(at) else ""
    free = grid.width - box.left if _is_last(grid, at) else box.width + grid.between
    size = fitting_size(panel.title, free, usual=CAPTION, smallest=SMALLEST_CAPTION)
    shown = leading + label(panel.title, longest=free / size)
    above = grid.above if at < grid.columns else grid.above_later
    top = box.top - above - CAPTION_LINE
    surface.note(f"<b>{shown}</b>", box.left, top, "left top", size=size)


def _is_last(grid: Grid, at: int) -> bool:
    return at == grid.panels - 1 or grid.is_first(at + 1)


def _draw(surface: Canvas, grid: Grid, matrix: Matrix, panel: int, selected: Cell | None) -> None:
    """Draw a matrix on separate axes: `x` and `y` for the first panel, `x2` and `y2` for the next."""
    number, theme = str(panel + 1) if panel else "", surface.theme
    on, axes = {"xref": f"x{number}", "yref": f"y{number}"}, {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    surface.add_trace(_cells(surface, grid, matrix, panel) | axes)
    query, key = selected or (None, None)
    keys = key_axis(matrix.keys, grid, selected=key, colour=theme.key)
    queries = query_axis(matrix.queries, grid, selected=query, colour=theme.query)
    queries["showticklabels"] = grid.is_first(panel)
    surface.set_axes(grid.box(panel), keys, queries, number=number, around=PADDING)
    if matrix.masked.any() and not matrix.gap_sign(grid):
        field = dotted(len(matrix.queries), len(matrix.keys), grid.cell, theme)
        surface.image(**field, **on)
    if matrix.is_hatched(grid, theme):
        hatches = hatched(np.nan_to_num(matrix.values) < 0, grid.cell, theme)
        surface.add_trace(hatches | axes)
    if selected is not None:
        half = max(1.0, SMALLEST_FRAME / grid.cell) / 2  # visible with small cells
        (y0, x0), (y1, x1) = (tuple(at + side for at in selected) for side in (-half, half))
        for line in framing({"color": theme.selection, "width": FRAME}, theme):
            surface.shape(type="rect", line=line, x0=x0, x1=x1, y0=y0, y1=y1, **on)
    if grid.is_first(panel):
        box = grid.box(panel)
        x, y, role = box.left - 2 * PADDING, box.top - PADDING, matrix.roles[0].replace(": ", ":<br>")
        surface.note(role, x, y, "right bottom", size=TITLE_SIZE, colour=theme.query)
    if not panel:
        x, y, role = box.left, box.top - grid.above, matrix.roles[1]
        surface.note(role, x, y, "left top", size=TITLE_SIZE, colour=theme.key)
    _write_legend(surface, grid, matrix, panel)


def _cells(surface: Canvas, grid: Grid, matrix: Matrix, panel: int) -> Trace:
    cell, scale, values = grid.cell, matrix.scale, matrix.values
    apart = 2 if cell >= 24 else 1 if cell >= 6 else 0
    look: dict[str, Any] = {"xgap": apart, "ygap": apart, "showscale": matrix.has_bar(grid)}
    if matrix.has_bar(grid):
        left, top = _explained_at(grid, panel)
        length = BAR if grid.explains_beside else min(grid.box(panel).width, BAR)
        look["colorbar"] = surface.bar(scale, left, top, length)
    size, many = matrix.digits_size(grid), values.size > MANY_CELLS
    if size:
        text = matrix.printed(surface.theme, grid)
        look |= {"text": text, "texttemplate": "%{text}", "textfont": {"size": size}}
    panels = np.full(values.shape, panel, dtype=np.uint8) if grid.panels > 1 else None
    look |= {"customdata": matrix.clicked() or panels, "hoverongaps": not many}
    look |= {"hovertext": None if many else matrix.said or matrix.hovers()}
    if matrix.masked.all():
        scale, values = replace(scale, colours=UNSEEN), np.zeros(values.shape, np.uint8)
    return scale.heatmap(values, hovertemplate=_hover(matrix, many=many), **look)


def _hover(matrix: Matrix, *, many: bool) -> str:
    if matrix.said is not None:
        return SAID
    hover = HOVER if matrix.roles[1] == KEY_TITLE else NAMELESS_HOVER
    return hover.replace("%{hovertext}", f"%{{z:.{matrix.scale.decimals}f}}") if many else hover


def _foot(matrix: Matrix, grid: Grid, theme: Theme) -> int:
    """Return room in pixels below a matrix for its colour bar and its legend."""
    lines = matrix.legend_lines(grid, theme)
    room = bar_room(lines, _beside(grid)) if matrix.has_bar(grid) else LEGEND_LINE * len(lines)
    return 3 * PADDING + room


def _beside(grid: Grid) -> float:
    """Return pixels from the left of a matrix to the next matrix, or to the edge after the last."""
    return grid.width - grid.left if grid.columns == 1 else grid.box().width


def _write_legend(surface: Canvas, grid: Grid, matrix: Matrix, panel: int) -> None:
    lines, (left, top) = matrix.legend_lines(grid, surface.theme), _explained_at(grid, panel)
    if matrix.has_bar(grid):
        surface.legend_of_bar(lines, left, top, 0 if grid.explains_beside else _beside(grid))
    else:
        surface.legend(lines, left, top)


def _explained_at(grid: Grid, panel: int) -> tuple[float, float]:
    box = grid.box(panel)
    return (box.right + APART, box.top) if grid.explains_beside else (box.left, box.bottom + 2 * PADDING)
