"""One stage of a head as an equation of matrices: operands, signs, and result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import radians, sin
from typing import Any, NamedTuple

import numpy as np

from viz.layout.canvas import BAR, BAR_LINE, Canvas, Rect, canvas
from viz.layout.cell_marks import dotted
from viz.layout.figure import Axis, Figure
from viz.layout.pen import MOST, STEP
from viz.layout.rows import inked_digits, name_axis
from viz.layout.scale import Scale, weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, shortened
from viz.theme import Theme
from words import two_decimals

CAPTION, CAPTION_LINE = 16, 28
"""Type of a matrix's name, and its line height. All lengths are units of the drawing."""

LARGEST, USUAL, LOWEST, HIGHEST = 64, 24, 17, 40
"""Greatest width of a cell, its usual height, and its least and greatest height."""

LEAST_BAR, BELOW, EDGE, MORE = 64, 8, 6, "…"
"""Least length of a colour bar, its distance from the cells, the margin, and the sign for omitted parts."""

TYPE, SIGN, NAMED = 14, 22, 16
"""Type sizes of words and numbers, of the signs between matrices, and of functions."""

DIGIT, NARROWER, LONGEST_WORD = 0.5, 0.22, 7.2
"""Widths in em: of a digit or a minus, how much less a point has, and of the widest word."""

BETWEEN, APART, HEADS_LINE, PAST, CLEAR = 2, 10, 22, 16, 4
"""Pixels around the parts of a line.

In order: between two numbers, between two parts, the height of the line of numbers above, the room for
omitted columns, and between a word and the first column.
"""

SLANT = 60
"""Degrees by which words above a matrix are slanted."""

INFINITE = "−∞"

Plain = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Equation(Picture):
    """A stage as `pages/step_by_step` has it for the browser, with the same words and digits.

    Matrices that do not fit one line stand in several. In a line, words are beside the first matrix that has
    them. Cells without room for numbers keep their colours, with a colour bar, and masked cells are dotted
    then. `alt_text` is the alternative text.
    """

    stage: Plain
    alt_text: str

    def draw(self, room: Room) -> Figure:
        parts = _parts(self.stage, room.theme)
        least = room.smallest_type / TYPE
        sizes = [*np.arange(MOST if room.fills else 1.0, least, -STEP).tolist(), least]
        best = max((_arranged(parts, room, size) for size in sizes), key=lambda one: one.worth(room))
        times, lines, cell, rows, around = best
        free = (room.tallest / times - around) / rows if room.fills else USUAL
        high = min(HIGHEST, max(LOWEST, free))
        drawn = canvas(room.width, (around + rows * high) * times, room.theme)
        drawing = _Drawing(drawn, times, (cell, high))
        top = float(EDGE)
        for line in lines:
            top += _above(line)
            left = float(EDGE)
            for part in line:
                left = drawing.put(part, left, top)
            top += max(len(part.values) for part in line) * high + _under(line, cell)
        return drawn.finished()

    def alt(self) -> str:
        return self.alt_text


@dataclass(frozen=True)
class MatrixOperand:
    """A matrix of a stage, as `pages/step_by_step` gives it to the browser, and the signs beside it."""

    said: Plain
    name: str
    colour: str
    before: str
    after: str
    has_names: bool = True
    """Whether there are words beside its rows."""

    @cached_property
    def values(self) -> np.ndarray:
        """Its numbers, (row, column), NaN for hidden ones."""
        values = np.array(self.said["values"], dtype=float)
        return values if self.said["hidden"] is None else np.where(self.said["hidden"], np.nan, values)

    @property
    def number(self) -> float:
        """Width of a cell in which each of its numbers is legible."""
        shown = (self.shown(*at) for at in np.ndindex(self.values.shape))
        longest = max(len(one) * DIGIT - ("." in one) * NARROWER for one in shown)
        return longest * TYPE + BETWEEN

    @property
    def n_columns(self) -> int:
        return len(self.said["columns"])

    @property
    def has_more_columns(self) -> bool:
        return bool(self.said["nColumns"] > self.n_columns)

    @property
    def has_more_rows(self) -> bool:
        return bool(self.said["nRows"] > len(self.said["rows"]))

    @property
    def words(self) -> float:
        """Width of the words beside its rows."""
        return (_longest(self.said["rows"]) + CLEAR if self.has_names else 0.0) + APART

    @property
    def beside(self) -> float:
        """Width of the parts of its line that do not grow with its cells."""
        signs = sum(sign_width(sign) for sign in (self.before, self.after))
        return self.words + signs + PAST * self.has_more_columns + APART + self.lean

    @property
    def lean(self) -> float:
        """Pixels by which the last slanted word extends beyond the matrix."""
        return self.reach / 2 if self.said["columnsAreWords"] else 0.0

    @property
    def reach(self) -> float:
        """Length of the longest word above."""
        return _longest(self.said["columns"])

    @property
    def heads(self) -> float:
        """Height of the words or numbers above."""
        return self.reach * sin(radians(SLANT)) + TYPE if self.said["columnsAreWords"] else HEADS_LINE

    def shown(self, row: int, column: int) -> str:
        """Return the text of a cell: two decimals as on the page, −∞ for a masked score."""
        value = self.said["values"][row][column]
        if value is None:
            return INFINITE
        return "0" if np.isnan(self.values[row, column]) and value == 0 else two_decimals(value)


