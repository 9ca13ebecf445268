"""Boxes, arrows and writing at pixels from the top left corner, gathered into one figure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from viz.parts.figure import Figure
from viz.parts.line_looks import role_dash
from viz.parts.sketch import Trace, blank, trace_of
from viz.text import em_width
from viz.theme import Theme

Point = tuple[float, float]
Side = Literal["up", "down", "left", "right"]

HEAD = 9
"""Pixels of an arrowhead."""

ROUND = 7
"""Radius in pixels of the corners of a box."""

REACH = 26
"""Pixels from one point that answers the pointer to the next: a wide box has several."""

WIDTH = 2
"""Width of lines and outlines, in pixels."""

_TURNED = {"up": "triangle-up", "down": "triangle-down", "left": "triangle-left", "right": "triangle-right"}


@dataclass(frozen=True)
class Frame:
    """A rectangle: its middle, width and height in pixels."""

    x: float
    y: float
    width: float
    height: float

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
    """What has been drawn so far; `finished` makes the figure, with all lines of a colour as one trace."""

    theme: Theme
    width: float
    height: float
    _lines: dict[tuple[str, float], list[Point | None]] = field(default_factory=dict)
    _heads: dict[str, list[tuple[Point, Side]]] = field(default_factory=dict)
    _shapes: list[dict[str, Any]] = field(default_factory=list)
    _notes: list[dict[str, Any]] = field(default_factory=list)
    _places: list[tuple[Point, str, str]] = field(default_factory=list)

    def line(self, points: Sequence[Point], colour: str, *, width: float = WIDTH) -> None:
        """Draw from point to point."""
        self._lines.setdefault((colour, width), []).extend([*points, None])

    def arrow(self, points: Sequence[Point], colour: str, *, width: float = WIDTH) -> None:
        """Draw from point to point, with a head whose tip is at the last one."""
        (x, y), (before_x, before_y) = points[-1], points[-2]
        side: Side = (
            ("down" if y > before_y else "up") if x == before_x else ("right" if x > before_x else "left")
        )
        back = {"up": (0, 1), "down": (0, -1), "left": (1, 0), "right": (-1, 0)}[side]
        end = (x + back[0] * HEAD / 2, y + back[1] * HEAD / 2)
        self.line([*points[:-1], end], colour, width=width)
        self._heads.setdefault(colour, []).append((end, side))

    def box(self, frame: Frame, colour: str, *, fill: str = "", width: float = WIDTH, dash: str = "") -> None:
        """Draw a rectangle with round corners."""
        line = {"color": colour, "width": width, **({"dash": dash} if dash else {})}
        look = {"line": line, "fillcolor": fill or "rgba(0,0,0,0)", "layer": "below"}
        self._shapes.append({"type": "path", "path": _rounded(frame), "xref": "x", "yref": "y", **look})

    def circle(self, frame: Frame, colour: str, *, fill: str, width: float = WIDTH) -> None:
        """Draw the circle that fits the frame."""
        corners = {"x0": frame.left, "x1": frame.right, "y0": frame.top, "y1": frame.bottom}
        look = {"line": {"color": colour, "width": width}, "fillcolor": fill, "layer": "below"}
        self._shapes.append({"type": "circle", "xref": "x", "yref": "y", **corners, **look})

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
        outline = {"line": {"color": colour, "width": 1}, "fillcolor": "rgba(0,0,0,0)"}
        self._shapes.append({**common, "path": _square(frame), **outline})

    def write(self, text: str, x: float, y: float, *, size: float, colour: str = "", **look: Any) -> None:
        """Write `text`, which is markup, with its middle at this point unless `look` anchors it elsewhere."""
        font = {"size": size, "color": colour or self.theme.ink}
        place = {"x": x, "y": y, "xref": "x", "yref": "y", "showarrow": False, "borderpad": 0}
        self._notes.append({"text": text, "font": font, **place, "captureevents": False, **look})

    def answer(self, frame: Frame, name: str, said: str) -> None:
        """Have clicks on this rectangle report `name`, and the pointer on it say `said`, which is markup."""
        n = max(1, round(frame.width / REACH))
        for at in range(n):
            self._places.append(((frame.left + (at + 0.5) * frame.width / n, frame.y), name, said))

    def finished(self) -> Figure:
        """The figure as it is now."""
        figure = blank(self.theme, width=round(self.width), height=round(self.height))
        figure.update_layout(
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            hovermode="closest",
            hoverdistance=REACH,
            shapes=self._shapes,
            annotations=self._notes,
        )
        figure.layout["xaxis"] |= {"range": (0, round(self.width))}
        figure.layout["yaxis"] |= {"range": (round(self.height), 0)}
        for trace in (*self._line_traces(), *self._head_traces(), *self._answer_traces()):
            figure.add_trace(trace)
        return figure.finished()

    def _line_traces(self) -> Iterator[Trace]:
        for (colour, width), points in self._lines.items():
            x, y = _columns(points)
            look: dict[str, Any] = {"color": colour, "width": width}
            if not self.theme.has_hues:
                look["dash"] = role_dash(colour, self.theme)
            yield trace_of("scatter", x=x, y=y, mode="lines", line=look, hoverinfo="skip")

    def _head_traces(self) -> Iterator[Trace]:
        for colour, heads in self._heads.items():
            x, y = _columns([point for point, _ in heads])
            look = {"symbol": [_TURNED[side] for _, side in heads], "size": HEAD, "color": colour}
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
                marker={"size": REACH, "opacity": 0},
                customdata=[name for _, name, _ in self._places],
                hovertext=[said for _, _, said in self._places],
                hovertemplate="%{hovertext}<extra></extra>",
            )


def fitting(text: str, width: float, *, sizes: Iterable[int]) -> tuple[list[str], int]:
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
    return pairs[:, 0], pairs[:, 1]


def _at(pixels: float) -> str:
    return f"{pixels:.1f}"


def _rounded(frame: Frame) -> str:
    """The path of a rectangle with round corners, clockwise from the upper left one."""
    left, right, top, bottom = (_at(edge) for edge in (frame.left, frame.right, frame.top, frame.bottom))
    r = min(ROUND, frame.height / 2, frame.width / 2)
    inner = [_at(edge) for edge in (frame.left + r, frame.right - r, frame.top + r, frame.bottom - r)]
    west, east, north, south = inner
    return (
        f"M{west},{top}L{east},{top}Q{right},{top},{right},{north}L{right},{south}"
        f"Q{right},{bottom},{east},{bottom}L{west},{bottom}Q{left},{bottom},{left},{south}"
        f"L{left},{north}Q{left},{top},{west},{top}Z"
    )


def _square(frame: Frame) -> str:
    left, right, top, bottom = (_at(edge) for edge in (frame.left, frame.right, frame.top, frame.bottom))
    return f"M{left},{top}L{right},{top}L{right},{bottom}L{left},{bottom}Z"


def _runs(row: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """From where to where neighbouring cells are filled."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]
