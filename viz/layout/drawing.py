"""Draws matrices side by side: cells, words, masked cells, the chosen cell and what explains them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from viz.layout.axes import key_axis, query_axis
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
from viz.layout.cells import Cell, Matrix, checked_selection, with_colours_to_the_largest
from viz.layout.downsampling import Downsampled, downsample
from viz.layout.frames import framing
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
    in_lines,
    word_widths,
)
from viz.layout.masked import dotted, hatched
from viz.layout.sketch import Trace
from viz.room import Room
from viz.text import em_width, fitting_size, label
from viz.theme import Theme

FRAME, SMALLEST_FRAME = 3, 8
MANY_CELLS = 128 * 128
"""Most cells with a text each, which weighs as much as its number: above it masked cells say nothing."""

CAPTION, SMALLEST_CAPTION, CAPTION_LINE = 16, 13, 30
"""Type size of a title above a panel in pixels, the smallest where it has little room, and its line."""

APART = 24
"""Pixels between a matrix and what explains it beside it."""

SIGN = 24
"""Type size in pixels of the sign between two panels."""

SAID = "%{hovertext}<extra></extra>"
NAMELESS_HOVER = "<b>%{y}</b> · <b>%{x}</b>: %{hovertext}<extra></extra>"
HOVER = "query <b>%{y}</b> → key <b>%{x}</b>: %{hovertext}<extra></extra>"


@dataclass(frozen=True)
class Panel:
    """A matrix under its title; the `sign` stands before it unless it is the first."""

    matrix: Matrix
    title: str = ""
    sign: str = ""


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
    """Draw equal matrices from left to right under one title, in more rows where one has no room.

    Each has its own axes: `x`, `y`; `x2`, `y2`; … A click reports x = key, y = query and, of several panels,
    which it hit as customdata. Cells too small to be seen become blocks, see `downsampling`, unless the
    matrix `is_whole`. `beside` pixels are free after the last panel, and `smallest` is as in `fit`. A
    `short` title is drawn where the whole one has no room. In print there is neither title nor selection.
    """
    whole = [panel.matrix for panel in panels]
    checked_selection(selected, whole[0].values.shape, "(query, key)")
    if room.is_printed:
        title, selected = "", None
    grid = Grid(
        query_widths=word_widths(whole[0].queries),
        key_widths=word_widths(whole[0].keys),
        panels=len(panels),
        head=HEADLINE_LINE if title else 0,
        caption=CAPTION_LINE if any(panel.title for panel in panels) else 0,
        foot=_most_below(whole),
        between=BETWEEN if any(panel.sign for panel in panels) else WITHOUT_SIGN,
        beside=beside,
    )
    named = [em_width(panel.title) * SMALLEST_CAPTION for panel in panels]
    said = [legend_width((panel.matrix.measure, *panel.matrix.legend)) for panel in panels]
    sizes: dict[str, Any] = {"smallest": smallest, "titles": max(*named, *said) - grid.between}
    if room.fills and len(panels) == 1:
        lines = (whole[0].measure, *whole[0].legend, whole[0].gap.legend)
        wide = max(BAR, legend_width(lines)) + APART
        aside = replace(grid, foot=2 * PADDING, beside=wide, explains_beside=True)
        grid = max((grid, aside), key=lambda one: fit(one, room, **sizes).cell)
    if is_whole:
        shown = Downsampled(whole, fit(grid, room, **sizes), 1)
    else:
        shown = downsample(whole, grid, room, selected=selected, **sizes)
    grid, selected = shown.grid, shown.block_of(selected)
    if shown.side == 1 and not grid.explains_beside:
        grid = _with_less_below(grid, whole, room, sizes)
    matrices = with_colours_to_the_largest(shown.matrices, grid, room.theme)
    drawn = [replace(panel, matrix=matrix) for panel, matrix in zip(panels, matrices, strict=True)]
    grid = _with_room(grid, drawn, title, room)
    surface = canvas(grid.width, grid.height, room.theme, title=title, short=short)
    for at, panel in enumerate(drawn):
        _draw(surface, grid, panel.matrix, at, selected)
        _write_caption(surface, grid, panel, at)
    return surface, grid


def _most_below(matrices: Sequence[Matrix]) -> int:
    """Pixels below a matrix before it is known whether it has a bar: as if it had."""
    lines = max(len(matrix.legend) + bool(matrix.masked.any()) for matrix in matrices)
    has_bar = any(matrix.measure for matrix in matrices)
    return 3 * PADDING + LEGEND_LINE * (lines + has_bar) + BAR_LINE * has_bar


def _with_less_below(grid: Grid, matrices: Sequence[Matrix], room: Room, sizes: Mapping[str, Any]) -> Grid:
    """`grid` with larger cells if those need less room below them: cells with digits have no bar."""
    foot = max(_foot(matrix, grid, room.theme) for matrix in matrices)
    larger = fit(replace(grid, foot=foot, cell=LARGEST_CELL), room, **sizes)
    return larger if all(_foot(matrix, larger, room.theme) <= foot for matrix in matrices) else grid


def _with_room(grid: Grid, panels: Sequence[Panel], title: str, room: Room) -> Grid:
    """`grid` with room below its matrices, and beside the last of a row for the end of its title and legend.

    It gets no wider than the room for that.
    """
    theme = room.theme
    foot = max(_foot(panel.matrix, grid, theme) for panel in panels)
    if grid.explains_beside:
        return replace(
            grid,
            foot=max(2 * PADDING, foot - grid.box().height),
            least=min(room.width, headline_width(title)),
        )
    grid = replace(grid, foot=foot)
    ends = [
        grid.box(at).left
        + max(em_width(panel.title) * CAPTION, legend_width(panel.matrix.legend_lines(grid, theme)))
        for at, panel in enumerate(panels)
        if _is_last(grid, at)
    ]
    return replace(grid, least=min(room.width, ceil(max(headline_width(title), *ends)) + 1))


def _write_caption(surface: Canvas, grid: Grid, panel: Panel, at: int) -> None:
    """The title above a panel, smaller or cut where the next panel or the edge is, and the sign before it.

    Before a row the sign stands with the title.
    """
    box = grid.box(at)
    if panel.sign and not grid.is_first(at):
        font = {"size": SIGN, "color": surface.theme.muted}
        surface.note(label(panel.sign), box.left - grid.between / 2, box.top + box.height / 2, font=font)
    if not panel.title:
        return
    leading = f"{label(panel.sign)} " if panel.sign and at and grid.is_first(at) else ""
    free = grid.width - box.left if _is_last(grid, at) else box.width + grid.between
    size = fitting_size(panel.title, free, usual=CAPTION, smallest=SMALLEST_CAPTION)
    shown = leading + label(panel.title, longest=free / size)
    look = {"xanchor": "left", "yanchor": "top", "font": {"size": size}}
    surface.note(f"<b>{shown}</b>", box.left, box.top - grid.above - CAPTION_LINE, **look)


def _is_last(grid: Grid, at: int) -> bool:
    """Whether nothing stands to the right of a panel."""
    return at == grid.panels - 1 or grid.is_first(at + 1)


def _draw(surface: Canvas, grid: Grid, matrix: Matrix, panel: int, selected: Cell | None) -> None:
    """Draw a matrix on separate axes: `x` and `y` for the first panel, `x2` and `y2` for the next."""
    number = str(panel + 1) if panel else ""
    on = {"xref": f"x{number}", "yref": f"y{number}"}
    trace = _cells(surface, grid, matrix, panel)
    surface.figure.add_trace(trace | {"xaxis": on["xref"], "yaxis": on["yref"]})
    _set_axes(surface, grid, matrix, panel, number, selected)
    if matrix.masked.any() and not matrix.gap_sign(grid):
        field = dotted(len(matrix.queries), len(matrix.keys), grid.cell, surface.theme)
        surface.figure.add_layout_image(**field, **on)
    if matrix.is_hatched(grid, surface.theme):
        is_below = np.nan_to_num(matrix.values) < 0
        hatches = hatched(is_below, grid.cell, surface.theme)
        surface.figure.add_trace(hatches | {"xaxis": on["xref"], "yaxis": on["yref"]})
    if selected is not None:
        for frame in _frames(selected, grid.cell, surface.theme):
            surface.shape(**frame, **on)
    if grid.is_first(panel):
        _write_axis_titles(surface, grid, matrix, panel)
    _write_legend(surface, grid, matrix, panel)


def _cells(surface: Canvas, grid: Grid, matrix: Matrix, panel: int) -> Trace:
    box, cell, scale = grid.box(panel), grid.cell, matrix.scale
    apart = 2 if cell >= 24 else 1 if cell >= 6 else 0
    size = matrix.digits_size(grid)
    has_bar = matrix.has_bar(grid)
    left, top = _explained_at(grid, panel)
    bar = surface.bar(scale, left, top, BAR if grid.explains_beside else min(box.width, BAR))
    many = matrix.values.size > MANY_CELLS
    panels = np.full(matrix.values.shape, panel, dtype=np.uint8) if grid.panels > 1 else None
    digits = {"text": matrix.printed(surface.theme), "texttemplate": "%{text}", "textfont": {"size": size}}
    return scale.heatmap(
        matrix.values,
        xgap=apart,
        ygap=apart,
        customdata=matrix.clicked() or panels,
        hovertext=None if many else matrix.said or matrix.hovers(),
        hovertemplate=_hover(matrix, many=many),
        hoverongaps=not many,
        showscale=has_bar,
        colorbar=bar if has_bar else None,
        **(digits if size else {}),
    )


def _hover(matrix: Matrix, *, many: bool) -> str:
    if matrix.said is not None:
        return SAID
    hover = HOVER if matrix.roles[1] == KEY_TITLE else NAMELESS_HOVER
    return hover.replace("%{hovertext}", f"%{{z:.{matrix.scale.decimals}f}}") if many else hover


def _set_axes(
    surface: Canvas, grid: Grid, matrix: Matrix, panel: int, number: str, selected: Cell | None
) -> None:
    query, key = selected or (None, None)
    across, upwards = surface.domains(grid.box(panel), PADDING)
    keys = key_axis(matrix.keys, grid, selected=key, colour=surface.theme.key)
    queries = query_axis(matrix.queries, grid, selected=query, colour=surface.theme.query)
    beside = {"showticklabels": grid.is_first(panel)}
    surface.figure.layout[f"xaxis{number}"] = {**keys, "domain": across, "anchor": f"y{number}"}
    surface.figure.layout[f"yaxis{number}"] = {**queries, **beside, "domain": upwards, "anchor": f"x{number}"}


def _frames(selected: Cell, cell: float, theme: Theme) -> list[dict[str, Any]]:
    """A frame round a (query, key), large enough to be seen where cells are small."""
    query, key = selected
    half = max(1.0, SMALLEST_FRAME / cell) / 2
    corners = {"x0": key - half, "x1": key + half, "y0": query - half, "y1": query + half}
    lines = framing({"color": theme.selection, "width": FRAME}, theme)
    return [{"type": "rect", "line": line, **corners} for line in lines]


def _write_axis_titles(surface: Canvas, grid: Grid, matrix: Matrix, panel: int) -> None:
    """The two titles, upright, beside the words they are about, so that neither can be cut off."""
    box, theme = grid.box(panel), surface.theme
    query_look = {"xanchor": "right", "font": {"size": TITLE_SIZE, "color": theme.query}}
    key_look = {"xanchor": "left", "font": {"size": TITLE_SIZE, "color": theme.key}}
    queries = in_lines(matrix.roles[0])
    surface.note(queries, box.left - 2 * PADDING, box.top - PADDING, yanchor="bottom", **query_look)
    surface.note(matrix.roles[1], box.left, box.top - grid.above, yanchor="top", **key_look)


def _foot(matrix: Matrix, grid: Grid, theme: Theme) -> int:
    """Room in pixels below a matrix for its colour bar and its legend."""
    lines = matrix.legend_lines(grid, theme)
    room = bar_room(lines, _beside(grid)) if matrix.has_bar(grid) else LEGEND_LINE * len(lines)
    return 3 * PADDING + room


def _beside(grid: Grid) -> float:
    """Pixels from the left of a matrix to the next matrix, or to the edge after the last."""
    return grid.width - grid.left if grid.columns == 1 else grid.box().width


def _write_legend(surface: Canvas, grid: Grid, matrix: Matrix, panel: int) -> None:
    lines, (left, top) = matrix.legend_lines(grid, surface.theme), _explained_at(grid, panel)
    if matrix.has_bar(grid):
        surface.legend_of_bar(lines, left, top, 0 if grid.explains_beside else _beside(grid))
    else:
        surface.legend(lines, left, top)


def _explained_at(grid: Grid, panel: int) -> tuple[float, float]:
    """Where the bar and the legend of a panel begin: below it, or beside it where a room is wide."""
    box = grid.box(panel)
    return (box.right + APART, box.top) if grid.explains_beside else (box.left, box.bottom + 2 * PADDING)