def sign_size(sign: str) -> int:
    """Return the type size of a sign, or of the name of a function."""
    return NAMED if sign[:1].isalpha() else SIGN


def sign_width(sign: str) -> float:
    """Return the width of a sign in its line."""
    return em_width(sign) * sign_size(sign) + APART if sign else 0.0


def _longest(words: list[str]) -> float:
    return max(em_width(shortened(word, longest=LONGEST_WORD)) for word in words) * TYPE


class _Arranged(NamedTuple):
    """An equation in lines, the width of its cells, its number of rows and the height `around` them."""

    times: float
    lines: list[list[MatrixOperand]]
    cell: float
    rows: int
    around: float

    def worth(self, room: Room) -> tuple[bool, int, int, float]:
        """Return a rank by the number of matrices with digits, then by few lines, then by size."""
        fits = not room.fills or (self.rows * LOWEST + self.around) * self.times <= room.tallest
        n_written = sum(self.cell >= part.number for line in self.lines for part in line)
        return fits, n_written, -len(self.lines), self.times if fits else -self.times


def _arranged(parts: Sequence[MatrixOperand], room: Room, times: float) -> _Arranged:
    width = room.width / times - 2 * EDGE
    lines = _lines(parts, width)
    cell = min(_cell(line, width) for line in lines)
    rows = sum(max(len(part.values) for part in line) for line in lines)
    around = sum(_above(line) + _under(line, cell) for line in lines) + 2 * EDGE
    return _Arranged(times, lines, cell, rows, around)


def _parts(stage: Plain, theme: Theme) -> list[MatrixOperand]:
    colours = vars(theme)
    operands = [
        MatrixOperand(one, one["name"], colours[one["role"]], one["before"], one["after"])
        for one in stage["operands"]
    ]
    equals = "=" if operands else ""
    return [*operands, MatrixOperand(stage["result"], stage["symbol"], colours[stage["role"]], equals, "")]


def _lines(parts: Sequence[MatrixOperand], width: float) -> list[list[MatrixOperand]]:
    """Return the parts in as few lines as leave numbers legible; a part too wide for a line gets its own."""
    lines: list[list[MatrixOperand]] = []
    for part in parts:
        named = [one.said["rows"] for one in lines[-1]] if lines else []
        longer = [*lines[-1], replace(part, has_names=part.said["rows"] not in named)] if lines else []
        if longer and _cell(longer, width) >= max(one.number for one in longer):
            lines[-1] = longer
        else:
            lines.append([part])
    return lines


def _cell(line: Sequence[MatrixOperand], width: float) -> float:
    """Return pixels of width of a cell if a line fills this width."""
    room = width - sum(part.beside for part in line)
    return max(4.0, min(LARGEST, room / sum(part.n_columns for part in line)))


def _above(line: Sequence[MatrixOperand]) -> float:
    return CAPTION_LINE + max(part.heads for part in line)


def _under(line: Sequence[MatrixOperand], cell: float) -> float:
    bars = BAR_LINE * any(cell < part.number for part in line)
    return APART + TYPE * any(part.has_more_rows for part in line) + bars


