"""Straight lines and marked points on a plot, each with its name in a free place."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np

from viz.layout.canvas import Rect
from viz.layout.plot import SAMPLES, Course, Plot
from viz.layout.ruler import OVERHANG, TICK
from viz.text import em_width, literal, shortened

LINE = 1.35
"""Height of a name in type sizes."""

CLEAR = 3
"""Pixels between a line and its name."""

PLACES = 17
"""Number of places along a line across for its name."""

LONGEST = 24.0
"""Greatest width of a name in em."""

NAME, BOLDER = 16, 1.08
"""Type size of the name of a point, and how much wider bold letters are."""

POINT, BESIDE_POINT = 7, 6
"""Pixels of the radius of a marked point, and from there to its name."""

Marked = tuple[float, float, str]
"""A point with its name: its value across, its height, and what it is called."""


def draw_mark(plot: Plot, at: float, name: str, colour: str) -> None:
    """Draw an upright line named above the axes: on its right, or else its left, or at the right edge."""
    line = {"color": colour, "width": 2 * plot.paper.line_scale, "dash": "dot"}
    axes = plot.axes
    domain = {"xref": axes["xaxis"], "yref": f"{axes['yaxis']} domain"}
    plot.paper.shape(type="line", x0=at, x1=at, y0=0, y1=1, line=line, **domain)
    text = shortened(name, longest=LONGEST)
    wide, x = em_width(text) * TICK, plot.x(at)
    sides = {"left": x, "right": x - wide}
    free = (side for side, left in sides.items() if left >= 0 and left + wide <= plot.right)
    side = next(free, "")
    x, anchor = (x, f"{side} bottom") if side else (max(plot.right, wide), "right bottom")
    plot.paper.note(literal(text), x, plot.top - CLEAR, anchor, size=TICK, colour=colour)


def draw_level(plot: Plot, at: float, line: dict[str, Any] | None = None, *, layer: str = "below") -> None:
    """Draw a line across, dotted by default, from the axis to the end of the data."""
    look = line or {"color": plot.paper.theme.muted, "width": 2 * plot.paper.line_scale, "dash": "dot"}
    ends = {"x0": plot.left / plot.paper.width, "x1": plot.x(plot.across.high) / plot.paper.width}
    place = {**ends, "xref": "paper", "y0": at, "y1": at, "yref": plot.axes["yaxis"]}
    plot.paper.shape(type="line", layer=layer, line=look, **place)


def place_of_name(
    plot: Plot, at: float, name: str, courses: Sequence[Course], taken: Sequence[Rect] = ()
) -> tuple[Rect, bool]:
    """Return the place of a line's name with the least in its way, and whether it is free."""
    least, best = inf, None
    for box in _boxes(plot, at, name):
        way = sum(crossed(box, one) for one in courses) + sum(shared(box, one) for one in taken)
        if best is None or way < least:
            least, best = way, box
        if not least:
            break
    assert best is not None, "a line has places for its name"
    return best, not least


def write_level(plot: Plot, name: str, box: Rect) -> None:
    """Write the name of a line into its box, without a background, which would hide curves."""
    middle, text = box.top + box.height / 2, literal(shortened(name, longest=LONGEST))
    plot.paper.note(text, box.left, middle, "left middle", size=TICK, colour=plot.paper.theme.muted)


def draw_points(
    plot: Plot, points: Sequence[Marked], courses: Sequence[Course], taken: Sequence[Rect]
) -> None:
    """Draw points in the colour of a choice, each with its name beside it, where the fewest curves are."""
    paper, colour, names = plot.paper, plot.paper.theme.selection, list(taken)
    for across, height, name in points:
        x, y = plot.x(across), plot.y(height)
        look: dict[str, Any] = {"fillcolor": colour, "line": {"width": 0}}
        paper.shape_between("circle", (x - POINT, y - POINT), (x + POINT, y + POINT), **look)
        best = min(
            _beside_point(plot, x, y, name),
            key=lambda box: (
                sum(crossed(box, one) for one in courses) + sum(shared(box, one) for one in names)
            ),
        )
        names.append(best)
        text, middle = f"<b>{literal(name)}</b>", best.top + best.height / 2
        paper.note(text, best.left, middle, "left middle", size=NAME, colour=colour)


def _beside_point(plot: Plot, x: float, y: float, name: str) -> list[Rect]:
    """Return the places for the name of a point that are inside the axes, or the first of all.

    A name above or below its point slides sideways until it is inside. The last places are a line farther.
    """
    wide, high, apart = BOLDER * em_width(name) * NAME, LINE * NAME, POINT + BESIDE_POINT
    end = plot.paper.width
    lefts = {"right": x + apart, "left": x - apart - wide, "middle": x - wide / 2}
    slid = {side: max(plot.left, min(left, end - wide)) for side, left in lefts.items()}
    tops = {"above": y - apart - high, "below": y + apart, "beside": y - high / 2}
    tops |= {"high above": tops["above"] - high, "far below": tops["below"] + high}
    ways = [("left", "above"), ("right", "below"), ("left", "below"), ("right", "above")]
    ways += [("middle", "above"), ("middle", "below"), ("right", "beside"), ("left", "beside")]
    boxes = [Rect(lefts[side], tops[top], wide, high) for side, top in ways]
    ways += [(side, top) for top in ("high above", "far below") for side in lefts]
    boxes += [Rect(slid[side], tops[top], wide, high) for side, top in ways if top != "beside"]
    inside = [
        one
        for one in boxes
        if one.left >= plot.left and one.right <= end and plot.top <= one.top and one.bottom <= plot.bottom
    ]
    return inside or boxes[:1]


def _boxes(plot: Plot, at: float, name: str) -> Iterator[Rect]:
    """Yield places above and below a line, in the plot, from the axis on."""
    end = plot.x(plot.across.high)
    wide = min(em_width(shortened(name, longest=LONGEST)) * TICK, end - plot.left - OVERHANG)
    high = LINE * TICK
    tops = [plot.y(at) - CLEAR - high, plot.y(at) + CLEAR]
    inside = [top for top in tops if plot.top <= top and top + high <= plot.bottom] or tops[:1]
    for left in np.linspace(plot.left + OVERHANG, end - wide, PLACES):
        for top in inside:
            yield Rect(float(left), top, wide, high)


def crossed(box: Rect, course: Course) -> float:
    """Return the width of the box over which the course runs inside it."""
    along, heights = course
    if not len(along):
        return 0.0
    inside = along[(along > box.left) & (along < box.right)]
    places = np.union1d(np.linspace(box.left, box.right, SAMPLES), inside)
    values = np.interp(places, along, heights, left=np.nan, right=np.nan)
    lows, highs = np.fmin(values[:-1], values[1:]), np.fmax(values[:-1], values[1:])
    return float(np.diff(places)[(lows < box.bottom) & (highs > box.top)].sum())


def shared(one: Rect, other: Rect) -> float:
    """Return the width that two boxes share."""
    if one.top >= other.bottom or other.top >= one.bottom:
        return 0.0
    return max(0.0, min(one.right, other.right) - max(one.left, other.left))
