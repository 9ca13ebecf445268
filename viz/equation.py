"""One stage of a head as an equation of matrices: what goes in, the signs between, and what comes out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from viz.layout.canvas import BAR, BAR_LINE, Box, Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.filling import MOST, STEP, tallest
from viz.layout.masked import dotted
from viz.layout.operand import APART, LONGEST_WORD, PAST, SLANT, TYPE, Part, Plain, sign_size, sign_width
from viz.layout.scale import Scale, weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import label
from viz.theme import Theme

CAPTION, CAPTION_LINE = 16, 28
"""The type of a matrix's name, and its line. All lengths are units of the drawing."""

LARGEST, USUAL, LOWEST, HIGHEST = 64, 24, 17, 40
"""The greatest width of a cell, its usual height, and its height at least and at most."""

LEAST_BAR, BELOW = 64, 8
"""Length of a colour bar at least, for the numbers at its ends, and from the cells to it."""

EDGE = 6
"""What stays free at the rim."""

MORE = "…"


@dataclass(frozen=True, kw_only=True, eq=False)
class Equation(Picture):
    """A stage as `pages/step_by_step` has it for the browser, with the same words and digits.

    Matrices that one line has no room for stand in several. In a line words stand beside the first matrix
    that has them. Where cells have no room for numbers their colours stay, with a bar that says what they
    mean; what is masked is dotted then. `told` is the alternative text.
    """

    stage: Plain
    told: str
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        parts = _parts(self.stage, room.theme)
        times = _magnification(parts, room)
        width = room.width / times
        lines = _lines(parts, width - 2 * EDGE)
        cell = min(_cell(line, width - 2 * EDGE) for line in lines)
        rows, around = _rows(lines), _around(lines, cell)
        free = (tallest(room) / times - around) / rows if room.fills else USUAL
        high = min(HIGHEST, max(LOWEST, free))
        drawing = _Drawing(canvas(room.width, (around + rows * high) * times, room.theme), times)
        top = float(EDGE)
        for line in lines:
            top += _above(line)
            left = float(EDGE)
            for part in line:
                left = drawing.put(part, left, top, (cell, high))
            top += max(len(part.values) for part in line) * high + _under(line, cell)
        return drawing.canvas.finished()

    def alt(self) -> str:
        return self.told

    def table(self) -> pd.DataFrame | None:
        return None if self.behind is None else self.behind()

    @property
    def has_table(self) -> bool:
        return self.behind is not None


def _magnification(parts: Sequence[Part], room: Room) -> float:
    """Return how large the equation becomes: with its numbers, in few lines, then as large as possible."""
    least = room.smallest_type / TYPE
    sizes = [*np.arange(MOST if room.fills else 1.0, least, -STEP).tolist(), least]

    def worth(times: float) -> tuple[bool, int, int, float]:
        width = room.width / times - 2 * EDGE
        lines = _lines(parts, width)
        cell = min(_cell(line, width) for line in lines)
        height = _rows(lines) * LOWEST + _around(lines, cell)
        fits = not room.fills or height * times <= tallest(room)
        n_written = sum(cell >= part.number for part in parts)
        return fits, n_written, -len(lines), times if fits else -times

    return max(sizes, key=worth)


def _rows(lines: Sequence[Sequence[Part]]) -> int:
    return sum(max(len(part.values) for part in line) for line in lines)


def _around(lines: Sequence[Sequence[Part]], cell: float) -> float:
    """The height of everything but the rows."""
    return sum(_above(line) + _under(line, cell) for line in lines) + 2 * EDGE


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
        longer = list(_once([*lines[-1], part])) if lines else []
        if longer and _cell(longer, width) >= max(one.number for one in longer):
            lines[-1] = longer
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