@dataclass(frozen=True)
class _Drawing:
    """An equation under construction; a unit is `times` pixels, and `cell` is in units."""

    canvas: Canvas
    times: float
    cell: tuple[float, float]

    def put(self, part: MatrixOperand, left: float, top: float) -> float:
        """Draw a part from `left` on, its first row at `top`; return where the next one begins."""
        rows, (width, height) = len(part.values), self.cell
        middle = top + min(rows, 2) / 2 * height
        left = self._write_sign(part.before, left, middle)
        box = Rect(left + part.words, top, part.n_columns * width, rows * height)
        self._draw(part, box)
        self._write_around(part, box)
        end = box.right + PAST * part.has_more_columns + APART + part.lean
        return self._write_sign(part.after, end, middle)

    def _note(self, text: str, x: float, y: float, anchor: str, *, size: float, colour: str = "") -> None:
        x, y, size = x * self.times, y * self.times, size * self.times
        self.canvas.note(text, x, y, anchor, size=size, colour=colour or self.canvas.theme.ink)

    def _write_sign(self, sign: str, left: float, middle: float) -> float:
        if sign:
            text = f"<i>{label(sign)}</i>" if sign[0].isalpha() else label(sign)
            self._note(text, left, middle, "left middle", size=sign_size(sign))
        return left + sign_width(sign)

    def _draw(self, part: MatrixOperand, box: Rect) -> None:
        """Draw the cells on separate axes, with words beside and above, or with a bar below."""
        drawn, theme, scale = self.canvas, self.canvas.theme, _scale(part, self.canvas.theme)
        number = str(len(drawn.data) + 1) if drawn.data else ""
        on, masked = {"xref": f"x{number}", "yref": f"y{number}"}, np.isnan(part.values)
        self._set_axes(part, box, number)
        is_written = self.cell[0] >= part.number
        look: dict[str, Any] = {"showscale": not is_written, "colorbar": self._bar(part, box, scale)}
        if is_written:
            text = inked_digits(part.values, scale, theme)
            for row, column in np.argwhere(masked).tolist():
                text[row, column] = f'<span style="color:{theme.muted}">{part.shown(row, column)}</span>'
            font = {"size": TYPE * self.times}
            look |= {"text": text.tolist(), "texttemplate": "%{text}", "textfont": font}
        elif masked.any():
            drawn.image(**dotted(len(masked), part.n_columns, min(self.cell), theme), **on)
        axes = {"xaxis": on["xref"], "yaxis": on["yref"]}
        drawn.add_trace(scale.heatmap(part.values, xgap=1, ygap=1, hoverinfo="skip", **axes, **look))
        drawn.shape(**_lines_between(masked.shape, theme), **on)
        for row, column in np.argwhere(np.array(part.said["changed"] or [], dtype=bool)).tolist():
            drawn.shape(**_corner(row, column, theme), **on)

    def _bar(self, part: MatrixOperand, box: Rect, scale: Scale) -> dict[str, Any]:
        top = (box.bottom + BELOW + TYPE * part.has_more_rows) * self.times
        length = max(LEAST_BAR, min(box.width * self.times, BAR))
        return self.canvas.bar(scale, box.left * self.times, top, length)

    def _set_axes(self, part: MatrixOperand, box: Rect, number: str) -> None:
        plain = name_axis(TYPE * self.times)
        x = plain | _ticks(part.said["columns"]) | {"range": (-0.5, part.n_columns - 0.5), "side": "top"}
        x["tickangle"] = -SLANT if part.said["columnsAreWords"] else 0
        y = plain | _ticks(part.said["rows"]) | {"range": (len(part.values) - 0.5, -0.5)}
        y |= {"showticklabels": part.has_names, "ticklabelstandoff": round(CLEAR * self.times)}
        self.canvas.set_axes(Rect(*(self.times * length for length in box)), x, y, number=number)

    def _write_around(self, part: MatrixOperand, box: Rect) -> None:
        """Write the name and the size above, and dots where rows or columns are omitted."""
        name, size, muted = label(part.name, longest=24), part.said["size"], self.canvas.theme.muted
        caption = f'<b>{name}</b> <span style="color:{muted}">{size}</span>'
        self._note(caption, box.left, box.top - part.heads, "left bottom", size=CAPTION, colour=part.colour)
        more: dict[str, Any] = {"size": TYPE, "colour": muted}
        if part.has_more_columns:
            self._note(MORE, box.right + PAST / 2, box.top + box.height / 2, " middle", **more)
        if part.has_more_rows:
            self._note(MORE, box.left - APART, box.bottom + 2, "right top", **more)


def _ticks(words: Sequence[str]) -> Axis:
    return {
        "tickvals": list(range(len(words))),
        "ticktext": [label(one, longest=LONGEST_WORD) for one in words],
    }


def _scale(part: MatrixOperand, theme: Theme) -> Scale:
    if part.said["weights"]:
        return weight_scale(theme)
    limit = part.said["limit"]
    return Scale(colours=theme.diverging, low=-limit, high=limit, decimals=2, faint=False)


def _lines_between(shape: tuple[int, ...], theme: Theme) -> dict[str, Any]:
    """Return thin lines round all cells: a cell of zero has the colour of the paper."""
    rows, columns = shape
    across = (f"M-0.5 {at - 0.5}H{columns - 0.5}" for at in range(rows + 1))
    upwards = (f"M{at - 0.5} -0.5V{rows - 0.5}" for at in range(columns + 1))
    return {"type": "path", "path": "".join((*across, *upwards)), "line": {"width": 1, "color": theme.line}}


def _corner(row: int, column: int, theme: Theme) -> dict[str, Any]:
    """Return a mark in the upper left corner of a cell that was changed by hand."""
    x, y, side = column - 0.48, row - 0.48, 0.25
    path = f"M{x} {y}L{x + side} {y}L{x} {y + side}Z"
    return {"type": "path", "path": path, "fillcolor": theme.selection, "line": {"width": 0}}
