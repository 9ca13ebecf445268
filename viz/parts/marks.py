"""Straight lines across a figure of curves, up or across, each with its name where nothing else is."""

from collections.abc import Sequence

import numpy as np

from viz.parts.curve_names import LINE, TOP, CurveName, write_curve_name
from viz.parts.levels import Box, Course, clearest, crossed
from viz.parts.ruler import OVERHANG, TICK, Ruler
from viz.parts.sketch import Sketch
from viz.text import em_width, label, literal, shortened
from viz.theme import Theme

PLACES, CLEAR = 17, 3
"""Number of places along a line across at which its name may stand, and its pixels from the line."""

LONGEST_MARK = 24.0
"""Em that the name of a line up or across may take."""

HIGHEST_NAMED_ABOVE = 0.9
"""The share of the upright axis up to which the name of a line across stands above it."""


def draw_mark(figure: Sketch, at: float, name: str, across: Ruler, theme: Theme) -> None:
    """An upright line, named above on the side that has more room."""
    look = {"color": theme.selection, "width": 2, "dash": "dot"}
    figure.add_shape(type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line=look)
    anchor = "left" if across.share(at) < 0.5 else "right"
    place = {"x": across.at(at), "xanchor": anchor, "y": 1, "yref": "paper", "yanchor": "bottom"}
    font = {"size": TICK, "color": theme.selection}
    text = label(name, longest=LONGEST_MARK)
    figure.add_annotation(text=text, showarrow=False, borderpad=2, font=font, **place)


def draw_level(
    figure: Sketch,
    at: float,
    name: str,
    up: Ruler,
    courses: Sequence[Course],
    theme: Theme,
    *,
    width: int,
    rows: int,
) -> None:
    """Draw a line across and write its name where no curve runs, as near as can be to the axis.

    It stands above the line, or below where a mark has its name above. The line ends where the curves do,
    before their names. If curves run through every such place, the name stands above the axes behind a piece
    of the line, as one row more than the `rows` of names that are there.
    """
    end = 1 - OVERHANG / (1 + 2 * OVERHANG)
    figure.add_shape(
        type="line",
        x0=0,
        x1=end,
        xref="paper",
        y0=at,
        y1=at,
        layer="below",
        line={"color": theme.muted, "width": 2, "dash": "dot"},
    )
    text = shortened(name, longest=LONGEST_MARK)
    margin = figure.layout["margin"]
    wide = min(em_width(text) * TICK / (width - margin["l"] - margin["r"]), end)
    length = figure.layout["height"] - margin["t"] - margin["b"]
    high, clear = 1.3 * TICK / length, CLEAR / length
    # The lower ends of a name above the line and of one below.
    sides = [up.place(at) + clear, up.place(at) - clear - high]
    if up.share(at) >= HIGHEST_NAMED_ABOVE:
        sides = sides[1:]
    boxes = [
        Box(left, left + wide, low, low + high)
        for left in np.linspace(0, end - wide, PLACES)
        for low in sides
        if low >= 0
    ]
    box = clearest(boxes, courses)
    if any(crossed(box, course) for course in courses):
        figure.update_layout(
            height=figure.layout["height"] + LINE, margin={**margin, "t": margin["t"] + LINE}
        )
        above = CurveName(text, 0, 1, 0, TOP + LINE * (rows + 0.5))
        write_curve_name(
            figure, above, {"color": theme.muted, "dash": "dot"}, sampled=True, longest=LONGEST_MARK
        )
        return
    anchor = "top" if box.low < up.place(at) else "bottom"
    place = {"x": box.left, "xref": "paper", "xanchor": "left", "y": up.at(at), "yanchor": anchor}
    font = {"size": TICK, "color": theme.muted}
    figure.add_annotation(text=literal(text), showarrow=False, borderpad=2, font=font, **place)
