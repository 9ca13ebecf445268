"""Tokens and their numbers: mean and spread of each, its vector, and what several measures say of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.axes import key_axis
from viz.layout.canvas import Canvas, canvas
from viz.layout.cells import checked
from viz.layout.figure import Figure
from viz.layout.grid import TITLE_SIZE, Grid, word_widths
from viz.layout.plot import Plot, below, beside, title
from viz.layout.ruler import OVERHANG, TICK, Ruler, across
from viz.picture import Picture
from viz.room import Room
from viz.tables import unique_words
from viz.text import label, literal, plain
from viz.theme import Role
from words import counted, signed

FEWEST_COLUMNS, COLUMN_OF_TYPE = 6, 34
"""How many words at least share the width; the widest column in pixels with which their letters grow."""

ROW, LOWEST_ROW, HEADING = 92, 36, 26
"""Usual and least height in pixels of a row of bars, and the height of its name above it."""

NAME, RIGHT, FOOT = 16, 14, 8
"""Type size of the name of a row; pixels at the right and below."""

BAR, VECTOR_BAR, MEAN = 0.6, 0.8, 14
"""Width of a bar in columns, and the greatest width of the line at a mean in pixels."""

DIMENSION = "dimension"

MOST_TOLD = 3
"""Greatest number of bars of a row that the alternative text names."""

Numbers = NDArray[np.floating]


class Statistics(NamedTuple):
    """Mean and standard deviation of every token."""

    mean: ArrayLike
    deviation: ArrayLike


@dataclass(frozen=True, kw_only=True, eq=False)
class Spreads(Picture):
    """A bar for each word from mean − deviation to mean + deviation, a row with its own scale for each stage.

    `colours` are those of the stages; the bar and the name of the `chosen` word have the colour of what is
    chosen. A click on a bar reports the position of its word as customdata.
    """

    stages: Mapping[str, Statistics]
    colours: Mapping[str, Role]
    words: Sequence[str]
    chosen: int | None = None

    def draw(self, room: Room) -> Figure:
        both = {
            name: checked(np.stack([mean, deviation]).astype(float), ["mean", "deviation"], self.words)
            for name, (mean, deviation) in self.stages.items()
        }
        reaches = [np.concatenate([mean - deviation, mean + deviation]) for mean, deviation in both.values()]
        chosen = None if room.is_printed else self.chosen
        names = unique_words(self.words)
        plots = _rows_of_words(room, list(both), reaches, self.words, chosen)
        for plot, (name, (mean, deviation)) in zip(plots, both.items(), strict=True):
            colours = [room.theme.colour(self.colours[name])] * len(names)
            if chosen is not None:
                colours[chosen] = room.theme.selection
            hovers = [
                f"{literal(word)}, {label(name)}: mean {signed(m)}, standard deviation {signed(d)}"
                for word, m, d in zip(names, mean, deviation, strict=True)
            ]
            _draw_bars(plot, np.arange(len(names)), mean - deviation, 2 * deviation, colours, hovers, BAR)
            line = {"color": room.theme.paper, "width": 2}
            size = min(MEAN, BAR * (plot.x(1) - plot.x(0)))
            look = {"symbol": "line-ew", "size": size, "line": line}
            plot.trace(np.arange(len(mean)), mean, mode="markers", marker=look)
        return plots[0].paper.finished()

    def alt(self) -> str:
        """Tell how far means and deviations reach at every stage."""
        told = [
            f"{plain(name)}: means {_extent(mean)}, standard deviations {_extent(deviation)}"
            for name, (mean, deviation) in self.stages.items()
        ]
        return f"{self.title} of {counted(len(self.words), 'word')}. {'; '.join(told)}."

    def table(self) -> pd.DataFrame:
        columns: dict[str, ArrayLike] = {}
        for name, (mean, deviation) in self.stages.items():
            columns |= {f"{name}, mean": mean, f"{name}, standard deviation": deviation}
        return pd.DataFrame(columns, index=pd.Index(unique_words(self.words), name="word"))


@dataclass(frozen=True, kw_only=True, eq=False)
class VectorBars(Picture):
    """The numbers of one vector as bars, a row with its own scale for each stage.

    A line is drawn at their mean, and dotted ones a standard deviation above and below it.
    """

    stages: Mapping[str, ArrayLike]
    colours: Mapping[str, Role]

    def draw(self, room: Room) -> Figure:
        stages = {name: np.asarray(numbers, dtype=float) for name, numbers in self.stages.items()}
        plots = _rows_of_numbers(room, stages)
        for plot, (name, values) in zip(plots, stages.items(), strict=True):
            places = np.arange(1, len(values) + 1)
            hovers = [
                f"{label(name)}, {DIMENSION} {d}: {signed(v)}" for d, v in zip(places, values, strict=True)
            ]
            colours = [room.theme.colour(self.colours[name])] * len(values)
            _draw_bars(plot, places, np.zeros(len(values)), values, colours, hovers, VECTOR_BAR)
            mean, deviation = values.mean(), values.std()
            for at, dash in ((mean, "solid"), (mean - deviation, "dot"), (mean + deviation, "dot")):
                _draw_line(plot, at, {"color": room.theme.selection, "width": 2, "dash": dash})
        return plots[0].paper.finished()

    def alt(self) -> str:
        """Tell mean and deviation at every stage."""
        stages = {name: np.asarray(numbers, dtype=float) for name, numbers in self.stages.items()}
        told = [
            f"{plain(name)} mean {signed(values.mean())}, standard deviation {signed(values.std())}"
            for name, values in stages.items()
        ]
        return (
            f"{self.title}: {'; '.join(told)}. Lines are at the mean, and one standard deviation beside it."
        )

    def table(self) -> pd.DataFrame:
        n = len(np.asarray(next(iter(self.stages.values()))))
        return pd.DataFrame(self.stages, index=pd.RangeIndex(1, n + 1, name="d"))


@dataclass(frozen=True, kw_only=True, eq=False)
class WordBars(Picture):
    """A number for each word by every measure, a row with its own scale for each.

    Bars go up from 0 or down, in a colour for each sign.
    """

    measures: Mapping[str, ArrayLike]
    words: Sequence[str]

    def draw(self, room: Room) -> Figure:
        rows = {
            name: checked(np.asarray([numbers], dtype=float), [name], self.words)[0]
            for name, numbers in self.measures.items()
        }
        plots = _rows_of_words(room, list(rows), list(rows.values()), self.words, None)
        down, up = room.theme.signs
        for plot, (name, values) in zip(plots, rows.items(), strict=True):
            hovers = [
                f"{literal(word)}, {label(name)}: {signed(value)}"
                for word, value in zip(unique_words(self.words), values, strict=True)
            ]
            colours = [up if value >= 0 else down for value in values]
            _draw_bars(plot, np.arange(len(values)), np.zeros(len(values)), values, colours, hovers, BAR)
        return plots[0].paper.finished()

    def alt(self) -> str:
        """Tell the words furthest from 0 by every measure, or that none is."""
        names, told = unique_words(self.words), []
        for name, numbers in self.measures.items():
            values = np.asarray(numbers, dtype=float)
            largest = np.argsort(-np.abs(values), kind="stable")[:MOST_TOLD]
            bars = ", ".join(f"{names[at]} {signed(values[at])}" for at in largest if values[at])
            told.append(f"{plain(name)}: {bars or 'no word'}")
        return f"{self.title}. Furthest from 0 by {'; by '.join(told)}."

    def table(self) -> pd.DataFrame:
        return pd.DataFrame({"word": list(self.words), **self.measures})


def _extent(numbers: ArrayLike) -> str:
    values = np.asarray(numbers, dtype=float)
    return f"from {signed(values.min())} to {signed(values.max())}"


def _rows_of_words(
    room: Room, names: Sequence[str], reaches: Sequence[Numbers], words: Sequence[str], chosen: int | None
) -> list[Plot]:
    """Return axes for a row of bars for each name, below the words."""
    n = max(len(words), FEWEST_COLUMNS)
    left = max(beside(_up(reach, ROW)) for reach in reaches)
    cell = (room.width - left - RIGHT - 2 * OVERHANG) / n
    grid = Grid(query_widths=(0,), key_widths=word_widths(words), cell=min(cell, COLUMN_OF_TYPE))
    over = max(RIGHT, grid.right - max(0, n - len(words)) * cell)
    above = grid.above - TITLE_SIZE
    paper, rows = _paper(room, len(names), above=above, under=FOOT)
    ups = [_up(reach, high) for reach, (_, high) in zip(reaches, rows, strict=True)]
    along = Ruler(low=-0.5, high=n - 0.5, length=room.width - left - over, log=False, ticks={})
    plots = _plots(paper, names, rows, ups, left, along)
    layout = paper.figure.layout
    place = {name: layout["xaxis"][name] for name in ("range", "domain")}
    place |= {"anchor": "free", "position": 1 - above / paper.height}
    layout["xaxis"] = key_axis(words, grid, selected=chosen, colour=room.theme.selection) | place
    return plots


def _rows_of_numbers(room: Room, stages: Mapping[str, Numbers]) -> list[Plot]:
    """Return axes for a row of bars for each stage, above the number of each dimension."""
    x_title = title(DIMENSION, room.width, smallest=room.smallest_type)
    paper, rows = _paper(room, len(stages), above=0, under=below(TICK) + x_title.height)
    ups = [_up(values, high) for values, (_, high) in zip(stages.values(), rows, strict=True)]
    left = max(map(beside, ups))
    n = len(next(iter(stages.values())))
    along = across(range(1, n + 1), room.width - left - RIGHT)
    plots = _plots(paper, list(stages), rows, ups, left, replace(along, ticks={}))
    replace(plots[-1], across=along).draw_axes(x_title)
    return plots


def _up(values: Numbers, length: float) -> Ruler:
    """Return an axis as far as bars go from zero, with ticks at zero and at both ends."""
    low, high = min(0.0, float(np.min(values))), max(0.0, float(np.max(values)))
    if low == high:
        return Ruler(low=-1, high=1, length=length, log=False, ticks={0.0: "0"})
    bare = Ruler(low=low, high=high, length=length, log=False, ticks={})
    ends = [at for at in (low, high) if abs(bare.pixels(at) - bare.pixels(0)) >= TICK]
    return replace(bare, ticks={at: signed(at) for at in sorted({0.0, *ends})})


def _paper(room: Room, n: int, *, above: float, under: float) -> tuple[Canvas, list[tuple[float, float]]]:
    """Return a canvas for `n` rows below so many pixels, and the upper edge and the height of each row."""
    rest = n * HEADING + above + under
    high: float = ROW
    if room.height is not None:
        high = (room.height - rest) / n if room.fills else min(ROW, (room.height - rest) / n)
    high = max(high, LOWEST_ROW)
    paper = canvas(room.width, round(n * high + rest), room.theme)
    paper.figure.update_layout(barmode="overlay", bargap=0)
    return paper, [(above + at * (high + HEADING) + HEADING, high) for at in range(n)]


def _plots(
    paper: Canvas,
    names: Sequence[str],
    rows: Sequence[tuple[float, float]],
    ups: Sequence[Ruler],
    left: float,
    along: Ruler,
) -> list[Plot]:
    """Draw the axes of each row, its name above it, and zero."""
    plots = []
    for at, (name, (top, _), up) in enumerate(zip(names, rows, ups, strict=True), start=1):
        plot = Plot(paper=paper, left=left, top=top, across=along, up=up, number=at)
        plot.draw_axes()
        _draw_line(plot, 0.0, {"color": paper.theme.muted, "width": 1}, layer="below")
        look = {"xanchor": "left", "yanchor": "bottom", "font": {"size": NAME, "color": paper.theme.muted}}
        paper.note(label(name, longest=24), left, top - 1, **look)
        plots.append(plot)
    return plots


def _draw_bars(
    plot: Plot,
    places: np.ndarray,
    base: Numbers,
    length: Numbers,
    colours: Sequence[str],
    hovers: Sequence[str],
    width: float,
) -> None:
    look: dict[str, Any] = {"marker": {"color": list(colours)}, "customdata": places.tolist()}
    plot.trace(places, length, hovers, type="bar", base=base.tolist(), width=width, **look)


def _draw_line(plot: Plot, at: float, line: dict[str, Any], *, layer: str = "above") -> None:
    ends = {"x0": plot.left / plot.paper.width, "x1": plot.right / plot.paper.width, "xref": "paper"}
    plot.paper.shape(type="line", **ends, y0=at, y1=at, yref=plot.axes["yaxis"], line=line, layer=layer)
