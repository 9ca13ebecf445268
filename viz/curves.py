"""Curves over a count, each with its name at its end in its colour."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from viz.layout.canvas import Rect, canvas
from viz.layout.curve_names import LINE, Name, rows_above, width_beside, write_above, write_beside
from viz.layout.figure import Figure
from viz.layout.levels import LONGEST, Marked, draw_level, draw_mark, draw_points, place_of_name, write_level
from viz.layout.line_looks import LineLook, line_looks
from viz.layout.plot import Course, Plot, below, beside, fitted_height, title
from viz.layout.ruler import OVERHANG, TICK, Ruler, Say, across, number, upright
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain
from viz.theme import Role
from words import quantity

HEIGHT, LOWEST, HIGHEST = 0.42, 250, 400
"""Height of a chart as a share of its width, and its limits in pixels."""

MARK, EDGE, FOOT = 26, 12, 4
"""Pixels above the axes for the name of a mark, and without one; pixels below the title."""

LEAST, NARROWEST = 0.55, 280
"""Least share of the width, and least pixels, that names beside the curves leave; else they are above."""

BOLDER = 2
"""Thickness of a bold curve in thicknesses of another."""

THIS = "this sentence"

PLURAL = re.compile(r"s\b")
"""Plural ending of a noun."""

Log = bool | Literal["x", "y"]
"""The axes that are logarithmic: both, none, or one of them."""


class Line(NamedTuple):
    """A named curve: its points from left to right, the ends of its bars, and its look."""

    name: Name
    along: np.ndarray
    heights: np.ndarray
    bars: Sequence[np.ndarray]
    look: LineLook


@dataclass(frozen=True, kw_only=True, eq=False)
class Curves(Picture):
    """One curve for each name in `colours`, from the `rows` whose column `by` has that name.

    Both axes run as far as the numbers, and further as `reach` says for `y`; `log` makes both logarithmic,
    or one. Values of `y` are said as `say` says them. `places` are names for the values of `x`. `mark`
    draws an upright line called `mark_name` if the axis reaches it, grey unless `mark_is_choice`. `level`
    draws a named level line, and `points` named points in the colour of a choice. If `bars` says what error
    bars mean, they go from the column `low` to `high`. If `dashed` is given, the curves named there are
    dashed, differently within a colour, and all others are solid; else all curves have different dashes.
    The `bold` curves are thicker. A lone name is not written. Names without rows have no curve yet; NaN,
    and values without a place on a logarithmic axis, are not drawn.

    The table has a row for each value of `x` and a column for each curve, unless `make_table` makes another.
    """

    rows: pd.DataFrame
    x: str
    y: str
    by: str
    colours: Mapping[str, Role]
    x_title: str
    y_title: str
    say: Say = quantity
    log: Log = False
    reach: Collection[float] = ()
    places: Mapping[float, str] | None = None
    mark: float | None = None
    mark_name: str = THIS
    mark_is_choice: bool = True
    level: tuple[float, str] | None = None
    points: Sequence[Marked] = ()
    bars: str = ""
    dashed: Collection[str] | None = None
    bold: Collection[str] = ()

    def draw(self, room: Room) -> Figure:
        return _Drawing(self, room).figure()

    def alt(self) -> str:
        if self.rows.empty:
            return f"{self.title}: nothing yet."
        bars = f" Bars show {self.bars}." if self.bars else ""
        marked = "".join(f" Marked: {plain(name)}." for *_, name in self.points)
        lines = [line for _, line in self.rows.groupby(self.by, sort=False)]
        details = "; ".join(self._course(line.sort_values(self.x)) for line in lines)
        return f"{self.title}: {details}.{bars}{marked}"

    def _course(self, line: pd.DataFrame) -> str:
        """Return the values of a curve by the names of their places, or its two ends."""
        name, points = plain(str(line[self.by].iloc[0])), list(zip(line[self.x], line[self.y], strict=True))
        if self.places is not None:
            return f"{name} " + ", ".join(f"{self.say(value)} at {self.places[at]}" for at, value in points)
        (first, before), (last, after) = points[0], points[-1]
        end = f"{self.say(after)} at {with_noun(number(last), self.x)}"
        begin = "" if len(points) == 1 else f"from {self.say(before)} at {number(first)} to "
        return f"{name} {begin}{end}"

    def table(self) -> pd.DataFrame:
        if self.make_table is not None:
            return self.make_table()
        names = list(dict.fromkeys(self.rows[self.by]))
        return self.rows.pivot(index=self.x, columns=self.by, values=self.y)[names]


def with_noun(number: str, what: str) -> str:
    """Return a number with the noun of its axis title: `1 word back`, `2 words back`, but `step 2`."""
    if not PLURAL.search(what):
        return f"{what} {number}"
    noun = PLURAL.sub("", what, count=1) if number == "1" else what
    return f"{number} {noun}"


class _Drawing:
    """Curves in a room, with the sizes of both axes and the names."""

    def __init__(self, picture: Curves, room: Room) -> None:
        self.picture, self.room = picture, room
        colours = {name: room.theme.colour(role) for name, role in picture.colours.items()}
        names = [picture.x, picture.y, *(("low", "high") if picture.bars else ())]
        numbers = picture.rows[names].to_numpy(float)
        logs = [at for at, axis in enumerate("xy") if picture.log in (True, axis)]
        has_place = np.isfinite(numbers).all(axis=1) & (numbers[:, logs] > 0).all(axis=1)
        self.numbers, by = numbers[has_place], picture.rows[picture.by].to_numpy()[has_place]
        found = {name: self.numbers[by == name] for name in colours}
        found = {name: line[np.argsort(line[:, 0])].T for name, line in found.items() if len(line)}
        looks = line_looks({name: colours[name] for name in found}, picture.dashed, room.theme)
        self.lines = [
            Line(
                Name(name, {"color": colours[name], "dash": look.dash}, look.sign), along, heights, bars, look
            )
            for (name, (along, heights, *bars)), look in zip(found.items(), looks, strict=True)
        ]
        # The title and the axes describe a single curve.
        self.names = [line.name for line in self.lines] if len(colours) > 1 else []
        told_apart = len(set(colours.values())) if room.theme.has_hues else 1
        self.is_sampled = told_apart < len(colours)
        width = width_beside([Name(name) for name in colours], sampled=self.is_sampled)
        mark, places = picture.mark, self.numbers[:, 0]
        is_reached = mark is not None and len(places) and places.min() <= mark <= places.max()
        self.mark = mark if is_reached else None
        has_room = room.width - width >= max(LEAST * room.width, NARROWEST)
        self.beside = width if has_room and self.names else 0.0

    def figure(self) -> Figure:
        """Return the figure, with the name of the level above the axes if it has no place at its line."""
        plot, level = self._plot(), self.picture.level
        taken: list[Rect] = []
        if level is not None:
            at, name = level
            box, is_free = place_of_name(plot, at, name, [*self._courses(plot), *self._upright(plot)])
            if not is_free:
                dotted = {"color": self.room.theme.muted, "dash": "dot"}
                plot = self._plot(Name(name, dotted, longest=LONGEST))
            else:
                write_level(plot, name, box)
                taken.append(box)
            draw_level(plot, at)
        for line in self.lines:
            colour, scale = line.name.line["color"], self.room.line_scale
            thick = scale * (BOLDER if line.name.text in self.picture.bold else 1)
            look = line.look.drawn(len(line.along), colour, self.room.theme.paper, thick)
            plot.trace(line.along, line.heights, self._hovers(line), **look, error_y=_error(line, scale))
        if self.beside:
            write_beside(plot, self.names, self._courses(plot), sampled=self.is_sampled)
        if self.mark is not None:
            theme, is_choice = self.room.theme, self.picture.mark_is_choice
            draw_mark(plot, self.mark, self.picture.mark_name, theme.selection if is_choice else theme.muted)
        draw_points(plot, self.picture.points, [*self._courses(plot), *self._upright(plot)], taken)
        return plot.paper.finished()

    def _plot(self, *level: Name) -> Plot:
        """Draw empty axes below the names that are not beside them; names make way for those of places."""
        picture, room = self.picture, self.room
        rows = rows_above([*([] if self.beside else self.names), *level], room.width)
        over = LINE * len(rows)
        usual = min(max(HEIGHT * room.width, LOWEST), HIGHEST)
        height = fitted_height(room, usual + over, LOWEST + over)
        x_title = title(picture.x_title, room.width, smallest=room.smallest_type)
        bottom = below(TICK) + x_title.height + FOOT
        top = over + (EDGE if self.mark is None else MARK)
        y_title = title(picture.y_title, height - over, smallest=room.smallest_type)
        heights = [*self.numbers[:, 1:].ravel(), *picture.reach, *(picture.level or ())[:1]]
        up = upright(heights, picture.say, height - top - bottom, log=picture.log in (True, "y"))
        left = y_title.height + beside(up)
        along = self._across(room.width - left - (self.beside or EDGE))
        if self.beside and len(along.ticks) < len(picture.places or ()):
            self.beside = 0.0
            return self._plot(*level)
        if not self.beside:
            half = em_width("".join([*along.ticks.values()][-1:])) * along.type_size / 2
            along = self._across(along.length + min(0.0, EDGE + OVERHANG - half))
        paper = canvas(room.width, height, room.theme, line_scale=room.line_scale)
        paper.layout.update(hovermode="closest")
        plot = Plot(paper=paper, left=left, top=top, across=along, up=up)
        plot.draw_axes(x_title, y_title)
        write_above(plot, rows)
        return plot

    def _across(self, length: float) -> Ruler:
        """Return the axis across, without a tick for the mark if it would displace another."""
        picture = self.picture
        log, values = picture.log in (True, "x"), {*self.numbers[:, 0]}
        look: dict[str, Any] = {"log": log, "names": picture.places, "smallest": self.room.smallest_type}
        found = across(values, length, **look)
        others = values - {picture.mark}
        return found if not log or len(found.ticks) == len(values) else across(others, length, **look)

    def _courses(self, plot: Plot) -> list[Course]:
        return [plot.course(line.along, line.heights) for line in self.lines]

    def _upright(self, plot: Plot) -> list[Course]:
        """Return the line of the mark as a curve that rises within a pixel."""
        if self.mark is None:
            return []
        x = plot.x(self.mark)
        return [(np.array([x - 0.5, x + 0.5]), np.array([plot.bottom, plot.top]))]

    def _hovers(self, line: Line) -> list[str]:
        """Return the hover text of each point of a curve."""
        picture, name = self.picture, label(line.name.text, longest=line.name.longest)
        places = picture.places or {}
        return [
            f"{name}: {picture.say(value)} at {with_noun(places.get(at, number(at)), picture.x)}"
            for at, value in zip(line.along, line.heights, strict=True)
        ]


def _error(line: Line, scale: float) -> dict[str, Any] | None:
    """Return upright bars around the points of a curve, if it has any."""
    if not line.bars:
        return None
    low, high = line.bars
    look = {"type": "data", "thickness": 2 * scale, "width": 4}
    return {**look, "array": high - line.heights, "arrayminus": line.heights - low}
