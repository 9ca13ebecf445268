"""A figure under construction, in pixels from its top left corner."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from viz.layout.boxes import Point
from viz.layout.figure import Axis, Figure, Trace, packed
from viz.layout.scale import Scale
from viz.text import em_width, fitting_size, label
from viz.theme import FONT, Theme

HEADLINE, SMALLEST_HEADLINE, HEADLINE_LINE = 16, 14, 34
MARGIN = 8
BAR, BAR_THICKNESS, BAR_LINE = 120, 10, 42
LEGEND, LEGEND_LINE = 14, 24
BESIDE_BAR = BAR + 28
"""Pixels from the left of a colour bar to a legend beside it, with room for half of the last number."""

MARKUP = re.compile("<[^<>]*>")


class Rect(NamedTuple):
    """A rectangle in pixels: its left and upper edge, width and height."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(frozen=True, kw_only=True)
class Canvas:
    """Traces and layout of a figure, unchecked dicts of Plotly's vocabulary, with its size in pixels.

    The paper coordinates of Plotly span all of it. Its curves are `line_scale` times as thick as on a page.
    """

    width: float
    height: float
    theme: Theme
    line_scale: float = 1.0
    data: list[Trace] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)

    def finished(self) -> Figure:
        """Return the figure as it is now."""
        return Figure(packed({"data": self.data, "layout": self.layout}))

    def add_trace(self, trace: Trace) -> None:
        """Draw a trace above the existing ones."""
        self.data.append(trace)

    def image(self, **look: Any) -> None:
        """Lay an image below or above the traces."""
        self.layout.setdefault("images", []).append(look)

    def shape(self, **look: Any) -> None:
        """Draw a Plotly shape."""
        self.layout.setdefault("shapes", []).append(look)

    def shape_between(self, kind: str, start: Point, end: Point, **look: Any) -> None:
        """Draw a line between two places in pixels, or a rectangle or a circle from corner to corner."""
        ends = {"x0": start[0] / self.width, "x1": end[0] / self.width}
        ends |= {"y0": 1 - start[1] / self.height, "y1": 1 - end[1] / self.height}
        self.shape(type=kind, xref="paper", yref="paper", **ends, **look)

    def note(
        self, text: str, x: float, y: float, anchor: str = "", *, size: float, colour: str = "", **look: Any
    ) -> None:
        """Write markup with its `anchor`, such as "left top", `x`, `y` pixels from the top left corner."""
        xanchor, _, yanchor = anchor.partition(" ")
        font = {"size": size, "color": colour or None}
        place = {"x": x / self.width, "y": 1 - y / self.height, "xref": "paper", "yref": "paper"}
        place |= {"xanchor": xanchor or None, "yanchor": yanchor or None}
        note = {"text": text, "showarrow": False, "borderpad": 0, "font": font, **place, **look}
        self.layout.setdefault("annotations", []).append(note)

    def domains(self, box: Rect, room: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the paper ranges of `box` with `room` around it, from left to right and from below."""
        across = (box.left - room) / self.width, (box.right + room) / self.width
        upwards = 1 - (box.bottom + room) / self.height, 1 - (box.top - room) / self.height
        return across, upwards

    def set_axes(self, box: Rect, x: Axis, y: Axis, *, number: str = "", around: float = 0) -> None:
        """Set the axes of this number, "" for the first, on a box with some pixels `around` it."""
        across, upwards = self.domains(box, around)
        self.layout[f"xaxis{number}"] = x | {"domain": across, "anchor": f"y{number}"}
        self.layout[f"yaxis{number}"] = y | {"domain": upwards, "anchor": f"x{number}"}

    def bar(self, scale: Scale, x: float, y: float, length: float) -> dict[str, Any]:
        """Return a slim colour bar for a trace, from `x`, `y` to the right, with its ends and zero named."""
        place = {"x": x / self.width, "xanchor": "left", "xpad": 0}
        place |= {"y": 1 - y / self.height, "yanchor": "top", "ypad": 0}
        form = {"orientation": "h", "lenmode": "pixels", "len": length, "thickness": BAR_THICKNESS}
        named = scale.named(length / LEGEND)
        ends = {"tickvals": tuple(named), "ticktext": tuple(named.values()), "tickfont": {"size": LEGEND}}
        return {**place, **form, **ends, "ticks": "", "outlinecolor": self.theme.line}

    def legend(self, lines: Sequence[str], x: float, y: float) -> None:
        """Write lines of explanation, which are markup, one below the other from `x`, `y` on."""
        for at, line in enumerate(lines):
            self.note(line, x, y + at * LEGEND_LINE, "left top", size=LEGEND, colour=self.theme.muted)

    def legend_of_bar(self, lines: Sequence[str], x: float, y: float, room: float) -> None:
        """Write the first line, the name of the bar at `x`, `y`, beside it if it fits, and others below."""
        beside = is_beside_bar(lines, room)
        self.legend(lines[:beside], x + BESIDE_BAR, y - (LEGEND - BAR_THICKNESS))
        self.legend(lines[beside:], x, y + BAR_LINE)


def canvas(
    width: float, height: float, theme: Theme, *, title: str = "", short: str = "", line_scale: float = 1.0
) -> Canvas:
    """Return an empty figure of this size, under a headline that is smaller if the figure is narrow.

    If even the smallest type is too wide, the `short` headline is written in that type, as headlines side by
    side have one size. Without a short one, the headline is cut off.

    Streamlit (1.67) makes the browser draw every figure twice, the second time from a copy. Plotly skips
    unchanged parts; with an equal `datarevision` other arrays count as unchanged. Another figure goes into a
    new element.
    """
    font = {"family": FONT, "size": 15, "color": theme.ink}
    layout: dict[str, Any] = {
        "height": round(height),
        "width": round(width),
        "autosize": False,
        "datarevision": 0,
        "paper_bgcolor": theme.paper,
        "plot_bgcolor": theme.paper,
        "font": font,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "showlegend": False,
        "dragmode": False,
        "hoverlabel": {"font": font, "bgcolor": theme.paper, "bordercolor": theme.line},
        "xaxis": {"visible": False, "fixedrange": True},
        "yaxis": {"visible": False, "fixedrange": True},
    }
    if title:
        room = width - 2 * MARGIN
        fits = em_width(title) * SMALLEST_HEADLINE <= room
        drawn = title if fits or not short else short
        size = fitting_size(title, room, usual=HEADLINE, smallest=SMALLEST_HEADLINE)
        text = f"<b>{label(drawn, longest=room / size)}</b>"
        place = {"x": 0, "xanchor": "left", "y": 1, "yanchor": "top", "pad": {"l": MARGIN, "t": MARGIN}}
        layout["title"] = {"text": text, "font": {"size": size}, **place}
    return Canvas(width=width, height=height, theme=theme, line_scale=line_scale, layout=layout)


def legend_width(lines: Sequence[str]) -> float:
    """Return the pixels of the longest line of a legend."""
    return max((em_width(MARKUP.sub("", line)) for line in lines), default=0) * LEGEND + MARGIN


def joined(lines: Sequence[str], width: float) -> list[str]:
    """Return the lines of a legend as one, if a figure of this width has room for it."""
    one = "   ".join(lines)
    return [one] if legend_width([one]) + MARGIN <= width else list(lines)


def is_beside_bar(lines: Sequence[str], room: float) -> bool:
    """Return whether the first line fits beside a bar with this room from its left end."""
    return len(lines) > 0 and BESIDE_BAR + legend_width(lines[:1]) <= room


def bar_room(lines: Sequence[str], room: float) -> int:
    """Return pixels of height of a colour bar and its legend."""
    return BAR_LINE + LEGEND_LINE * (len(lines) - is_beside_bar(lines, room))


def headline_width(title: str) -> float:
    """Return pixels that a headline needs to be written in full."""
    return em_width(title) * HEADLINE + 2 * MARGIN if title else 0
