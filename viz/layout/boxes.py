"""Rectangles in a drawing: edges, corners, paths, and the pieces of lines outside them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

Point = tuple[float, float]

ROUND = 7
"""Radius of the corners of a box."""

INKED = 0.6
"""The share of a dash in the outline of a box."""

ARC = 1.6232
"""Length of a corner, a parabola, in radii."""

ROUNDING = 0.5523
"""Length of the handles of a circle's curves, in radii."""


@dataclass(frozen=True)
class RotatedRect:
    """A rectangle: its middle, width and height, and its clockwise rotation in degrees."""

    x: float
    y: float
    width: float
    height: float
    turned: float = 0

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2


def outlines(
    x: ArrayLike, y: ArrayLike, half_width: float, half_height: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return rectangles around the points `x`, `y` as one line, interrupted by a missing point after each.

    A rectangle begins and ends in the middle of its lower edge: at a corner its ends would leave a notch.
    """
    across = np.multiply((0, 1, 1, -1, -1, 0, np.nan), half_width)
    upwards = np.multiply((-1, -1, 1, 1, -1, -1, np.nan), half_height)
    corners = (np.add.outer(x, across).ravel(), np.add.outer(y, upwards).ravel())
    return corners[0].astype(np.float32), corners[1].astype(np.float32)


def rectangle(frame: RotatedRect) -> str:
    """Return the path of a rectangle."""
    left, right, top, bottom = _edges(frame)
    return f"M{left},{top}L{right},{top}L{right},{bottom}L{left},{bottom}Z"


def circle(frame: RotatedRect) -> str:
    """Return the path of the circle that fits a frame."""
    x, y, (left, right, top, bottom) = f"{frame.x:.1f}", f"{frame.y:.1f}", _edges(frame)
    k = ROUNDING * frame.width / 2
    west, east, north, south = _edges(RotatedRect(frame.x, frame.y, 2 * k, 2 * k))
    return (
        f"M{left},{y}C{left},{north},{west},{top},{x},{top}C{east},{top},{right},{north},{right},{y}"
        f"C{right},{south},{east},{bottom},{x},{bottom}C{west},{bottom},{left},{south},{left},{y}Z"
    )


def rounded(frame: RotatedRect) -> str:
    """Return the path of a box, clockwise from the middle of its upper left corner."""
    left, right, top, bottom = _edges(frame)
    r = _radius(frame)
    west, east, north, south = _edges(
        RotatedRect(frame.x, frame.y, frame.width - 2 * r, frame.height - 2 * r)
    )
    start = f"{frame.left + r / 4:.1f},{frame.top + r / 4:.1f}"
    return (
        f"M{start}Q{frame.left + r / 2:.1f},{top},{west},{top}L{east},{top}"
        f"Q{right},{top},{right},{north}L{right},{south}"
        f"Q{right},{bottom},{east},{bottom}L{west},{bottom}Q{left},{bottom},{left},{south}"
        f"L{left},{north}Q{left},{frame.top + r / 2:.1f},{start}Z"
    )


def dashes(frame: RotatedRect, period: float) -> list[float]:
    """Return the lengths of dashes and gaps in turn along the path of a box, with a dash at each corner."""
    r = _radius(frame)
    edges = [length - 2 * r + ARC * r for length in (frame.width, frame.height)] * 2
    lengths: list[float] = [0.0]
    for edge in edges:
        n = max(1, round(edge / period))
        ink, gap = INKED * edge / n, (1 - INKED) * edge / n
        lengths[-1] += ink / 2
        lengths += [gap, ink] * (n - 1) + [gap, ink / 2]
    return [*lengths, 0.0]


def _edges(frame: RotatedRect) -> tuple[str, str, str, str]:
    """Return the left, right, upper and lower edge as written in a path."""
    left, right, top, bottom = (f"{at:.1f}" for at in (frame.left, frame.right, frame.top, frame.bottom))
    return left, right, top, bottom


def _radius(frame: RotatedRect) -> float:
    return min(ROUND, frame.height / 3, frame.width / 3)


def outside(
    start: Point, end: Point, obstacles: Iterable[RotatedRect], clear: float
) -> Iterator[tuple[Point, Point]]:
    """Yield the pieces of a line that are at least `clear` away from all obstacles."""

    def at(share: float) -> Point:
        return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])

    hidden = sorted(filter(None, (_covered(start, end, one, clear) for one in obstacles)))
    begin = 0.0
    for first, last in (*hidden, (1.0, 1.0)):
        if first > begin:
            yield at(begin), at(first)
        begin = max(begin, last)


def _covered(start: Point, end: Point, frame: RotatedRect, clear: float) -> tuple[float, float] | None:
    """Return the shares of a line between which a frame and `clear` around it cover it, if they do."""
    turned = radians(frame.turned)
    across, down = (cos(turned), sin(turned)), (-sin(turned), cos(turned))
    low, high = 0.0, 1.0
    for (x, y), length in ((across, frame.width), (down, frame.height)):
        first, last = ((px - frame.x) * x + (py - frame.y) * y for px, py in (start, end))
        room = length / 2 + clear
        if first == last:
            if abs(first) >= room:
                return None
            continue
        ends = sorted((side - first) / (last - first) for side in (-room, room))
        low, high = max(low, ends[0]), min(high, ends[1])
    return (low, high) if low < high else None