def _once(line: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts of a line without words that an earlier part has already."""
    for at, part in enumerate(line):
        named = any(one.said["rows"] == part.said["rows"] for one in line[:at])
        yield replace(part, has_names=not named)


@dataclass(frozen=True)
class _Drawing:
    """An equation under construction, each of its units `times` pixels."""

    canvas: Canvas
    times: float

    def put(self, part: Part, left: float, top: float, cell: tuple[float, float]) -> float:
        """Draw a part from `left` on, its first row at `top`; returns where the next one begins."""
        middle = top + min(len(part.values), 2) / 2 * cell[1]
        left = self._write_sign(part.before, left, middle)
        box = Box(left + part.words, top, part.n_columns * cell[0], len(part.values) * cell[1])
        self._draw(part, box, cell)
        self._write_around(part, box)
        end = box.right + PAST * part.has_more_columns + APART + part.lean
        return self._write_sign(part.after, end, middle)

    def _note(self, text: str, x: float, y: float, *, size: float, colour: str = "", **look: Any) -> None:
        font = {"size": size * self.times, "color": colour or self.canvas.theme.ink}
        self.canvas.note(text, x * self.times, y * self.times, font=font, **look)

    def _write_sign(self, sign: str, left: float, middle: float) -> float:
        if sign:
            text = f"<i>{label(sign)}</i>" if sign[0].isalpha() else label(sign)
            self._note(text, left, middle, size=sign_size(sign), xanchor="left", yanchor="middle")
        return left + sign_width(sign)

    def _draw(self, part: Part, box: Box, cell: tuple[float, float]) -> None:
        """Draw the cells, on axes of their own, with words beside and above."""
        figure, theme = self.canvas.figure, self.canvas.theme
        number = str(len(figure.data) + 1) if figure.data else ""
        on = {"xref": f"x{number}", "yref": f"y{number}"}
        is_written = cell[0] >= part.number
        masked = np.isnan(part.values)
        self._set_axes(part, box, number)
        trace = self._trace(part, is_written=is_written)
        trace["colorbar"] = self._bar(part, box)
        figure.add_trace(trace | {"xaxis": on["xref"], "yaxis": on["yref"]})
        if masked.any() and not is_written:
            figure.add_layout_image(**dotted(len(masked), part.n_columns, min(cell), theme), **on)
        if is_written:
            for row, column in np.argwhere(masked).tolist():
                font = {"size": TYPE * self.times, "color": theme.muted}
                look: dict[str, Any] = {"font": font, "showarrow": False, "borderpad": 0}
                figure.add_annotation(text=part.shown(row, column), x=column, y=row, **on, **look)
        self.canvas.shape(**_lines_between(masked.shape, theme), **on)
        for row, column in np.argwhere(np.array(part.said["changed"] or [], dtype=bool)).tolist():
            self.canvas.shape(**_corner(row, column, theme), **on)

    def _bar(self, part: Part, box: Box) -> dict[str, Any]:
        """Return the colour bar of a part below its cells, which waits where these have numbers."""
        top = (box.bottom + BELOW + TYPE * part.has_more_rows) * self.times
        length = max(LEAST_BAR, min(box.width * self.times, BAR))
        return self.canvas.bar(_scale(part, self.canvas.theme), box.left * self.times, top, length)

    def _trace(self, part: Part, *, is_written: bool) -> dict[str, Any]:
        scale = _scale(part, self.canvas.theme)
        rows, columns = part.values.shape
        inks = scale.inks(part.values, self.canvas.theme)
        text = [
            [
                "" if np.isnan(part.values[i, j]) else _inked(part.shown(i, j), inks[i, j])
                for j in range(columns)
            ]
            for i in range(rows)
        ]
        digits = {"text": text, "texttemplate": "%{text}", "textfont": {"size": TYPE * self.times}}
        return scale.heatmap(
            part.values,
            xgap=1,
            ygap=1,
            showscale=not is_written,
            hoverinfo="skip",
            **(digits if is_written else {}),
        )

    def _set_axes(self, part: Part, box: Box, number: str) -> None:
        across, upwards = self.canvas.domains(Box(*(self.times * length for length in box)), 0)
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
            "tickfont": {"size": TYPE * self.times},
        }
        self.canvas.figure.layout[f"xaxis{number}"] = {
            **look,
            "range": (-0.5, len(columns) - 0.5),
            "side": "top",
            "tickangle": -SLANT if part.said["columnsAreWords"] else 0,
            "domain": across,
            "anchor": f"y{number}",
            "tickvals": list(range(len(columns))),
            "ticktext": columns,
        }
        self.canvas.figure.layout[f"yaxis{number}"] = {
            **look,
            "range": (len(rows) - 0.5, -0.5),
            "domain": upwards,
            "anchor": f"x{number}",
            "showticklabels": part.has_names,
            "tickvals": list(range(len(rows))),
            "ticktext": rows,
        }

    def _write_around(self, part: Part, box: Box) -> None:
        """Write the name and the size above, and dots where more rows or columns are than are drawn."""
        name, size, muted = label(part.name, longest=24), part.said["size"], self.canvas.theme.muted
        caption = f'<b>{name}</b> <span style="color:{muted}">{size}</span>'
        look = {"xanchor": "left", "yanchor": "bottom", "colour": part.colour}
        self._note(caption, box.left, box.top - part.heads, size=CAPTION, **look)
        if part.has_more_columns:
            x, y = box.right + PAST / 2, box.top + box.height / 2
            self._note(MORE, x, y, size=TYPE, colour=muted, yanchor="middle")
        if part.has_more_rows:
            look = {"xanchor": "right", "yanchor": "top", "colour": muted}
            self._note(MORE, box.left - APART, box.bottom + 2, size=TYPE, **look)


def _scale(part: Part, theme: Theme) -> Scale:
    """The colours of a part: zero has the colour of the paper."""
    if part.said["weights"]:
        return weight_scale(theme)
    limit = part.said["limit"]
    return Scale(colours=theme.diverging, low=-limit, high=limit, decimals=2, faint=False)


def _inked(text: str, ink: str) -> str:
    return f'<span style="color:{ink}">{text}</span>'


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
