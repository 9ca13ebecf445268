"""Boxes, arrows and writing at units from the top left corner, gathered into one figure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from viz.layout.figure import Figure
from viz.layout.line_looks import role_dash
from viz.layout.sketch import Trace, blank, trace_of
from viz.text import em_width
from viz.theme import Theme

Point = tuple[float, float]
Side = Literal["up", "down", "left", "right"]

HEAD, SMALLEST_HEAD = 9, 4
"""Size of an arrowhead, usually and where boxes stand close."""

ROUND = 7
"""Radius of the corners of a box."""

REACH = 26
"""Distance from one point that answers the pointer to the next: a wide box has several."""

WIDTH = 2
"""Width of lines and outlines."""

PERIOD, INKED = 14, 0.6
"""About how long a dash and the gap after it are in the outline of a box, and the share of the dash."""

CORNER = 4
"""Length of both arms of the corner of a dashed line, which is solid."""

_TURNED = {"up": "triangle-up", "down": "triangle-down", "left": "triangle-left", "right": "triangle-right"}


@dataclass(frozen=True)
class Frame:
    """A rectangle: its middle, width and height, and by how many degrees it is turned clockwise."""

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


@dataclass
class Pen:
    """What has been drawn so far; `finished` makes the figure, with all lines of a colour as one trace.

    Positions, widths and sizes of type are units. The figure is `width` by `height` units large, and each
    unit is `times` pixels. Without hues lines have the dashes of their roles, if they have to be told apart.
    """

    theme: Theme
    width: float
    height: float
    times: float = 1.0
    head: float = HEAD
    dashes: bool = True
    _lines: dict[tuple[str, float], list[Point | None]] = field(default_factory=dict)
    _heads: dict[str, list[tuple[Point, Side]]] = field(default_factory=dict)
    _shapes: list[dict[str, Any]] = field(default_factory=list)
    _notes: list[dict[str, Any]] = field(default_factory=list)
    _places: list[tuple[Point, str | int, str]] = field(default_factory=list)

    def line(self, points: Sequence[Point], colour: str, *, width: float = WIDTH) -> None:
        """Draw from point to point."""
        self._lines.setdefault((colour, width), []).extend([*points, None])

    def line_behind(
        self, start: Point, end: Point, obstacles: Iterable[Frame], colour: str, *, width: float = WIDTH
    ) -> None:
        """Draw a straight line that is interrupted where an obstacle lies."""
        for piece in _outside(start, end, obstacles, width / 2 + 1):
            self.line(piece, colour, width=width)

    def arrow(self, points: Sequence[Point], colour: str, *, width: float = WIDTH) -> None:
        """Draw from point to point, with a head whose tip is at the last one."""
        (x, y), (before_x, before_y) = points[-1], points[-2]
        side: Side = (
            ("down" if y > before_y else "up") if x == before_x else ("right" if x > before_x else "left")
        )
        back = {"up": (0, 1), "down": (0, -1), "left": (1, 0), "right": (-1, 0)}[side]
        end = (x + back[0] * self.head / 2, y + back[1] * self.head / 2)
        self.line([*points[:-1], end], colour, width=width)
        self._heads.setdefault(colour, []).append((end, side))

    def box(
        self, frame: Frame, colour: str, *, fill: str = "", width: float = WIDTH, dashed: float = 0
    ) -> None:
        """Draw a rectangle with round corners; one that is `dashed` has dashes about so far apart."""
        line = {"color": colour, "width": width * self.times}
        if dashed:
            line["dash"] = ",".join(f"{self.times * one:.2f}px" for one in _dashes(frame, dashed))
        look = {"line": line, "fillcolor": fill or "rgba(0,0,0,0)", "layer": "below"}
        self._shapes.append({"type": "path", "path": _rounded(frame), "xref": "x", "yref": "y", **look})

    def circle(self, frame: Frame, colour: str, *, fill: str, width: float = WIDTH) -> None:
        """Draw the circle that fits the frame."""
        corners = {"x0": frame.left, "x1": frame.right, "y0": frame.top, "y1": frame.bottom}
        line = {"color": colour, "width": width * self.times}
        look = {"line": line, "fillcolor": fill, "layer": "below"}
        self._shapes.append({"type": "circle", "xref": "x", "yref": "y", **corners, **look})

    def curve(self, path: str, colour: str, *, width: float, opacity: float) -> None:
        """Draw a path of SVG."""
        line = {"color": colour, "width": width * self.times}
        place = {"type": "path", "xref": "x", "yref": "y", "layer": "below"}
        self._shapes.append({**place, "path": path, "line": line, "opacity": opacity})

    def cells(self, frame: Frame, filled: NDArray[np.bool_], colour: str) -> None:
        """Draw a small matrix whose cells are filled or empty, in a thin frame."""
        rows, columns = filled.shape
        width, height = frame.width / columns, frame.height / rows
        runs = [
            Frame(
                frame.left + (first + last) / 2 * width,
                frame.top + (row + 0.5) * height,
                (last - first) * width,
                height,
            )
            for row in range(rows)
            for first, last in _runs(filled[row])
        ]
        common = {"type": "path", "xref": "x", "yref": "y", "layer": "above"}
        if runs:
            path = "".join(map(_square, runs))
            self._shapes.append({**common, "path": path, "fillcolor": colour, "line": {"width": 0}})
        outline = {"line": {"color": colour, "width": self.times}, "fillcolor": "rgba(0,0,0,0)"}
        self._shapes.append({**common, "path": _square(frame), **outline})

    def write(self, text: str, x: float, y: float, *, size: float, colour: str = "", **look: Any) -> None:
        """Write `text`, which is markup, with its middle at this point unless `look` anchors it elsewhere."""
        font = {"size": size * self.times, "color": colour or self.theme.ink}
        place = {"x": x, "y": y, "xref": "x", "yref": "y", "showarrow": False, "borderpad": 0}
        self._notes.append({"text": text, "font": font, **place, "captureevents": False, **look})

    def answer(self, frame: Frame, name: str | int, said: str) -> None:
        """Have clicks on this rectangle report `name`, and the pointer on it say `said`, which is markup."""
        n = max(1, round(frame.width / REACH))
        for at in range(n):
            self._places.append(((frame.left + (at + 0.5) * frame.width / n, frame.y), name, said))

    def finished(self) -> Figure:
        """The figure as it is now."""
        pixels = {"width": round(self.width * self.times), "height": round(self.height * self.times)}
        figure = blank(self.theme, **pixels)
        figure.update_layout(
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            hovermode="closest",
            hoverdistance=round(REACH * self.times),
            shapes=self._shapes,
            annotations=self._notes,
        )
        for shape in self._corner_shapes():
            figure.add_shape(**shape)
        figure.layout["xaxis"] |= {"range": (0, self.width)}
        figure.layout["yaxis"] |= {"range": (self.height, 0)}
        for trace in (*self._line_traces(), *self._head_traces(), *self._answer_traces()):
            figure.add_trace(trace)
        return figure.finished()

    def _line_traces(self) -> Iterator[Trace]:
        for (colour, width), points in self._lines.items():
            x, y = _columns(points)
            look: dict[str, Any] = {"color": colour, "width": width * self.times}
            dash = role_dash(colour, self.theme) if self.dashes else "solid"
            if dash != "solid":
                look["dash"] = dash
            yield trace_of("scatter", x=x, y=y, mode="lines", line=look, hoverinfo="skip")

    def _corner_shapes(self) -> Iterator[dict[str, Any]]:
        """The corners of dashed lines, which are solid."""
        for (colour, width), points in self._lines.items():
            if self.dashes and role_dash(colour, self.theme) != "solid":
                path = "".join(_corners(points))
                place = {"type": "path", "xref": "x", "yref": "y", "layer": "below"}
                if path:
                    yield {**place, "path": path, "line": {"color": colour, "width": width * self.times}}

    def _head_traces(self) -> Iterator[Trace]:
        for colour, heads in self._heads.items():
            x, y = _columns([point for point, _ in heads])
            symbols = [_TURNED[side] for _, side in heads]
            look = {"symbol": symbols, "size": self.head * self.times, "color": colour}
            marker = {**look, "line": {"width": 0}, "opacity": 1}
            yield trace_of("scatter", x=x, y=y, mode="markers", marker=marker, hoverinfo="skip")

    def _answer_traces(self) -> Iterator[Trace]:
        """Markers that nobody sees, above everything: only points answer a click."""
        if self._places:
            x, y = _columns([point for point, _, _ in self._places])
            yield trace_of(
                "scatter",
                x=x,
                y=y,
                mode="markers",
                marker={"size": REACH * self.times, "opacity": 0},
                customdata=[name for _, name, _ in self._places],
                hovertext=[said for _, _, said in self._places],
                hovertemplate="%{hovertext}<extra></extra>",
            )


def fitting(text: str, width: float, *, sizes: Iterable[float]) -> tuple[list[str], float]:
    """`text` in one line or two, and the largest type at which it fits `width` pixels; else the smallest."""
    words = text.split()
    halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    best = min(halves, key=lambda pair: max(map(em_width, pair)), default=(text,))
    for size in sizes:
        for lines in ([text], list(best)):
            if max(map(em_width, lines)) * size <= width:
                return lines, size
    return list(best), size


def _columns(points: Sequence[Point | None]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    pairs = np.array([(np.nan, np.nan) if one is None else one for one in points], dtype=np.float32)
    return pairs.reshape(-1, 2)[:, 0], pairs.reshape(-1, 2)[:, 1]


def _outside(
    start: Point, end: Point, obstacles: Iterable[Frame], clear: float
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


def _covered(start: Point, end: Point, frame: Frame, clear: float) -> tuple[float, float] | None:
    """Return from which share of a line to which a frame and `clear` around it cover it, if they do."""
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


def _corners(points: Sequence[Point | None]) -> Iterator[str]:
    """Yield the path of a short line round each corner of lines."""
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        if before is not None and corner is not None and after is not None:
            ways = (_towards(corner, before), corner, _towards(corner, after))
            yield "M" + "L".join(f"{_at(x)},{_at(y)}" for x, y in ways)


def _towards(start: Point, end: Point) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    share = min(1.0, CORNER / length) if length else 0.0
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _at(pixels: float) -> str:
    return f"{pixels:.1f}"


def _radius(frame: Frame) -> float:
    return min(ROUND, frame.height / 2, frame.width / 2)


def _rounded(frame: Frame) -> str:
    """The path of a rectangle with round corners, clockwise from the middle of the upper left one."""
    left, right, top, bottom = (_at(edge) for edge in (frame.left, frame.right, frame.top, frame.bottom))
    r = _radius(frame)
    inner = [_at(edge) for edge in (frame.left + r, frame.right - r, frame.top + r, frame.bottom - r)]
    west, east, north, south = inner
    start = f"{_at(frame.left + r / 4)},{_at(frame.top + r / 4)}"
    return (
        f"M{start}Q{_at(frame.left + r / 2)},{top},{west},{top}L{east},{top}"
        f"Q{right},{top},{right},{north}L{right},{south}"
        f"Q{right},{bottom},{east},{bottom}L{west},{bottom}Q{left},{bottom},{left},{south}"
        f"L{left},{north}Q{left},{_at(frame.top + r / 2)},{start}Z"
    )


def _dashes(frame: Frame, period: float) -> list[float]:
    """Lengths of dashes and gaps in turn along the outline of a box, with a dash at each corner."""
    r = _radius(frame)
    arc = 1.6232 * r  # the length of a corner, a parabola
    edges = [length - 2 * r + arc for length in (frame.width, frame.height)] * 2
    lengths: list[float] = [0.0]
    for edge in edges:
        n = max(1, round(edge / period))
        ink, gap = INKED * edge / n, (1 - INKED) * edge / n
        lengths[-1] += ink / 2
        lengths += [gap, ink] * (n - 1) + [gap, ink / 2]
    return [*lengths, 0.0]


def _square(frame: Frame) -> str:
    left, right, top, bottom = (_at(edge) for edge in (frame.left, frame.right, frame.top, frame.bottom))
    return f"M{left},{top}L{right},{top}L{right},{bottom}L{left},{bottom}Z"


def _runs(row: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """From where to where neighbouring cells are filled."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]
