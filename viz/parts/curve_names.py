"""The names of curves: each at the end of its own, none over another."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import pandas as pd

from viz.parts.ruler import Ruler
from viz.parts.sketch import Sketch
from viz.text import LONGEST_LABEL, label

NAME, LINE = 16, 22
"""Type size of the names of curves and the least distance between two of them, in pixels."""

TOP, BESIDE = 28, 12
"""Pixels above the axes, and from the end of a curve to its name."""

SAMPLE = 38
"""Pixels of the dashes of a curve before its name."""


class CurveName(NamedTuple):
    """The name of a curve: a place as shares of the axes, and pixels to the right of it and above it.

    `end` is that place in the coordinates of the axes, if it is the end of the curve.
    """

    text: str
    x: float
    y: float
    right: float
    above: float
    end: tuple[float, float] | None = None


def curve_names(
    lines: Sequence[tuple[str, pd.Series, pd.Series]],
    across: Ruler,
    up: Ruler,
    *,
    length: float,
    narrow: bool,
) -> list[CurveName]:
    """Each name beside the end of its curve, moved up or down where two would touch.

    Of curves that end in one point that is above whose course before was. In a `narrow` figure the names
    stand in this order above the axes.
    """
    rising = sorted(range(len(lines)), key=lambda at: tuple(lines[at][2].to_numpy()[::-1]))
    if narrow:
        rows = {at: TOP + LINE * (row + 0.5) for row, at in enumerate(rising)}
        return [CurveName(name, 0, 1, 0, rows[at]) for at, (name, *_) in enumerate(lines)]
    heights = [up.pixels(values.iloc[-1], length) for _, _, values in lines]
    apart = _apart(heights, rising, highest=up.pixels(up.high, length))
    found = []
    for (name, along, values), height, moved in zip(lines, heights, apart, strict=True):
        x, y = along.iloc[-1], values.iloc[-1]
        place, end = (across.place(x), up.place(y)), (across.at(x), up.at(y))
        found.append(CurveName(name, *place, BESIDE, moved - height, end))
    return found


def write_curve_name(
    figure: Sketch,
    name: CurveName,
    line: Mapping[str, str],
    *,
    sampled: bool,
    sign: str = "",
    longest: float = LONGEST_LABEL,
) -> None:
    """A name in the colour of its curve, `sampled` behind a piece of its dashes with the `sign` on it."""
    paper = {"xref": "paper", "yref": "paper"}
    x, y = name.end or (name.x, name.y)
    place: dict[str, Any] = {"x": x, "y": y, **({} if name.end else paper)}
    place |= {"xanchor": "left", "xshift": name.right + SAMPLE * sampled}
    place |= {"yanchor": "middle", "yshift": name.above}
    look = {"showarrow": False, "borderpad": 0, "font": {"size": NAME, "color": line["color"]}}
    figure.add_annotation(text=label(name.text, longest=longest), **look, **place)
    if sampled:
        pixels = {"xsizemode": "pixel", "ysizemode": "pixel", **paper}
        ends = {"x0": name.right, "x1": name.right + SAMPLE - 6, "y0": name.above, "y1": name.above}
        at = {"xanchor": name.x, "yanchor": name.y}
        figure.add_shape(type="line", line={**line, "width": 3}, **at, **pixels, **ends)
    if sampled and sign:
        middle = name.right + (SAMPLE - 6) / 2
        figure.add_annotation(text=sign, **look, **{**place, "xanchor": "center", "xshift": middle})


def _apart(heights: Sequence[float], rising: Sequence[int], *, highest: float) -> list[float]:
    """Heights in pixels at least `LINE` apart and in this order, each as near as it can be to its curve.

    Names that would touch stand around the mean of the ends: none below the axes, none above `highest`.
    """
    groups: list[list[float]] = []
    for row, at in enumerate(rising):
        group = [heights[at] - LINE * row]
        while groups and fmean(groups[-1]) > fmean(group):
            group = groups.pop() + group
        groups.append(group)
    lowest = [fmean(group) for group in groups for _ in group]
    top = highest - LINE * (len(rising) - 1)
    apart = list(heights)
    for row, (at, low) in enumerate(zip(rising, lowest, strict=True)):
        apart[at] = min(max(low, 0), top) + LINE * row
    return apart
