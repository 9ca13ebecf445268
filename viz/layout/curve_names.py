"""The names of curves: at the ends of the curves or in rows above the axes, without overlaps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from viz.layout.canvas import Rect
from viz.layout.levels import crossed, shared
from viz.layout.line_looks import BOLD
from viz.layout.plot import Course, Plot
from viz.text import em_width, label, shortened

NAME, LINE = 16, 22
"""Type size of the names of curves and the least distance between two of them, in pixels."""

BESIDE, LED = 10, 26
"""Pixels from the end of a curve to its name, directly and with a line between them."""

SAMPLE, DASHES = 38, 32
"""Pixels from a sample of a curve to its name, and of its dashes."""

APART = 18
"""Pixels between two names of a row."""

LONGEST_NAME = 10.0
"""The longest name of a curve in em, the unit of `em_width`."""

NEAR = 4
"""Pixels by which a name may be moved away from its curve without a line between them."""


@dataclass(frozen=True)
class Name:
    """The name of a curve, with its line as a Plotly dict, and its points' sign if that identifies it."""

    text: str
    line: Mapping[str, Any] = field(default_factory=dict)
    sign: str = ""
    longest: float = LONGEST_NAME

    @property
    def wide(self) -> float:
        """Width of its letters in pixels."""
        return em_width(shortened(self.text, longest=self.longest)) * NAME


def width_beside(names: Sequence[Name], *, sampled: bool) -> float:
    """Return the pixels for names beside the curves."""
    return max((name.wide for name in names), default=0) + LED + SAMPLE * sampled


def rows_above(names: Sequence[Name], width: float) -> list[list[Name]]:
    """Return names in rows of this width, each to the right of a sample of its curve."""
    rows: list[list[Name]] = []
    free = 0.0
    for name in names:
        wide = SAMPLE + name.wide + APART
        if not rows or wide - APART > free:
            rows.append([])
            free = width
        rows[-1].append(name)
        free -= wide
    return rows


def write_above(plot: Plot, rows: Sequence[Sequence[Name]]) -> None:
    """Write rows of names at the upper edge."""
    for at, row in enumerate(rows):
        x = 0.0
        for name in row:
            _write(plot, name, x, (at + 0.5) * LINE, sampled=True)
            x += SAMPLE + name.wide + APART


def write_beside(plot: Plot, names: Sequence[Name], courses: Sequence[Course], *, sampled: bool) -> None:
    """Write each name at the end of its curve, or beside the axes, moved up or down if two would touch.

    A thin line leads from a curve to a moved name. Of curves that end in one place, the one that was higher
    before is named first.
    """
    last = max((float(course[0][-1]) for course in courses), default=plot.right)
    inside: list[Rect] = []
    column = []
    for at, (name, course) in enumerate(zip(names, courses, strict=True)):
        left, middle = float(course[0][-1]) + BESIDE, float(course[1][-1])
        box = Rect(left, middle - LINE / 2, name.wide + SAMPLE * sampled, LINE)
        others = [*courses[:at], *courses[at + 1 :]]
        is_free = not any(crossed(box, one) for one in others) and not any(shared(box, one) for one in inside)
        if course[0][-1] < last - LED and box.right < plot.right and is_free:
            inside.append(box)
            _write(plot, name, left, middle, sampled=sampled)
        else:
            column.append(at)
    rising = sorted(column, key=lambda at: tuple(-courses[at][1][::-1]))
    ends = [plot.bottom - float(courses[at][1][-1]) for at in rising]
    apart = _apart(ends, highest=plot.up.length)
    is_led = any(abs(moved - end) > NEAR for moved, end in zip(apart, ends, strict=True))
    x = last + (LED if is_led or sampled else BESIDE)
    for at, end, moved in zip(rising, ends, apart, strict=True):
        if abs(moved - end) > NEAR and courses[at][0][-1] >= last - LED:
            line, start = {"color": names[at].line["color"], "width": 1}, courses[at][0][-1] + 6
            way = (start, plot.bottom - end), (x - 3, plot.bottom - moved)
            plot.paper.shape_between("line", *way, line=line)
        _write(plot, names[at], x, plot.bottom - moved, sampled=sampled)


def _write(plot: Plot, name: Name, x: float, y: float, *, sampled: bool) -> None:
    """Write a name in its curve's colour; if `sampled`, to the right of its dashes and sign."""
    look = {"size": NAME, "colour": name.line["color"]}
    if sampled:
        line = {**name.line, "width": BOLD * plot.paper.line_scale}
        plot.paper.shape_between("line", (x, y), (x + DASHES, y), line=line)
        if name.sign:
            plot.paper.note(name.sign, x + DASHES / 2, y, "center middle", **look)
        x += SAMPLE
    plot.paper.note(label(name.text, longest=name.longest), x, y, "left middle", **look)


def _apart(rising: Sequence[float], *, highest: float) -> list[float]:
    """Return heights in pixels at least `LINE` apart, in this order, each as near as possible to its own.

    Names that would touch are placed around the mean of the ends: none below the axes, none above `highest`.
    """
    groups: list[list[float]] = []
    for row, height in enumerate(rising):
        group = [height - LINE * row]
        while groups and fmean(groups[-1]) > fmean(group):
            group = groups.pop() + group
        groups.append(group)
    lowest = [fmean(group) for group in groups for _ in group]
    top = highest - LINE * (len(rising) - 1)
    return [min(max(low, 0), top) + LINE * row for row, low in enumerate(lowest)]
