"""Rotary positions: every pair of dimensions as a circle, a query and a key as arrows in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.line_looks import KEY_DASH
from viz.layout.scale import MINUS
from viz.layout.sketch import Trace, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label
from viz.theme import Theme

SMALLEST, LARGEST, PADDING, LINE = 48, 160, 10, 24
"""Pixels: of a circle at least and, in a room that is not to be filled, at most; what is free around it; and
the lines above and below it."""

TYPE, LEGEND_LINE = 15, 30
HEAD, SMALLEST_HEAD = 0.18, 6
"""The head of an arrow as a share of the radius, and the pixels it has at least."""

DASHED = {"solid": KEY_DASH, "dot": "1px,5px"}
"""The dashes that tell a key from a query where hues cannot, after the last turn and before."""

SAID = (", solid", ", dashed")
"""What the names of a query and a key say of their arrows where hues cannot tell them apart."""

MIDDLE = {"xanchor": "center", "yanchor": "middle"}

Numbers = NDArray[np.floating]


@dataclass(frozen=True, kw_only=True, eq=False)
class RotaryPairs(Picture):
    """A circle for each pair of dimensions, with the arrows of a query `q` and a key `k`, (pair, 2), in it.

    Above the circle stands its title, and below it what the pair adds to the score, one of `parts`. `before`
    are both arrows as they were before the last turn, drawn thin, and `names` say above what the arrows are.
    The longest arrow of all reaches its circle. The table has a row for each pair.
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
        theme = room.theme
        shown = [
            f"{name}{'' if theme.has_hues else said}" for name, said in zip(self.names, SAID, strict=True)
        ]
        legend = _legend(shown, room.width)
        found = _layout(len(arrows[0]), room, LEGEND_LINE * len(legend), self._widest * TYPE + PADDING)
        taken = max(sum(map(em_width, line)) for line in legend) * TYPE + 3 * PADDING * len(legend[0])
        width, radius = min(max(found.width, ceil(taken)), int(room.width)), found.radius
        drawn = canvas(width, found.height, theme)
        drawn.figure.layout["xaxis"] = {"range": (0, width), "visible": False, "fixedrange": True}
        drawn.figure.layout["yaxis"] = {"range": (found.height, 0), "visible": False, "fixedrange": True}
        for middle in found.middles:
            _circle(drawn, middle, radius)
        looks = [
            (theme.query, "query", 3.5),
            (theme.key, "key", 3.5),
            (theme.query, "", 1),
            (theme.key, "", 1),
        ]
        for each, look in zip(arrows[::-1], looks[::-1], strict=True):
            head = max(SMALLEST_HEAD, HEAD * radius)
            trace = _arrows(found.middles, each * radius / longest, each, head, *look)
            drawn.figure.add_trace(trace | {"line": _dashed(trace["line"], theme)})
        self._write(drawn, found, room.smallest_type)
        _write_names(drawn, legend, (theme.query, theme.key))
        return drawn.finished()

    def alt(self) -> str:
        """Tell what each pair adds to the score, for people who cannot see the arrows."""
        told = ", ".join(map(" ".join, zip(self.titles, self._added, strict=True)))
        planes = "Arrows of a query and a key in the plane of each pair of dimensions"
        return f"{planes}. They add to the score: {told}."

    def table(self) -> pd.DataFrame:
        """List both arrows of each pair, and what it adds to the score."""
        q, k = np.asarray(self.q), np.asarray(self.k)
        columns = {"q first": q[:, 0], "q second": q[:, 1], "k first": k[:, 0], "k second": k[:, 1]}
        index = pd.RangeIndex(1, len(q) + 1, name="pair")
        return pd.DataFrame(
            {**columns, "part of the score": np.asarray(self.parts, dtype=float)}, index=index
        )

    @property
    def _added(self) -> list[str]:
        """What each pair adds to the score."""
        return [_signed(part) for part in np.asarray(self.parts, dtype=float)]

    @property
    def _widest(self) -> float:
        """Em of the widest line above or below a circle."""
        return max(map(em_width, (*self.titles, *self._added)), default=1.0)

    def _write(self, drawn: Canvas, found: "_Layout", smallest: float) -> None:
        """Write above each circle and below it, in a type in which neighbours do not touch."""
        size = min(TYPE, max(smallest, (found.pitch - PADDING / 2) / self._widest))
        for (x, y), title, part in zip(found.middles, self.titles, self._added, strict=True):
            muted = {"size": size, "color": drawn.theme.muted}
            away = found.radius + LINE / 2
            drawn.note(label(title, longest=found.pitch / size), x, y - away, font=muted, **MIDDLE)
            drawn.note(part, x, y + away, font={"size": size}, **MIDDLE)


