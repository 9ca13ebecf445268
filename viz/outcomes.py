"""Weights of one row for every way to mask: a strip for each in each format, with a verdict below."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.boxes import outlines
from viz.layout.canvas import BAR, BAR_LINE, HEADLINE_LINE, LEGEND, LEGEND_LINE, MARGIN, Canvas, Rect, canvas
from viz.layout.figure import Figure, Trace, trace_of
from viz.layout.rows import inked_digits, row_height, with_gaps
from viz.layout.scale import weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, literal, plain, unique_words

FORMATS, SIDE = 28, 12
"""Pixels of height of the line of formats, and of width between names and strips."""

ROW, LARGEST_CELL, LEAST_CELL = 68, 44, 12
"""Pixels of height of a way to mask, and of the cells of its strips."""

NAME, VERDICT, DIGITS = 16, 14, 13
"""Type sizes in pixels."""

AROUND, LINE, BETWEEN = 14, 5, 16
"""Pixels above and below a strip, from it to the line of a masked key, and between two strips."""

APART = 12
"""Pixels from the verdicts below the last strips to the legend, so that it does not look like a verdict."""

SMALLEST_SHOWN = 0.005
LONGEST_METHOD = 12.0

KEY_TO_SIGNS = '<span style="color:{key}"><b>—</b></span> masked keys   ✓ as it should be'

Numbers = NDArray[np.floating]

LEAK, BRIEF_LEAK = "masked keys get", "masked:"
"""Beginning of the verdict on masked keys with weight, and its short form for narrow strips."""


class Layout(NamedTuple):
    """Pixels of a row, of the width and height of a cell, of type, and of the part below all rows."""

    row: float
    cell: float
    high: float
    verdict: float
    digits: int
    beside: bool
    below: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes(Picture):
    """A strip of `weights`, (method, format, key), for every way to mask, with its verdict below.

    `outcomes` has a line for each of them, in that order, with the columns method, format, on masked keys,
    row sum and verdict. Keys that `allowed`, (key,), forbids are underlined. A right outcome is ticked and
    muted; a wrong one is bold.
    """

    weights: ArrayLike
    allowed: ArrayLike
    outcomes: pd.DataFrame
    words: Sequence[str]

    def draw(self, room: Room) -> Figure:
        values, theme = np.asarray(self.weights, dtype=np.float32), room.theme
        n_methods, n_formats, n_keys = values.shape
        methods = list(dict.fromkeys(self.outcomes["method"]))
        left = max(em_width(name) for name in methods) * NAME + MARGIN + SIDE
        pitch = (room.width - left - MARGIN + BETWEEN) / n_formats
        above = FORMATS + (0 if room.is_printed else HEADLINE_LINE)
        verdicts = [_verdict(line) for line in _renamed(self.outcomes).itertuples()]
        if max(em_width(text) for text, _ in verdicts) * room.smallest_type > pitch - BETWEEN:
            verdicts = [(text.replace(LEAK, BRIEF_LEAK), is_right) for text, is_right in verdicts]
        longest = max(em_width(text) for text, _ in verdicts)
        layouts = [
            _layout(room, above, values.shape, pitch, longest, beside=beside, has_digits=has_digits)
            for beside, has_digits in ((True, True), (False, True), (False, False))
        ]
        found = next((one for one in layouts if one.digits), layouts[-1])
        row, cell, high, verdict, digits, beside, below = found
        title = "" if room.is_printed else self.title
        drawn = canvas(room.width, above + row * n_methods + below, theme, title=title, short=self.short)
        drawn.layout["xaxis"] |= {"range": (0, room.width)}
        drawn.layout["yaxis"] |= {"range": (drawn.height, 0)}
        strips = [
            Rect(left + column * pitch, above + line * row + AROUND / 2, cell * n_keys, high)
            for line in range(n_methods)
            for column in range(n_formats)
        ]
        drawn.add_trace(self._strips(values, strips, drawn, digits))
        across, down = np.array([(box.left + box.width / 2, box.top + high / 2) for box in strips]).T
        x, y = outlines(across, down, cell * n_keys / 2, high / 2)
        _draw_lines(drawn, x, y, {"color": theme.muted, "width": 1})
        masked = np.flatnonzero(~np.asarray(self.allowed, dtype=bool))
        ends = cell * (masked[:, None] + (0.08, 0.92, np.nan))
        below_masked = [(box.left + ends, 0 * ends + box.bottom + LINE) for box in strips]
        x, y = np.moveaxis(np.array(below_masked), 1, 0).reshape(2, -1)
        _draw_lines(drawn, x, y, {"color": theme.key, "width": 3})
        for box, (text, is_right) in zip(strips, verdicts, strict=True):
            shown, colour = (text, theme.muted) if is_right else (f"<b>{text}</b>", theme.ink)
            place, anchor = (box.left, box.bottom + LINE + 4), "left top"
            if beside:
                place, anchor = (box.right + SIDE, box.top + high / 2), "left middle"
            drawn.note(shown, *place, anchor, size=verdict, colour=colour)
        self._write_names(drawn, methods, strips, row, room)
        foot = above + row * n_methods + (0 if beside else APART)
        drawn.legend([KEY_TO_SIGNS.format(key=theme.key)], MARGIN, foot)
        if not digits:
            drawn.legend(["weight"], MARGIN + BAR + LEGEND, foot + LEGEND_LINE - 2)
        return drawn.finished()

    def alt(self) -> str:
        lines = [
            f"{method} {', '.join(f'{one.format} {_said(one)}' for one in found.itertuples())}"
            for method, found in _renamed(self.outcomes).groupby("method", sort=False)
        ]
        return f"{plain(self.title)}: {'; '.join(lines)}."

    def table(self) -> pd.DataFrame:
        return self.outcomes

    def _strips(self, values: Numbers, strips: Sequence[Rect], drawn: Canvas, digits: int) -> Trace:
        """Return all strips as one trace, with a gap between two of them."""
        _, n_formats, n_keys = values.shape
        theme, largest = drawn.theme, float(np.nanmax(values, initial=0))
        scale = weight_scale(theme) if digits else weight_scale(theme, largest=largest)
        names = [literal(name) for name in unique_words(self.words)]
        hovers = np.empty(values.shape, dtype=object)
        for at in np.ndindex(values.shape):
            hovers[at] = f"{names[at[-1]]}: {_number(float(values[at]))}"
        look: dict[str, Any] = {"showscale": not digits}
        if digits:
            texts = with_gaps(inked_digits(values, scale, theme), "").tolist()
            look |= {"text": texts, "texttemplate": "%{text}", "textfont": {"size": digits}}
        else:
            look["colorbar"] = drawn.bar(scale, MARGIN, drawn.height - BAR_LINE + 4, BAR)
        first = strips[:n_formats]
        return scale.heatmap(
            with_gaps(values, np.nan),
            x=np.concatenate([np.linspace(box.left, box.right, n_keys + 1) for box in first]),
            y=np.concatenate([(box.top, box.bottom) for box in strips[::n_formats]]),
            hovertext=with_gaps(hovers, "").tolist(),
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
            **look,
        )

    def _write_names(
        self, drawn: Canvas, methods: Sequence[str], strips: Sequence[Rect], row: float, room: Room
    ) -> None:
        """Write the methods beside their strips, and several formats above them."""
        formats = list(dict.fromkeys(self.outcomes["format"]))
        above, muted = strips[0].top - AROUND / 2, room.theme.muted
        for box, name in zip(strips, formats if len(formats) > 1 else (), strict=False):
            drawn.note(label(name), box.left, above, "left bottom", size=VERDICT, colour=muted)
        size = max(room.smallest_type, min(NAME, floor(0.4 * row)))
        for box, name in zip(strips[:: len(formats)], methods, strict=True):
            x, y = box.left - SIDE, box.top + box.height / 2
            drawn.note(label(name, longest=LONGEST_METHOD), x, y, "right middle", size=size)


def _layout(
    room: Room,
    above: float,
    shape: tuple[int, ...],
    pitch: float,
    longest: float,
    *,
    beside: bool,
    has_digits: bool,
) -> Layout:
    """Fit strips into a room, with verdicts of up to `longest` em `beside` or below them."""
    n_methods, _, n_keys = shape
    below = LEGEND_LINE + (0 if has_digits else BAR_LINE) + (0 if beside else APART)
    # On a page, which scrolls, a strip keeps its digits and may end below the window.
    has_room = has_digits and beside and not room.fills
    smallest = ceil(room.smallest_label * em_width("0.00")) + 3 if has_room else LEAST_CELL
    usual, least = ROW - 1.3 * VERDICT * beside, smallest + AROUND + 1.3 * room.smallest_type * (not beside)
    row = row_height(room, n_methods, around=above + below, usual=usual, least=least)
    verdict = max(room.smallest_type, min(VERDICT, floor(0.28 * row)))
    taken = longest * verdict + SIDE if beside else 0
    cell = min(LARGEST_CELL, (pitch - BETWEEN - taken) / n_keys, row - AROUND - 1.3 * verdict * (not beside))
    size = floor(min(DIGITS, (cell - 3) / em_width("0.00")))
    digits = size if has_digits and size >= room.smallest_label else 0
    return Layout(row, cell, max(cell, LEAST_CELL), verdict, digits, beside, below)


def _renamed(table: pd.DataFrame) -> pd.DataFrame:
    """Return columns by names that are attributes of a row."""
    return table.rename(columns={"on masked keys": "leaked", "row sum": "total"})


def _said(line: Any) -> str:
    """Return a verdict in a few characters."""
    leaked = f"{line.leaked:.2f}" if line.leaked >= SMALLEST_SHOWN else f"{line.leaked:.0e}"
    return {
        "exact": "exact",
        "zeros": "all 0",
        "NaN": "NaN",
        "leaks": f"{LEAK} {leaked}",
        "short": f"row sums to {line.total:.2f}",
    }[line.verdict]


def _verdict(line: Any) -> tuple[str, bool]:
    """Return a verdict, ticked if it is right, and whether it is right."""
    is_right = line.verdict in ("exact", "zeros")
    return (f"✓ {_said(line)}" if is_right else _said(line)), is_right


def _number(weight: float) -> str:
    if weight == 0:
        return "exactly 0"
    return f"{weight:.3f}" if weight >= SMALLEST_SHOWN or np.isnan(weight) else f"{weight:.1e}"


def _draw_lines(drawn: Canvas, x: ArrayLike, y: ArrayLike, line: dict[str, Any]) -> None:
    drawn.add_trace(trace_of("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
