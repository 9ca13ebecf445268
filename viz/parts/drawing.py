"""Draws a matrix into its place: cells, words, masked cells, the chosen cell and what explains them."""

from typing import Any

import numpy as np

from viz.parts.axes import key_axis, query_axis
from viz.parts.canvas import BAR, LEGEND_LINE, Canvas, bar_room
from viz.parts.cells import Cell, Matrix, checked_selection
from viz.parts.frames import framing
from viz.parts.grid import KEY_TITLE, PADDING, TITLE_SIZE, Grid
from viz.parts.masked import dotted
from viz.parts.sketch import Trace, trace_of
from viz.theme import Theme

FRAME, SMALLEST_FRAME = 3, 8
MANY_CELLS = 128 * 128
"""Most cells with a text each, which weighs as much as its number: above it masked cells say nothing."""

SAID = "%{hovertext}<extra></extra>"
NAMELESS_HOVER = "<b>%{y}</b> · <b>%{x}</b>: %{hovertext}<extra></extra>"
HOVER = "query <b>%{y}</b> → key <b>%{x}</b>: %{hovertext}<extra></extra>"


def draw(canvas: Canvas, grid: Grid, matrix: Matrix, *, panel: int = 0, selected: Cell | None = None) -> None:
    """Draw a matrix on axes of its own, `x` and `y` for the first panel, `x2` and `y2` for the next."""
    checked_selection(selected, matrix.values.shape, "(query, key)")
    number = str(panel + 1) if panel else ""
    on = {"xref": f"x{number}", "yref": f"y{number}"}
    trace = _cells(canvas, grid, matrix, panel)
    canvas.figure.add_trace(trace | {"xaxis": on["xref"], "yaxis": on["yref"]})
    _set_axes(canvas, grid, matrix, panel, number, selected)
    if matrix.masked.any() and not matrix.gap_sign(grid.cell):
        field = dotted(len(matrix.queries), len(matrix.keys), grid.cell, canvas.theme)
        canvas.figure.add_layout_image(**field, **on)
    if selected is not None:
        for frame in _frames(selected, grid.cell, canvas.theme):
            canvas.shape(**frame, **on)
    if grid.is_first(panel):
        _write_axis_titles(canvas, grid, matrix, panel)
    _write_legend(canvas, grid, matrix, panel)


def _cells(canvas: Canvas, grid: Grid, matrix: Matrix, panel: int) -> Trace:
    box, cell, scale = grid.box(panel), grid.cell, matrix.scale
    apart = 2 if cell >= 24 else 1 if cell >= 6 else 0
    size = matrix.digits_size(cell)
    bar = canvas.bar(scale, box.left, box.bottom + 2 * PADDING, min(box.width, BAR))
    many = matrix.values.size > MANY_CELLS
    panels = np.full(matrix.values.shape, panel, dtype=np.uint8) if grid.panels > 1 else None
    digits = {"text": matrix.printed(canvas.theme), "texttemplate": "%{text}", "textfont": {"size": size}}
    return trace_of(
        "heatmap",
        z=matrix.values,
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.colours,
        xgap=apart,
        ygap=apart,
        customdata=matrix.clicked() or panels,
        hovertext=None if many else matrix.said or matrix.hovers(),
        hovertemplate=_hover(matrix, many=many),
        hoverongaps=not many,
        showscale=not size and matrix.has_bar,
        colorbar=bar if matrix.has_bar else None,  # beside digits it waits until these have no room
        **(digits if size else {}),
    )


def _hover(matrix: Matrix, *, many: bool) -> str:
    if matrix.said is not None:
        return SAID
    hover = HOVER if matrix.roles[1] == KEY_TITLE else NAMELESS_HOVER
    return hover.replace("%{hovertext}", f"%{{z:.{matrix.scale.decimals}f}}") if many else hover


def _set_axes(
    canvas: Canvas, grid: Grid, matrix: Matrix, panel: int, number: str, selected: Cell | None
) -> None:
    query, key = selected or (None, None)
    across, upwards = canvas.domains(grid.box(panel), PADDING)
    keys = key_axis(matrix.keys, grid, selected=key, colour=canvas.theme.key)
    queries = query_axis(matrix.queries, grid, selected=query, colour=canvas.theme.query)
    beside = {"showticklabels": grid.is_first(panel)}
    canvas.figure.layout[f"xaxis{number}"] = {**keys, "domain": across, "anchor": f"y{number}"}
    canvas.figure.layout[f"yaxis{number}"] = {**queries, **beside, "domain": upwards, "anchor": f"x{number}"}


def _frames(selected: Cell, cell: float, theme: Theme) -> list[dict[str, Any]]:
    """A frame round a (query, key), large enough to be seen where cells are small."""
    query, key = selected
    half = max(1.0, SMALLEST_FRAME / cell) / 2
    corners = {"x0": key - half, "x1": key + half, "y0": query - half, "y1": query + half}
    lines = framing({"color": theme.selection, "width": FRAME}, theme)
    return [{"type": "rect", "line": line, **corners} for line in lines]


def _write_axis_titles(canvas: Canvas, grid: Grid, matrix: Matrix, panel: int) -> None:
    """The two titles, upright, beside the words they are about, so that neither can be cut off."""
    box, theme = grid.box(panel), canvas.theme
    query_look = {"xanchor": "right", "font": {"size": TITLE_SIZE, "color": theme.query}}
    key_look = {"xanchor": "left", "font": {"size": TITLE_SIZE, "color": theme.key}}
    canvas.note(matrix.roles[0], box.left - 2 * PADDING, box.top - PADDING, yanchor="bottom", **query_look)
    canvas.note(matrix.roles[1], box.left, box.top - grid.above, yanchor="top", **key_look)


def foot(matrix: Matrix, grid: Grid) -> int:
    """Room in pixels below a matrix for its colour bar and its legend."""
    lines = matrix.legend_lines(grid.cell)
    room = bar_room(lines, _beside(grid)) if _has_bar(matrix, grid) else LEGEND_LINE * len(lines)
    return 3 * PADDING + room


def _has_bar(matrix: Matrix, grid: Grid) -> bool:
    """A colour bar is for matrices whose cells are too small for digits."""
    return matrix.has_bar and not matrix.digits_size(grid.cell)


def _beside(grid: Grid) -> float:
    """Pixels from where a matrix begins to the next one or, where there is none, to the edge."""
    return grid.width - grid.left if grid.columns == 1 else grid.box().width


def _write_legend(canvas: Canvas, grid: Grid, matrix: Matrix, panel: int) -> None:
    box, lines = grid.box(panel), matrix.legend_lines(grid.cell)
    top = box.bottom + 2 * PADDING
    if _has_bar(matrix, grid):
        canvas.legend_of_bar(lines, box.left, top, _beside(grid))
    else:
        canvas.legend(lines, box.left, top)
