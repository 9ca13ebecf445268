"""Bars of numbers: named rows on one scale, one above the other, with the same columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, inf

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.bars import SIDE, WORD, Numbers, draw_bars, fit_columns, largest_bars, stacked, write_words
from viz.layout.cells import checked
from viz.layout.figure import Figure
from viz.layout.levels import CLEAR, draw_level
from viz.layout.plot import Plot, Title, title
from viz.layout.ruler import OVERHANG, Ruler
from viz.picture import Picture
from viz.room import Room
from viz.text import LONGEST_LABEL, em_width, label, plain, unique_words
from viz.theme import Role
from words import PER_CENT, per_cents, rows_of_per_cents

NARROW = 400
"""Pixels of width below which the name of a row is above its bars."""

LARGEST_NUMBER, NUMBER_LINE = 14, 1.3
"""Usual type size of a number on a bar in pixels, and its height in em with the gap to the bar."""

BESIDE, APART, FOOT = 18, 8, 8
ROW, LEAST_ROW, NAME_LINE = 75, 50, 22
"""Pixels of height of a row, its least height on a screen, and the height of its name above the bars."""

LEVEL_NAME = 48
"""Pixels of width of the name of a level, which has several lines if it needs more."""

THICKNESS, WIDEST = 0.7, 96
"""Width of a bar in columns, and its greatest width in pixels."""

UNIT = f"in{PER_CENT}"
"""Unit beside numbers that have no room for their sign."""

Level = tuple[float, str]
"""A reference number, and its name."""

Say = Callable[[Sequence[float]], list[str]]
"""A function that puts the numbers of a row into words; a missing number gives an empty string."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BarRows(Picture):
    """A bar for each of `shares`, (row, column), from 0 to `top`; without a number there is no bar.

    `rows` names the rows with the role of their colour. A number stands on its bar: with its unit if all have
    room for it, else without, else only on the largest bar of each row. The `chosen` column has its name and
    numbers in the colour of a choice; so has the largest number of each row if they `mark_largest`. `level`
    is drawn across every row. A click on a bar reports its row and column. The table has a row for each
    column, which is a word unless `of` says otherwise.
    """

    shares: ArrayLike
    rows: Mapping[str, Role]
    columns: Sequence[str]
    top: float = 1.0
    chosen: int | None = None
    mark_largest: bool = False
    level: Level | None = None
    say: Say = per_cents
    of: str = "word"

    def draw(self, room: Room) -> Figure:
        values, theme = self._values(), room.theme
        marked = None if room.is_printed else self.chosen
        is_narrow = room.width < NARROW
        wrapped = [title(plain(name), LONGEST_LABEL * WORD, smallest=WORD, usual=WORD) for name in self.rows]
        left = SIDE if is_narrow else max(one.width for one in wrapped) + BESIDE + SIDE
        named = 0.0 if self.level is None else _level_name(self.level).width
        columns = fit_columns(self.columns, room.width - left, room.smallest_type, named + SIDE)
        spoken = self._spoken(values)
        written, size, has_unit = _written(spoken, values, columns.pitch, room.smallest_type)
        more = NAME_LINE * is_narrow
        above, heading = columns.above + more * has_unit, NUMBER_LINE * size + APART - OVERHANG + more
        plots = stacked(
            room,
            [lambda length: Ruler(low=0, high=self.top, length=length)] * len(values),
            columns.ruler,
            left - OVERHANG,
            above=above,
            below=FOOT,
            heading=heading,
            usual=ROW + more,
            least=LEAST_ROW + more,
        )
        write_words(plots[0], columns, above, marked)
        paper, names = plots[0].paper, unique_words(self.columns)
        if has_unit:
            x, y, anchor = left - BESIDE, above, "right bottom"
            if is_narrow:
                x, y, anchor = left, NAME_LINE, "left bottom"
            paper.note(UNIT, x, y, anchor, size=LARGEST_NUMBER, colour=theme.muted)
        bar = {"width": min(THICKNESS, WIDEST / columns.pitch), "textposition": "outside", "textangle": 0}
        bar |= {"constraintext": "none", "cliponaxis": False}
        for at, (plot, (name, role)) in enumerate(zip(plots, self.rows.items(), strict=True)):
            texts = self._draw_level(plot, values[at], written[at], size)
            bold = {marked, int(np.nanargmax(values[at])) if self.mark_largest else None}
            inks = [theme.selection if one in bold else theme.ink for one in range(len(names))]
            texts = [f"<b>{text}</b>" if text and one in bold else text for one, text in enumerate(texts)]
            bar["textfont"] = {"size": size, "color": inks}
            draw_bars(plot, name, names, values[at], spoken[at], theme.colour(role), text=texts, **bar)
            if is_narrow:
                text, colour = label(name, longest=(room.width - 2 * SIDE) / WORD), theme.colour(role)
                paper.note(text, left, plot.top - heading, "left top", size=WORD, colour=colour)
            else:
                middle = (plot.y(0) + plot.y(self.top)) / 2
                level = inf if self.level is None else plot.y(self.level[0])
                if abs(level - middle) < wrapped[at].height:  # the name would look like the name of the level
                    middle = (level + plot.y(self.top)) / 2
                paper.note(wrapped[at].text, left - BESIDE, middle, "right middle", size=WORD)
        return paper.finished()

    def alt(self) -> str:
        values = self._values()
        details = [
            f"{plain(name)}: {largest_bars(self.columns, row, spoken) or 'no bars'}"
            for name, row, spoken in zip(self.rows, values, self._spoken(values), strict=True)
        ]
        return f"{self.title}. The largest bars: {'; '.join(details)}."

    def table(self) -> pd.DataFrame | None:
        if self.make_table is not None:
            return self.make_table()
        names = pd.Index(unique_words(self.columns), name=self.of)
        return pd.DataFrame(self._values().T, index=names, columns=list(self.rows))

    def _values(self) -> Numbers:
        return checked(np.asarray(self.shares, dtype=float), list(self.rows), self.columns)

    def _spoken(self, values: Numbers) -> list[list[str]]:
        """Return every number in words; shares of all rows have the same number of decimals."""
        rows = values.tolist()
        return rows_of_per_cents(rows) if self.say is per_cents else [self.say(row) for row in rows]

    def _draw_level(self, plot: Plot, values: Numbers, written: Sequence[str], size: float) -> list[str]:
        """Draw the level, and above it the numbers that it would cross out. Return those for the bars."""
        if self.level is None:
            return list(written)
        draw_level(plot, self.level[0])
        level, end = plot.y(self.level[0]), plot.x(plot.across.high)
        if plot.number == 1:
            name, muted = _level_name(self.level).text, plot.paper.theme.muted
            x, place = end + 2, "left middle"
            plot.paper.note(name, x, level, place, size=LARGEST_NUMBER, colour=muted, align="left")
        feet = plot.course(range(len(values)), values)[1]
        struck = (feet >= level) & (level > feet - NUMBER_LINE * size - CLEAR)
        for column in np.flatnonzero(struck).tolist():
            plot.paper.note(written[column], plot.x(column), level - 1, "center bottom", size=size)
        return ["" if over else one for one, over in zip(written, struck, strict=True)]


def _level_name(level: Level) -> Title:
    """Return the name of a level in short lines, which leave the bars their room."""
    return title(plain(level[1]), LEVEL_NAME, smallest=LARGEST_NUMBER, usual=LARGEST_NUMBER)


def _written(
    spoken: list[list[str]], values: Numbers, pitch: float, least: float
) -> tuple[list[list[str]], float, bool]:
    """Return the texts on the bars, their type size, and whether the unit is left out."""
    bare = [[one.removesuffix(PER_CENT) for one in row] for row in spoken]
    for texts in (spoken, bare):
        size = floor(min(LARGEST_NUMBER, pitch / max(1.0, *(em_width(one) for row in texts for one in row))))
        if size >= least:
            return texts, size, texts != spoken
    largest = np.where(np.isnan(values), -np.inf, values).argmax(axis=1)
    alone = [
        [one if at == most else "" for at, one in enumerate(row)]
        for row, most in zip(spoken, largest, strict=True)
    ]
    return alone, max(least, LARGEST_NUMBER - 2), False