class _Layout(NamedTuple):
    """The middles of the circles (pair, 2), their radius and pitch, and the size of the figure, in pixels."""

    middles: Numbers
    radius: float
    pitch: float
    width: int
    height: int


def _layout(n: int, room: Room, legend: float, written: float) -> _Layout:
    """Return circles as large as the room allows, with the `written` titles above them side by side.

    On a page circles that would be too small to read are higher than their room.
    """
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
    size = int(columns * pitch), ceil(legend + ceil(n / columns) * row)
    return _Layout(np.stack([across, down], axis=1), cell / 2 - PADDING, pitch, *size)


def _circle(drawn: Canvas, middle: Numbers, radius: float) -> None:
    (x, y), look = middle, {"color": drawn.theme.line, "width": 1.5}
    corners = {"x0": x - radius, "x1": x + radius, "y0": y - radius, "y1": y + radius}
    drawn.shape(type="circle", layer="below", line=look, **corners)


def _arrows(
    middles: Numbers, ways: Numbers, values: Numbers, head: float, colour: str, name: str, width: float
) -> Trace:
    """One arrow from each middle; up on the screen is up in the plane, though pixels count downwards."""
    ends = middles + ways * (1, -1)
    gap = np.full_like(middles, np.nan)
    x, y = np.moveaxis(np.stack([middles, ends, gap], axis=1).reshape(-1, 2), -1, 0)
    sizes = np.tile([0.0, head if name else 0.0, 0.0], len(middles))
    said = [f"{name} ({_signed(one)}, {_signed(other)})" for one, other in values]
    return trace_of(
        "scatter",
        x=x,
        y=y,
        mode="lines+markers",
        line={"color": colour, "width": width, "dash": "solid" if name else "dot"},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "color": colour,
            "line": {"width": 0},
            "size": sizes,
            "opacity": 1,
        },
        cliponaxis=False,
        hovertext=[text for one in said for text in ("", one, "")],
        hovertemplate="%{hovertext}<extra></extra>" if name else None,
        hoverinfo=None if name else "skip",
    )


def _dashed(line: dict[str, Any], theme: Theme) -> dict[str, Any]:
    """The line of an arrow; without hues the key is dashed, and dotted with wider gaps before its turn."""
    is_key = line["color"] == theme.key and not theme.has_hues
    return {**line, "dash": DASHED[line["dash"]]} if is_key else line


def _legend(names: Sequence[str], width: float) -> list[list[str]]:
    """Return the lines above the circles: both names in one if they fit."""
    fits = sum(map(em_width, names)) * TYPE + 6 * PADDING <= width
    return [list(names)] if fits else [[name] for name in names]


def _write_names(drawn: Canvas, legend: Sequence[Sequence[str]], colours: tuple[str, str]) -> None:
    """Write what the arrows are, each name in their colour."""
    look, left = {"xanchor": "left", "yanchor": "middle"}, iter(colours)
    for at, line in enumerate(legend):
        x = float(PADDING)
        for name in line:
            font = {"size": TYPE, "color": next(left)}
            shown = label(name, longest=(drawn.width - x) / TYPE)
            drawn.note(f"<b>{shown}</b>", x, (at + 0.5) * LEGEND_LINE, font=font, **look)
            x += em_width(name) * TYPE + 3 * PADDING


def _signed(number: float) -> str:
    return f"{number:+z.2f}".replace("-", MINUS)
