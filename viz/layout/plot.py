"""Two axes on a canvas, with the positions of values in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from viz.layout.canvas import Canvas
from viz.layout.ruler import TICK, Ruler
from viz.room import Room
from viz.text import em_width, fitting_size, literal, wrapped

TITLE, LINE = 16, 1.25
"""Usual type size of the title of an axis, and the height of its line in type sizes."""

STANDOFF = 8
"""Pixels between the axis, its ticks and its title."""

SAMPLES = 64
"""Number of points at which a curve is sampled across a box, besides its own points."""

Course = tuple[Float[np.ndarray, "point"], Float[np.ndarray, "point"]]
"""A curve in pixels: x of its points from left to right, and y from the top."""


@dataclass(frozen=True, kw_only=True)
class Title:
    """The title of an axis in as many lines as it needs, and its type size."""

    lines: Sequence[str]
    size: float

    @property
    def height(self) -> float:
        """Pixels of height of all lines."""
        return LINE * self.size * len(self.lines)

    @property
    def width(self) -> float:
        """Pixels of the longest line."""
        return max(map(em_width, self.lines)) * self.size

    @property
    def text(self) -> str:
        """The lines as Plotly text."""
        return "<br>".join(map(literal, self.lines))


def title(text: str, room: float, *, smallest: float, usual: int = TITLE) -> Title:
    """Return a title for `room` pixels: smaller if it is long, and in several lines if that is not enough."""
    size = fitting_size(text, room, usual=usual, smallest=ceil(smallest))
    return Title(lines=wrapped(text, room / size), size=size)


@dataclass(frozen=True, kw_only=True)
class Plot:
    """The axes `number` of a canvas, whose upper left corner is at `left`, `top` in its pixels."""

    paper: Canvas
    left: float
    top: float
    across: Ruler
    up: Ruler
    number: int = 1

    @property
    def right(self) -> float:
        return self.left + self.across.length

    @property
    def bottom(self) -> float:
        return self.top + self.up.length

    @property
    def axes(self) -> dict[str, str]:
        """Attributes of a trace on these axes."""
        at = str(self.number) if self.number > 1 else ""
        return {"xaxis": f"x{at}", "yaxis": f"y{at}"}

    def axis(self, name: str) -> dict[str, Any]:
        """Return the attributes of the `xaxis` or the `yaxis`, which may be changed."""
        axis: dict[str, Any] = self.paper.layout.setdefault(name + self.axes[name][1:], {})
        return axis

    def x(self, value: float) -> float:
        """Return pixels from the left edge of the canvas to a value across."""
        return float(self.left + self.across.pixels(value))

    def y(self, value: float) -> float:
        """Return pixels from the upper edge of the canvas to a value."""
        return float(self.bottom - self.up.pixels(value))

    def course(self, along: ArrayLike, heights: ArrayLike) -> Course:
        """Return a curve in pixels."""
        right, up = (np.asarray(values, dtype=float) for values in (along, heights))
        return self.left + self.across.pixels(right), self.bottom - self.up.pixels(up)

    def draw_axes(self, x_title: Title | None = None, y_title: Title | None = None) -> None:
        """Draw both axes with their ticks, and their titles outside the ticks."""
        paper, (x, y) = self.paper, (self.axes["xaxis"], self.axes["yaxis"])
        across = self.left / paper.width, self.right / paper.width
        upwards = 1 - self.bottom / paper.height, 1 - self.top / paper.height
        self.axis("xaxis").update(self.across.axis(paper.theme), domain=across, anchor=y)
        self.axis("yaxis").update(self.up.axis(paper.theme), domain=upwards, anchor=x)
        if x_title is not None:
            top = self.bottom + below(self.across.type_size)
            middle, half = (self.left + self.right) / 2, x_title.width / 2
            middle = max(half, min(middle, paper.width - half))
            paper.note(x_title.text, middle, top, "center top", size=x_title.size)
        if y_title is not None:
            middle, half = (self.top + self.bottom) / 2, y_title.width / 2
            middle = max(half, min(middle, paper.height - half))
            paper.note(y_title.text, 0, middle, "left middle", size=y_title.size, textangle=-90)

    def trace(self, along: ArrayLike, heights: ArrayLike, hovers: Sequence[str] = (), **look: Any) -> None:
        """Draw a curve with these hovers, or without any."""
        hover: dict[str, Any] = {"hoverinfo": "skip"}
        if len(hovers):
            hover = {"hovertext": list(hovers), "hovertemplate": "%{hovertext}<extra></extra>"}
        points = {"x": np.asarray(along), "y": np.asarray(heights)}
        self.paper.add_trace({"type": "scatter", **points, **hover, **self.axes, **look})


def fitted_height(room: Room, usual: float, least: float) -> int:
    """Return the height of a figure: usual, or smaller in a low room, or the height of a room to fill."""
    if room.height is None:
        return round(usual)
    return round(room.height if room.fills else max(least, min(usual, room.height)))


def below(ticks: float) -> float:
    """Return the pixels from an axis across to its title, under ticks of this type size."""
    return 1.3 * ticks + STANDOFF


def beside(ruler: Ruler) -> float:
    """Return the pixels of the ticks left of an upright axis."""
    return max(map(em_width, ruler.ticks.values())) * TICK + STANDOFF
