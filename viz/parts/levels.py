"""Lines across a panel of curves, each named where its name stands in the way of the curves least."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from viz.parts.ruler import TICK
from viz.parts.sketch import Sketch
from viz.text import em_width, label, shortened
from viz.theme import Theme

Course = tuple[Float[np.ndarray, "point"], Float[np.ndarray, "point"]]
"""A curve: how far along each of its points is, in rising order, and how high."""

CLEAR = 2
"""Pixels between a line and its name."""

NAME, LINE = TICK - 1, 18
"""Type size of a name, and how high it is, in pixels."""

LONGEST = 14
"""Em that a name may take."""

WIDTH = 220
"""Pixels that a panel is wide in a usual window: the server does not know how wide it is here."""

SAMPLES = 64
"""Number of points at which a curve is sampled across a box, besides its own points."""


class Box(NamedTuple):
    """A rectangle for a name, in the units of the two axes."""

    left: float
    right: float
    low: float
    high: float


def write_levels(
    figure: Sketch,
    levels: Mapping[str, float],
    courses: Sequence[Course],
    *,
    total: float,
    pixels: float,
    theme: Theme,
    axes: Mapping[str, str],
) -> None:
    """A line from 0 to `total` at each of `levels`, named above or below one of its ends.

    The panel is so many `pixels` high, and has the `courses` and these `axes`, set before.
    """
    refs = {"xref": axes["xaxis"], "yref": axes["yaxis"]}
    look = {"color": theme.muted, "width": 1.5, "dash": "dot"}
    top = figure.layout[axes["yaxis"].replace("y", "yaxis")]["range"][1]
    taken = list(courses)
    for level in levels.values():
        figure.add_shape(type="line", x0=0, x1=total, y0=level, y1=level, line=look, layer="below", **refs)
        taken.append((np.array([0.0, total]), np.full(2, level)))
    for name, level in levels.items():
        high = top * (LINE + CLEAR) / pixels
        wide = total * min(1.0, NAME * em_width(shortened(name, longest=LONGEST)) / WIDTH)
        box = clearest(_boxes(level, wide, high, total, top), taken)
        taken.append((np.array([box.left, box.right]), np.full(2, (box.low + box.high) / 2)))
        _name(figure, name, level, box, theme, refs)


def clearest(boxes: Sequence[Box], courses: Sequence[Course]) -> Box:
    """The box that the courses run through least, the first of those that are alike."""
    return min(boxes, key=lambda box: sum(crossed(box, course) for course in courses))


def _boxes(level: float, wide: float, high: float, total: float, top: float) -> list[Box]:
    """Rectangles for the name of a line between 0 and `top`, the best first."""
    return [
        Box(left, left + wide, low, low + high)
        for left in (total - wide, 0.0)
        for low in (level, level - high)
        if low >= 0 and low + high <= top
    ]


def crossed(box: Box, course: Course) -> float:
    """Over how much of the width of the box the course runs inside it."""
    along, heights = course
    if not len(along):
        return 0.0
    inside = along[(along > box.left) & (along < box.right)]
    places = np.union1d(np.linspace(box.left, box.right, SAMPLES), inside)
    values = np.interp(places, along, heights, left=np.nan, right=np.nan)
    lows, highs = np.fmin(values[:-1], values[1:]), np.fmax(values[:-1], values[1:])
    return float(np.diff(places)[(lows < box.high) & (highs > box.low)].sum())


def _name(figure: Sketch, name: str, level: float, box: Box, theme: Theme, refs: Mapping[str, str]) -> None:
    """The name of a line in its box. It has no ground of its own: that would hide what ends there."""
    is_left, is_above = box.left == 0, box.low == level
    figure.add_annotation(
        text=label(name, longest=LONGEST),
        showarrow=False,
        borderpad=1,
        font={"size": NAME, "color": theme.muted},
        x=box.left if is_left else box.right,
        xanchor="left" if is_left else "right",
        y=level,
        yanchor="bottom" if is_above else "top",
        yshift=CLEAR if is_above else -CLEAR,
        **refs,
    )
