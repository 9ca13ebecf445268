"""Tokens and their numbers: mean and spread of each, a vector, and several measures of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.bars import Numbers, draw_bars, fit_columns, largest_bars, stacked, write_words
from viz.layout.figure import Figure
from viz.layout.levels import draw_level
from viz.layout.plot import Plot, below, beside, title
from viz.layout.ruler import OVERHANG, TICK, Ruler, across
from viz.picture import Picture
from viz.room import Room
from viz.text import label, plain, unique_words
from viz.theme import Role
from words import counted, signed

ROW, LOWEST_ROW, HEADING = 118, 62, 26
"""Usual and least height in pixels of a row of bars with its name, and height of the name."""

NAME, RIGHT, FOOT = 16, 14, 8
"""Type size of the name of a row; pixels on the right and below."""

BAR, VECTOR_BAR, MEAN = 0.6, 0.8, 14
"""Width of a bar in columns, and the greatest width of the line at a mean in pixels."""

DIMENSION = "dimension"


class Statistics(NamedTuple):
    """Mean and standard deviation of every token."""

    mean: ArrayLike
    deviation: ArrayLike


@dataclass(frozen=True, kw_only=True, eq=False)
class Spreads(Picture):
    """A bar for each word from mean − deviation to mean + deviation, a row per stage, all on one scale.

    `colours` are the colours of the stages; the bar and the name of the `chosen` word have the colour of a
    choice. A click on a bar reports its row and the position of its word as customdata.
    """

    stages: Mapping[str, Statistics]
    colours: Mapping[str, Role]
    words: Sequence[str]
    chosen: int | None = None

    def draw(self, room: Room) -> Figure:
        both = {name: np.array(numbers, dtype=float) for name, numbers in self.stages.items()}
        reaches = {name: np.stack([mean - spread, mean + spread]) for name, (mean, spread) in both.items()}
        chosen = None if room.is_printed else self.chosen
        names = unique_words(self.words)
        plots = _over_words(room, reaches, self.words, chosen, one_scale=True)
        for plot, (name, (mean, deviation)) in zip(plots, both.items(), strict=True):
            colours = [room.theme.colour(self.colours[name])] * len(names)
            if chosen is not None:
                colours[chosen] = room.theme.selection
            said = [
                f"mean {signed(m)}, standard deviation {signed(d)}"
                for m, d in zip(mean, deviation, strict=True)
            ]
            base = (mean - deviation).tolist()
            draw_bars(plot, name, names, 2 * deviation, said, colours, base=base, width=BAR)
            line = {"color": room.theme.paper, "width": 2}
            size = min(MEAN, BAR * (plot.x(1) - plot.x(0)))
            look = {"symbol": "line-ew", "size": size, "line": line}
            plot.trace(np.arange(len(mean)), mean, mode="markers", marker=look)
        return plots[0].paper.finished()

    def alt(self) -> str:
        details = [
            f"{plain(name)}: means {_extent(mean)}, standard deviations {_extent(deviation)}"
            for name, (mean, deviation) in self.stages.items()
        ]
        return f"{self.title} of {counted(len(self.words), 'word')}. {'; '.join(details)}."

    def table(self) -> pd.DataFrame:
        columns: dict[str, ArrayLike] = {}
        for name, (mean, deviation) in self.stages.items():
            columns |= {f"{name}, mean": mean, f"{name}, standard deviation": deviation}
        return pd.DataFrame(columns, index=pd.Index(unique_words(self.words), name="word"))


@dataclass(frozen=True, kw_only=True, eq=False)
class VectorBars(Picture):
    """The numbers of one vector as bars, a row with a separate scale for each stage.

    A line is drawn at their mean, and dotted ones a standard deviation above and below it.
    """

    stages: Mapping[str, ArrayLike]
    colours: Mapping[str, Role]

    def draw(self, room: Room) -> Figure:
        table = self.table()
        stages = {name: table[name].to_numpy(float) for name in table}
        dimensions = [f"{DIMENSION} {d}" for d in table.index]
        x_title = title(DIMENSION, room.width, smallest=room.smallest_type)
        left = _left(stages)
        numbered = across(table.index, room.width - left - RIGHT)
        along = replace(numbered, low=0.5, high=len(table) + 0.5)
        plots = _stacked(
            room, stages, replace(along, ticks={}), left, above=0, below=below(TICK) + x_title.height
        )
        replace(plots[-1], across=along).draw_axes(x_title)
        for plot, (name, values) in zip(plots, stages.items(), strict=True):
            colour = room.theme.colour(self.colours[name])
            draw_bars(plot, name, dimensions, values, list(map(signed, values)), colour, width=VECTOR_BAR)
            mean, deviation = values.mean(), values.std()
            for at, dash in ((mean, "solid"), (mean - deviation, "dot"), (mean + deviation, "dot")):
                line = {"color": room.theme.selection, "width": 2, "dash": dash}
                draw_level(plot, at, line, layer="above")
        return plots[0].paper.finished()

    def alt(self) -> str:
        details = [
            f"{plain(name)} mean {signed(values.mean())}, standard deviation {signed(values.std(ddof=0))}"
            for name, values in self.table().items()
        ]
        lines = "Lines are at the mean, and one standard deviation above and below it."
        return f"{self.title}: {'; '.join(details)}. {lines}"

    def table(self) -> pd.DataFrame:
        table = pd.DataFrame(self.stages)
        return table.set_index(pd.RangeIndex(1, len(table) + 1, name="d"))


@dataclass(frozen=True, kw_only=True, eq=False)
class WordBars(Picture):
    """A number for each word by every measure, a row with a separate scale for each.

    Bars go up from 0 or down, in a colour for each sign. A click on a bar reports its row and the position of
    its word as customdata.
    """

    measures: Mapping[str, ArrayLike]
    words: Sequence[str]

    def draw(self, room: Room) -> Figure:
        rows = self._rows()
        plots = _over_words(room, rows, self.words)
        down, up = room.theme.signs
        for plot, (name, values) in zip(plots, rows.items(), strict=True):
            said, colours = list(map(signed, values)), [up if value >= 0 else down for value in values]
            draw_bars(plot, name, unique_words(self.words), values, said, colours, width=BAR)
        return plots[0].paper.finished()

    def alt(self) -> str:
        details = []
        for name, values in self._rows().items():
            sizes = np.where(values, np.abs(values), -1)
            bars = largest_bars(self.words, sizes, list(map(signed, values)))
            details.append(f"{plain(name)}: {bars or 'no word'}")
        return f"{self.title}. Furthest from 0 by {'; by '.join(details)}."

    def table(self) -> pd.DataFrame:
        return pd.DataFrame({"word": list(self.words), **self.measures})

    def _rows(self) -> dict[str, Numbers]:
        return {name: np.asarray(numbers, dtype=float) for name, numbers in self.measures.items()}


def _extent(numbers: ArrayLike) -> str:
    values = np.asarray(numbers, dtype=float)
    return f"from {signed(values.min())} to {signed(values.max())}"


def _over_words(
    room: Room,
    reaches: Mapping[str, Numbers],
    words: Sequence[str],
    chosen: int | None = None,
    *,
    one_scale: bool = False,
) -> list[Plot]:
    """Return axes for a row of bars for each name, below the words, with separate scales or one."""
    left = _left(reaches)
    columns = fit_columns(words, room.width - left - OVERHANG, room.smallest_type, RIGHT)
    plots = _stacked(room, reaches, columns.ruler, left, one_scale=one_scale, above=columns.above, below=FOOT)
    write_words(plots[0], columns, columns.above, chosen)
    return plots


def _left(reaches: Mapping[str, Numbers]) -> float:
    """Return the pixels left of rows for the ends of their bars."""
    return max(beside(_up(reach, ROW)) for reach in reaches.values())


def _stacked(
    room: Room,
    reaches: Mapping[str, Numbers],
    along: Ruler,
    left: float,
    *,
    one_scale: bool = False,
    **free: float,
) -> list[Plot]:
    """Return axes that reach as far as the bars of each row, or of all on one scale, under its name."""
    all_rows = np.concatenate([np.ravel(reach) for reach in reaches.values()]) if one_scale else None
    ups = [partial(_up, reach, within=all_rows) for reach in reaches.values()]
    plots = stacked(room, ups, along, left, heading=HEADING, usual=ROW, least=LOWEST_ROW, **free)
    look: dict[str, Any] = {"size": NAME, "colour": room.theme.muted}
    for plot, name in zip(plots, reaches, strict=True):
        plot.paper.note(label(name, longest=24), plot.left, plot.top - 1, "left bottom", **look)
    return plots


def _up(values: Numbers, length: float, within: Numbers | None = None) -> Ruler:
    """Return an axis as far as bars go from zero, with ticks at zero and at both ends.

    With numbers `within`, the axis reaches as far as those, with a tick at each whole number if there is
    room.
    """
    low, high = _ends(values if within is None else within)
    if low == high:
        return Ruler(low=-1, high=1, length=length, log=False, ticks={0.0: "0"})
    bare = Ruler(low=low, high=high, length=length)
    if within is not None and bare.pixels(1) - bare.pixels(0) >= TICK:
        return replace(bare, ticks={float(at): signed(at) for at in range(ceil(low), floor(high) + 1)})
    ends = [at for at in _ends(values) if abs(bare.pixels(at) - bare.pixels(0)) >= TICK]
    return replace(bare, ticks={at: signed(at) for at in sorted({0.0, *ends})})


def _ends(values: Numbers) -> tuple[float, float]:
    return min(0.0, float(np.min(values))), max(0.0, float(np.max(values)))
