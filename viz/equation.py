"""One stage of a head as an equation of matrices: what goes in, the signs between, and what comes out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.parts.canvas import BAR, BAR_LINE, Box, Canvas, canvas
from viz.parts.masked import dotted
from viz.parts.operand import APART, LONGEST_WORD, PAST, SIGN, SLANT, TYPE, Part, Plain, sign_width
from viz.parts.scale import Scale, weight_scale
from viz.parts.sketch import trace_of
from viz.text import label
from viz.theme import Theme

CAPTION, CAPTION_LINE = 16, 28
"""Pixels of the type of a matrix's name, and of its line."""

LARGEST, LOWEST, HIGHEST = 64, 24, 40
"""Pixels of a cell: its greatest width, and its least and greatest height."""

LEAST_BAR, BELOW = 64, 8
"""Pixels of a colour bar at least, for the numbers at its ends, and from the cells to it."""

EDGE = 6
"""Pixels at the rim."""

MORE = "…"


def equation(stage: Plain, *, theme: Theme, width: float, height: float | None = None) -> go.Figure:
    """A stage as `pages/step_by_step` has it for the browser, in so many pixels: the same words and digits.

    Matrices that one line has no room for stand in several. Where cells have no room for numbers their
    colours stay, with a bar that says what they mean; what is masked is dotted then.
    """
    parts = _parts(stage, theme)
    lines = _lines(parts, width - 2 * EDGE)
    cell = min(_cell(line, width - 2 * EDGE) for line in lines)
    rows = sum(max(len(part.values) for part in line) for line in lines)
    around = sum(_above(line) + _under(line, cell) for line in lines) + 2 * EDGE
    high = min(HIGHEST, max(LOWEST, ((height or 0) - around) / rows))
    drawn = canvas(width, around + rows * high, theme)
    top = float(EDGE)
    for line in lines:
        top += _above(line)
        left = float(EDGE)
        for part in line:
            left = _put(drawn, part, left, top, (cell, high))
        top += max(len(part.values) for part in line) * high + _under(line, cell)
    return drawn.finished()


def _parts(stage: Plain, theme: Theme) -> list[Part]:
    colours = vars(theme)
    operands = [
        Part(one, one["name"], colours[one["role"]], one["before"], one["after"]) for one in stage["operands"]
    ]
    equals = "=" if operands else ""
    return [*operands, Part(stage["result"], stage["symbol"], colours[stage["role"]], equals, "")]


def _lines(parts: Sequence[Part], width: float) -> list[list[Part]]:
    """The parts in as few lines as leave numbers legible; one that no line has room for has its own."""
    lines: list[list[Part]] = []
    for part in parts:
        longer = [*lines[-1], part] if lines else []
        if longer and _cell(longer, width) >= max(one.number for one in longer):
            lines[-1].append(part)
        else:
            lines.append([part])
    return lines


def _cell(line: Sequence[Part], width: float) -> float:
    """Pixels of width of a cell, if a line fills this width."""
    room = width - sum(part.beside for part in line)
    return max(4.0, min(LARGEST, room / sum(part.n_columns for part in line)))


def _above(line: Sequence[Part]) -> float:
    return CAPTION_LINE + max(part.heads for part in line)


def _under(line: Sequence[Part], cell: float) -> float:
    bars = BAR_LINE * any(cell < part.number for part in line)
    return APART + TYPE * any(part.has_more_rows for part in line) + bars


def _put(drawn: Canvas, part: Part, left: float, top: float, cell: tuple[float, float]) -> float:
    """Draw a part from `left` on, its first row at `top`; returns where the next one begins."""
    middle = top + min(len(part.values), 2) / 2 * cell[1]
    left = _write_sign(drawn, part.before, left, middle)
    box = Box(left + part.words, top, part.n_columns * cell[0], len(part.values) * cell[1])
    _draw(drawn, part, box, cell)
    _write_around(drawn, part, box)
    end = box.right + PAST * part.has_more_columns + APART + part.lean
    return _write_sign(drawn, part.after, end, middle)


def _write_sign(drawn: Canvas, sign: str, left: float, middle: float) -> float:
    if sign:
        drawn.note(label(sign), left, middle, xanchor="left", yanchor="middle", font={"size": SIGN})
    return left + sign_width(sign)


