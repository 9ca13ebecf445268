"""Boxes, arrows and text at units from the top left corner, collected into one figure."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot, inf, isnan
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.layout.boxes import Point, RotatedRect, circle, dashes, rectangle, rounded
from viz.layout.canvas import canvas
from viz.layout.figure import Figure, Trace, trace_of
from viz.layout.line_looks import role_dash
from viz.room import LEAST_TYPE, Room
from viz.theme import Theme

HEAD, SMALLEST_HEAD = 9, 4
"""Size of an arrowhead, and its size between close boxes."""

REACH = 26
"""Distance of two points that answer the pointer; a wide box has several."""

WIDTH = 2
"""Width of lines and outlines."""

PERIOD = 14
"""Approximate length of a dash and its gap in the outline of a box."""

CORNER = 4
"""Length of both arms of the corner of a dashed line, which is solid."""

CLEAR = "rgba(0,0,0,0)"

MOST, STEP = 2.0, 0.05
"""Greatest magnification of a drawing, and the step of smaller ones."""


class Stroke(NamedTuple):
    """The look of lines, in units."""

    colour: str
    width: float = WIDTH
    opacity: float = 1.0


class _Area(NamedTuple):
    """The look of a path, its lengths in pixels."""

    colour: str
    width: float
    fill: str = CLEAR
    dash: str = ""
    opacity: float = 1.0
    layer: str = "below"


@dataclass
class Pen:
    """A drawing under construction; parts that look alike become one trace or one shape.

    Positions, widths and sizes of type are in units. The figure is `width` by `height` units, and each unit
    is `times` pixels. Without hues lines have the dashes of their roles, if these have to be distinguished.
    """

    theme: Theme
    width: float
    height: float
    times: float = 1.0
    head: float = HEAD
    dashes: bool = True
    _lines: dict[Stroke, list[NDArray[np.float32]]] = field(default_factory=dict)
    _paths: dict[_Area, list[str]] = field(default_factory=dict)
    _notes: list[dict[str, Any]] = field(default_factory=list)
    _numbers: dict[float, list[tuple[Point, str, str]]] = field(default_factory=dict)
    _places: list[tuple[Point, Hashable, str]] = field(default_factory=list)

    @classmethod
    def in_room(
        cls,
        room: Room,
        height_of: Callable[[float], float],
        *,
        fits: Callable[[float], bool] = lambda _: True,
        most: float = MOST,
        **look: Any,
    ) -> Self:
        """Return a pen for a drawing with a height for each width, as large as its room requires.

        It is magnified at most `most` times, and only as far as it still `fits` the width that
        remains, in the drawing's units.
        """
        times = magnification(room, lambda width: height_of(width) if fits(width) else inf, most)
        width = room.width / times
        return cls(room.theme, width, height_of(width), times, **look)

    def line(self, points: ArrayLike, colour: str, *, head: ArrayLike = 0, **stroke: float) -> None:
        """Draw from point to point, with a head of length `head` whose tip is at the last point.

        `points` are (point, x or y), or (line, point, x or y) for many lines, each with a separate head.
        """
        ways = np.asarray(points, dtype=np.float32)
        ways = ways.reshape(-1, *ways.shape[-2:])
        n_lines, n_points, _ = ways.shape
        drawn = np.full((n_lines, n_points + 1, 3), np.nan, dtype=np.float32)
        drawn[:, :-1, :2] = ways
        drawn[..., 2] = 0
        drawn[:, -2, 2] = head
        self._lines.setdefault(Stroke(colour, **stroke), []).append(drawn.reshape(-1, 3))

    def arrow(self, points: ArrayLike, colour: str, **stroke: float) -> None:
        """Draw from point to point, with an arrowhead at the last one."""
        self.line(points, colour, head=self.head, **stroke)

    def box(
        self, frame: RotatedRect, colour: str, *, fill: str = "", width: float = WIDTH, dashed: float = 0
    ) -> None:
        """Draw a rectangle with round corners; `dashed` is the approximate distance of its dashes."""
        dash = ",".join(f"{self.times * one:.2f}px" for one in dashes(frame, dashed)) if dashed else ""
        self._draw(rounded(frame), _Area(colour, width * self.times, fill or CLEAR, dash))

    def circle(self, frame: RotatedRect, colour: str, *, fill: str, width: float = WIDTH) -> None:
        """Draw the circle that fits the frame."""
        self._draw(circle(frame), _Area(colour, width * self.times, fill))

    def fill(self, frame: RotatedRect, colour: str, *, opacity: float = 1.0) -> None:
        """Fill a rectangle without an outline."""
        self._draw(rectangle(frame), _Area(colour, 0, colour, opacity=opacity))

    def curve(self, path: str, colour: str, *, width: float, opacity: float) -> None:
        """Draw an SVG path."""
        self._draw(path, _Area(colour, width * self.times, opacity=opacity))

    def cells(self, frame: RotatedRect, filled: NDArray[np.bool_], colour: str) -> None:
        """Draw a small matrix whose cells are filled or empty, in a thin frame."""
        rows, columns = filled.shape
        width, height = frame.width / columns, frame.height / rows
        edges = np.diff(np.pad(filled, ((0, 0), (1, 1))).astype(np.int8))
        for row, along in enumerate(edges):
            for first, last in np.flatnonzero(along).reshape(-1, 2).tolist():
                x, y = frame.left + (first + last) / 2 * width, frame.top + (row + 0.5) * height
                run = RotatedRect(x, y, (last - first) * width, height)
                self._draw(rectangle(run), _Area(colour, 0, colour, layer="above"))
        self._draw(rectangle(frame), _Area(colour, self.times, layer="above"))

    def _draw(self, path: str, area: _Area) -> None:
        self._paths.setdefault(area, []).append(path)

    def write(self, text: str, x: float, y: float, *, size: float, colour: str = "", **look: Any) -> None:
        """Write `text`, which is markup, with its middle at this point unless `look` anchors it elsewhere."""
        font = {"size": size * self.times, "color": colour or self.theme.ink}
        place = {"x": x, "y": y, "xref": "x", "yref": "y", "showarrow": False, "borderpad": 0}
        self._notes.append({"text": text, "font": font, **place, "captureevents": False, **look})

    def number(self, text: str, x: float, y: float, *, size: float, colour: str) -> None:
        """Write `text`, which is markup, around this point; for many texts this is faster than notes."""
        self._numbers.setdefault(size * self.times, []).append(((x, y), text, colour))

    def add_hit_area(self, frame: RotatedRect, name: Hashable, said: str) -> None:
        """Let clicks on this rectangle report `name`, and hovers show `said`, which is markup."""
        n = max(1, round(frame.width / REACH))
        for at in range(n):
            self._places.append(((frame.left + (at + 0.5) * frame.width / n, frame.y), name, said))

    def finished(self) -> Figure:
        """Return the figure as it is now."""
        drawn = canvas(self.width * self.times, self.height * self.times, self.theme)
        drawn.layout.update(
            hovermode="closest",
            hoverdistance=round(REACH * self.times),
            shapes=list(self._shapes()),
            annotations=self._notes,
        )
        drawn.layout["xaxis"] |= {"range": (0, self.width)}
        drawn.layout["yaxis"] |= {"range": (self.height, 0)}
        drawn.data.extend((*self._line_traces(), *self._number_traces(), *self._answer_traces()))
        return drawn.finished()

    def _dash(self, stroke: Stroke) -> str:
        return role_dash(stroke.colour, self.theme) if self.dashes else "solid"

    def _line_traces(self) -> Iterator[Trace]:
        for stroke, points in self._lines.items():
            x, y, heads = np.concatenate(points).T.copy()
            look: dict[str, Any] = {"color": stroke.colour, "width": stroke.width * self.times}
            if (dash := self._dash(stroke)) != "solid":
                look["dash"] = dash
            trace = trace_of("scatter", x=x, y=y, mode="lines", line=look, hoverinfo="skip")
            if stroke.opacity < 1:
                trace["opacity"] = stroke.opacity
            if heads.any():
                size = heads * self.times
                form = {"symbol": "triangle-up", "angleref": "previous", "line": {"width": 0}, "opacity": 1}
                # The tip of a triangle is half of its size from its middle.
                marker = {**form, "size": size, "standoff": size / 2, "color": stroke.colour}
                trace |= {"mode": "lines+markers", "marker": marker, "cliponaxis": False}
            yield trace

    def _shapes(self) -> Iterator[dict[str, Any]]:
        """Yield all paths, and the solid corners of dashed lines."""
        paths = dict(self._paths)
        for stroke, points in self._lines.items():
            corners = [] if self._dash(stroke) == "solid" else list(_corners(np.concatenate(points)))
            if corners:
                area = _Area(stroke.colour, stroke.width * self.times)
                paths[area] = [*paths.get(area, ()), *corners]
        for area, parts in paths.items():
            line = {"color": area.colour, "width": area.width, "dash": area.dash or None}
            look = {"line": line, "fillcolor": area.fill, "opacity": area.opacity, "layer": area.layer}
            yield {"type": "path", "path": "".join(parts), "xref": "x", "yref": "y", **look}

    def _number_traces(self) -> Iterator[Trace]:
        for size, numbers in self._numbers.items():
            points, texts, colours = zip(*numbers, strict=True)
            x, y = np.array(points, dtype=np.float32).T
            look = {"mode": "text", "textfont": {"size": size, "color": colours}, "hoverinfo": "skip"}
            yield trace_of("scatter", x=x, y=y, text=texts, **look)

    def _answer_traces(self) -> Iterator[Trace]:
        """Yield invisible markers above everything, because only points answer a click."""
        if self._places:
            points, names, said = zip(*self._places, strict=True)
            x, y = np.array(points, dtype=np.float32).T
            yield trace_of(
                "scatter",
                x=x,
                y=y,
                mode="markers",
                marker={"size": REACH * self.times, "opacity": 0},
                # A list, because for a NumPy array a click would report an object with the keys 0 and 1.
                customdata=names,
                hovertext=said,
                hovertemplate="%{hovertext}<extra></extra>",
            )


def magnification(room: Room, height_of: Callable[[float], float], most: float) -> float:
    """Return the magnification of a drawing in a room.

    `height_of` gives the height of the drawing for a width, both before magnification. A drawing without room
    is made smaller, but no letter becomes smaller than the smallest type of the room.
    """
    least = min(1.0, room.smallest_type / LEAST_TYPE)
    if not room.fills:
        return 1.0
    sizes = [*np.arange(most, least, -STEP).tolist(), least]
    return next((one for one in sizes if one * height_of(room.width / one) <= room.tallest), least)


def _corners(points: NDArray[np.float32]) -> Iterator[str]:
    """Yield the path of a short line round each corner of lines."""
    places = points[:, :2].tolist()
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        ways = (_towards(corner, before), corner, _towards(corner, after))
        if not any(isnan(x) for x, _ in ways):
            yield "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in ways)


def _towards(start: Sequence[float], end: Sequence[float]) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    share = min(1.0, CORNER / length) if length else 0.0
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
