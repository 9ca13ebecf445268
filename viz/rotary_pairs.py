"""Rotary positions: every pair of dimensions as a circle, with a query and a key as arrows in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import LEGEND, LEGEND_LINE, MARGIN, canvas, joined, legend_width
from viz.layout.cells import Numbers
from viz.layout.figure import Figure, Trace, trace_of
from viz.layout.line_looks import KEY_DASH
from viz.layout.scale import MINUS
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label

SMALLEST, LARGEST, PADDING, LINE = 48, 160, 10, 24
"""Pixels of circles.

Least size, greatest size in a room that need not be filled, free space around, and lines above and below.
"""

TYPE = 15
HEAD, SMALLEST_HEAD = 0.18, 6
"""Head of an arrow as a share of the radius, and its least pixels."""

DASHES, KEY_DASHES = ("solid", "dot"), (KEY_DASH, "1px,5px")
"""Dashes of an arrow after and before the last rotation; and of a key without hues."""

SAID = (", solid", ", dashed")
"""Additions to the names of a query and a key that identify their arrows without hues."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RotaryPairs(Picture):
    """A circle for each pair of dimensions, with the arrows of a query `q` and a key `k`, (pair, 2), in it.

    Above the circle is its title, and below it the pair's part of the score, one of `parts`. `before` are
    both arrows before the last rotation, drawn thin, and `names` label the arrows above. The longest arrow of
    all reaches its circle. The table has a row for each pair.
    """

    q: ArrayLike
    k: ArrayLike
    before: tuple[ArrayLike, ArrayLike]
    parts: ArrayLike
    titles: Sequence[str]
    names: tuple[str, str]

    def draw(self, room: Room) -> Figure:
        arrows = [np.asarray(each, dtype=float) for each in (self.q, self.k, *self.before)]
        longest = max(float(np.linalg.norm(each, axis=1).max()) for each in arrows) or 1.0
        theme, added = room.theme, self._added
        colours, dashes = (theme.query, theme.key), (DASHES, DASHES if theme.has_hues else KEY_DASHES)
        shown = self.names if theme.has_hues else map("".join, zip(self.names, SAID, strict=True))
        names = [
            f'<b><span style="color:{colour}">{label(name, longest=room.width / LEGEND)}</span></b>'
            for name, colour in zip(shown, colours, strict=True)
        ]
        legend = joined(names, room.width)
        widest = max(map(em_width, (*self.titles, *added)), default=1.0)
        found = _layout(len(arrows[0]), room, LEGEND_LINE * len(legend) + MARGIN, widest * TYPE + PADDING)
        width = min(max(found.width, ceil(legend_width(legend)) + MARGIN), int(room.width))
        drawn = canvas(width, found.height, theme)
        drawn.layout["xaxis"] |= {"range": (0, width)}
        drawn.layout["yaxis"] |= {"range": (found.height, 0)}
        drawn.legend(legend, MARGIN, MARGIN)
        size = min(TYPE, max(room.smallest_type, (found.pitch - PADDING / 2) / widest))
        radius, away = found.radius, found.radius + LINE / 2
        for (x, y), title, part in zip(found.middles, self.titles, added, strict=True):
            corners = {"x0": x - radius, "x1": x + radius, "y0": y - radius, "y1": y + radius}
            line = {"color": theme.line, "width": 1.5}
            drawn.shape(type="circle", layer="below", line=line, **corners)
            name = label(title, longest=found.pitch / size)
            drawn.note(name, x, y - away, "center middle", size=size, colour=theme.muted)
            drawn.note(part, x, y + away, "center middle", size=size)
        for at in (3, 2, 1, 0):
            is_before, is_key = divmod(at, 2)
            line = {"color": colours[is_key], "width": 1 if is_before else 3.5}
            line["dash"] = dashes[is_key][is_before]
            ends = found.middles + arrows[at] * (1, -1) * radius / longest  # pixels count downwards
            trace = _lines(found.middles, ends) | {"line": line}
            name = ("query", "key")[is_key]
            drawn.add_trace(trace if is_before else trace | _heads(name, arrows[at], line, radius))
        return drawn.finished()

    def alt(self) -> str:
        details = ", ".join(map(" ".join, zip(self.titles, self._added, strict=True)))
        planes = "Arrows of a query and a key in the plane of each pair of dimensions"
        return f"{planes}. They add to the score: {details}."

    def table(self) -> pd.DataFrame:
        q, k = np.asarray(self.q), np.asarray(self.k)
        columns = {"q first": q[:, 0], "q second": q[:, 1], "k first": k[:, 0], "k second": k[:, 1]}
        index = pd.RangeIndex(1, len(q) + 1, name="pair")
        return pd.DataFrame(
            {**columns, "part of the score": np.asarray(self.parts, dtype=float)}, index=index
        )

    @property
    def _added(self) -> list[str]:
        """Parts of the score, pair by pair."""
        return [_signed(part) for part in np.asarray(self.parts, dtype=float)]


class _Layout(NamedTuple):
    """The middles of the circles (pair, 2), their radius and pitch, and the size of the figure, in pixels."""

    middles: Numbers
    radius: float
    pitch: float
    width: int
    height: int


def _layout(n: int, room: Room, legend: float, written: float) -> _Layout:
    """Return the largest circles with their titles `written` side by side; a page may have to scroll."""
    tallest = room.height or (room.width if room.is_printed else inf)

    def cell_of(columns: int) -> float:
        widest = room.width / columns
        high = (tallest - legend) / ceil(n / columns) - 2 * LINE + 2 * PADDING
        least = 0.0 if room.is_printed or room.fills else min(widest, SMALLEST + 2 * PADDING)
        return min(widest, max(high, least), inf if room.fills else LARGEST + 2 * PADDING)

    columns = max(range(1, n + 1), key=lambda columns: (cell_of(columns), -ceil(n / columns), -columns))
    cell = cell_of(columns)
    pitch = min(max(cell, written), room.width / columns)
    row, at = cell + 2 * LINE - 2 * PADDING, np.arange(n)
    across, down = (at % columns + 0.5) * pitch, (at // columns) * row + legend + LINE + cell / 2 - PADDING
    size = int(columns * pitch), round(legend + ceil(n / columns) * row)
    return _Layout(np.stack([across, down], axis=1), cell / 2 - PADDING, pitch, *size)


def _lines(middles: Numbers, ends: Numbers) -> Trace:
    """Return a line from each middle to its end, with a gap after it."""
    gap = np.full_like(middles, np.nan)
    x, y = np.moveaxis(np.stack([middles, ends, gap], axis=1).reshape(-1, 2), -1, 0)
    return trace_of("scatter", x=x, y=y, mode="lines", cliponaxis=False, hoverinfo="skip")


def _heads(name: str, values: Numbers, line: dict[str, Any], radius: float) -> dict[str, Any]:
    """Return the heads of the arrows of `values`, which hovers show, on their lines."""
    sizes = np.tile([0.0, max(SMALLEST_HEAD, HEAD * radius), 0.0], len(values))
    look = {"symbol": "arrow", "angleref": "previous", "color": line["color"], "opacity": 1}
    hovers = [text for x, y in values for text in ("", f"{name} ({_signed(x)}, {_signed(y)})", "")]
    return {
        "mode": "lines+markers",
        "marker": {**look, "line": {"width": 0}, "size": sizes},
        "hoverinfo": None,
        "hovertext": hovers,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _signed(number: float) -> str:
    return f"{number:+z.2f}".replace("-", MINUS)