def _draw(drawn: Canvas, part: Part, box: Box, cell: tuple[float, float]) -> None:
    """The cells, on axes of their own, with words beside and above."""
    number = str(len(drawn.figure.data) + 1) if drawn.figure.data else ""
    on = {"xref": f"x{number}", "yref": f"y{number}"}
    is_written = cell[0] >= part.number
    masked = np.isnan(part.values)
    _set_axes(drawn, part, box, number)
    trace = _trace(part, drawn.theme, is_written)
    trace["colorbar"] = _bar(drawn, part, box)
    drawn.figure.add_trace(trace | {"xaxis": on["xref"], "yaxis": on["yref"]})
    if masked.any() and not is_written:
        drawn.figure.add_layout_image(**dotted(len(masked), part.n_columns, min(cell), drawn.theme), **on)
    if is_written:
        for row, column in np.argwhere(masked).tolist():
            look = {"font": {"size": TYPE, "color": drawn.theme.muted}, "showarrow": False, "borderpad": 0}
            drawn.figure.add_annotation(text=part.shown(row, column), x=column, y=row, **on, **look)
    drawn.shape(**_lines_between(masked.shape, drawn.theme), **on)
    for row, column in np.argwhere(np.array(part.said["changed"] or [], dtype=bool)).tolist():
        drawn.shape(**_corner(row, column, drawn.theme), **on)


def _bar(drawn: Canvas, part: Part, box: Box) -> dict[str, Any]:
    """The colour bar of a part below its cells, which waits where these have numbers."""
    top = box.bottom + BELOW + TYPE * part.has_more_rows
    return drawn.bar(_scale(part, drawn.theme), box.left, top, max(LEAST_BAR, min(box.width, BAR)))


def _trace(part: Part, theme: Theme, is_written: bool) -> dict[str, Any]:
    scale = _scale(part, theme)
    rows, columns = part.values.shape
    inks = scale.inks(part.values, theme)
    text = [
        [f'<span style="color:{inks[i, j]}">{part.shown(i, j)}</span>' for j in range(columns)]
        for i in range(rows)
    ]
    digits = {"text": text, "texttemplate": "%{text}", "textfont": {"size": TYPE}}
    return trace_of(
        "heatmap",
        z=part.values,
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.colours,
        xgap=1,
        ygap=1,
        showscale=not is_written,
        hoverinfo="skip",
        **(digits if is_written else {}),
    )


def _scale(part: Part, theme: Theme) -> Scale:
    """The colours of a part: zero has that of the paper."""
    if part.said["weights"]:
        return weight_scale(theme)
    limit = part.said["limit"]
    return Scale(colours=theme.diverging, low=-limit, high=limit, decimals=2, faint=False)


def _set_axes(drawn: Canvas, part: Part, box: Box, number: str) -> None:
    across, upwards = drawn.domains(box, 0)
    rows, columns = (
        [label(word, longest=LONGEST_WORD) for word in part.said[of]] for of in ("rows", "columns")
    )
    look = {
        "visible": True,
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "tickmode": "array",
    }
    look |= {"tickfont": {"size": TYPE}}
    angle = -SLANT if part.said["columnsAreWords"] else 0
    x = {
        "range": (-0.5, len(columns) - 0.5),
        "side": "top",
        "tickangle": angle,
        "domain": across,
        "anchor": f"y{number}",
    }
    y = {"range": (len(rows) - 0.5, -0.5), "domain": upwards, "anchor": f"x{number}"}
    drawn.figure.layout[f"xaxis{number}"] = {
        **look,
        **x,
        "tickvals": list(range(len(columns))),
        "ticktext": columns,
    }
    drawn.figure.layout[f"yaxis{number}"] = {
        **look,
        **y,
        "tickvals": list(range(len(rows))),
        "ticktext": rows,
    }


def _write_around(drawn: Canvas, part: Part, box: Box) -> None:
    """The name and the size above, and dots where more rows or columns are than are drawn."""
    name, size = label(part.name, longest=24), part.said["size"]
    caption = f'<b>{name}</b> <span style="color:{drawn.theme.muted}">{size}</span>'
    look = {"xanchor": "left", "font": {"size": CAPTION, "color": part.colour}}
    drawn.note(caption, box.left, box.top - part.heads, yanchor="bottom", **look)
    faint = {"font": {"size": TYPE, "color": drawn.theme.muted}}
    if part.has_more_columns:
        drawn.note(MORE, box.right + PAST / 2, box.top + box.height / 2, yanchor="middle", **faint)
    if part.has_more_rows:
        drawn.note(MORE, box.left - APART, box.bottom + 2, xanchor="right", yanchor="top", **faint)


def _lines_between(shape: tuple[int, ...], theme: Theme) -> dict[str, Any]:
    """Thin lines round all cells, for one that is zero has the colour of the paper."""
    rows, columns = shape
    across = (f"M-0.5 {at - 0.5}H{columns - 0.5}" for at in range(rows + 1))
    upwards = (f"M{at - 0.5} -0.5V{rows - 0.5}" for at in range(columns + 1))
    return {"type": "path", "path": "".join((*across, *upwards)), "line": {"width": 1, "color": theme.line}}


def _corner(row: int, column: int, theme: Theme) -> dict[str, Any]:
    """A mark in the upper left of a cell that was changed by hand."""
    x, y, side = column - 0.48, row - 0.48, 0.25
    path = f"M{x} {y}L{x + side} {y}L{x} {y + side}Z"
    return {"type": "path", "path": path, "fillcolor": theme.selection, "line": {"width": 0}}
