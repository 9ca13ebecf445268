"""Bars of numbers: rows on one scale, each named, above one another and over the same columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import asin, ceil, cos, degrees, floor, radians, sin
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.cells import checked
from viz.layout.figure import Figure
from viz.layout.rows import name_axis, row_height
from viz.layout.sketch import Sketch, blank, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import unique_words
from viz.text import LONGEST_LABEL, em_width, label, literal, plain, shortened
from viz.theme import Role, Theme
from words import PER_CENT, per_cents, rows_of_per_cents

NARROW, FEWEST_COLUMNS = 400, 3
"""Pixels of width below which a row has its name above its bars, and how many columns share a width."""

WORD, LARGEST_NUMBER = 16, 14
"""Usual type sizes in pixels: of names and words, and of the number on a bar."""

BESIDE, SIDE, FOOT = 12, 12, 8
ROW, LEAST_ROW, NAME_LINE = 72, 48, 22
"""Pixels of height of a row, the least that it takes on a screen, and what its name takes above its bars."""

ANGLE = 60
"""Degrees by which words are slanted where their columns are narrow, or more if they would touch."""

THICKNESS, WIDEST = 0.7, 96
"""Width of a bar in columns, and in pixels at most."""

NUMBER_LINE, APART = 1.3, 6
"""Height in em of a number with the gap to its bar, and pixels above it that stay free."""

MOST_TOLD = 3
"""Greatest number of bars of a row that the alternative text names."""

UNIT = f"in{PER_CENT}"
"""Stands beside numbers that have no room for their sign."""

Numbers = NDArray[np.floating]
Level = tuple[float, str]
"""A number to compare with, and its name."""

Say = Callable[[Sequence[float]], list[str]]
"""Puts the numbers of a row into words; a missing number gives an empty string."""


class Columns(NamedTuple):
    """Width of a column, the type and slant of its word, every how many words one is written, and the room
    that the words take above the columns and right of the last.
    """

    pitch: float
    type_size: float
    angle: float
    step: int
    above: float
    right: float


@dataclass(frozen=True, kw_only=True, eq=False)
class BarRows(Picture):
    """A bar for each of `shares`, (row, column), from 0 to `top`; without a number there is no bar.

    `rows` names the rows with the role of their colour. A number stands on its bar: each with its unit if all
    have room for it, else each without, else only the largest of each row. The `chosen` column is named in
    the colour of a choice, and `level` is drawn across every row. A click on a bar reports its row and
    column. The table has a row for each column, which is one of a word if not `of` something else.
    """

    shares: ArrayLike
    rows: Mapping[str, Role]
    columns: Sequence[str]
    top: float = 1.0
    chosen: int | None = None
    level: Level | None = None
    say: Say = per_cents
    of: str = "word"
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        values, theme, n_rows = self._values(), room.theme, len(self.rows)
        stacked = room.width < NARROW
        left = SIDE if stacked else _names_width(self.rows)
        named = 0.0 if self.level is None else em_width(self.level[1]) * LARGEST_NUMBER + SIDE
        columns = _columns(self.columns, room.width - left, max(SIDE, named), room.smallest_type)
        spoken = self._spoken(values)
        written, size = _written(spoken, values, columns.pitch, room.smallest_type)
        has_unit = any(one and one + PER_CENT in row for one, row in _pairs(written, spoken))
        above = columns.above + (NAME_LINE if has_unit and stacked else 0)
        sizes = {"usual": ROW + NAME_LINE * stacked, "least": LEAST_ROW + NAME_LINE * stacked}
        row = row_height(room, n_rows, around=above + FOOT, **sizes)
        figure = blank(theme, width=round(room.width), height=round(above + row * n_rows + FOOT))
        figure.update_layout(
            margin={"l": left, "r": columns.right, "t": above, "b": FOOT, "pad": 0}, barmode="overlay"
        )
        figure.layout["xaxis"] = self._column_axis(columns, room)
        if has_unit:
            _write_unit(figure, columns.above, theme, stacked=stacked)
        # The height of a row in shares: its largest bar, the number on it and, in a narrow room, its name.
        high = self.top / (1 - (NUMBER_LINE * size + NAME_LINE * stacked + APART) / row)
        figure.layout["yaxis"] = _row_axis([] if stacked else list(self.rows), n_rows, high)
        for at, (name, role) in enumerate(self.rows.items()):
            foot = high * (n_rows - 1 - at)
            struck = _struck(values[at], self.level, (NUMBER_LINE * size + APART) * high / row)
            figure.add_trace(
                trace_of(
                    "bar",
                    x=np.arange(len(self.columns)),
                    y=values[at],
                    base=[foot] * len(self.columns),
                    width=min(THICKNESS, WIDEST / columns.pitch),
                    marker={"color": theme.colour(role)},
                    text=["" if over else one for one, over in zip(written[at], struck, strict=True)],
                    textposition="outside",
                    textfont={"size": size},
                    textangle=0,
                    constraintext="none",
                    cliponaxis=False,
                    # A list of pairs: of an array's rows the browser would report objects.
                    customdata=[(at, column) for column in range(len(self.columns))],
                    hovertext=self._hovers(name, spoken[at]),
                    hovertemplate="%{hovertext}<extra></extra>",
                )
            )
            for column in np.flatnonzero(struck).tolist():
                assert self.level is not None
                place = {"x": column, "y": foot + self.level[0], "yanchor": "bottom", "borderpad": 1}
                figure.add_annotation(text=written[at][column], showarrow=False, font={"size": size}, **place)
            _line(figure, foot, {"color": theme.line, "width": 1})
            if stacked:
                _write_row(figure, name, foot + high, room.width - 2 * SIDE)
            if self.level is not None:
                _draw_level(figure, self.level, foot, theme, named=at == 0)
        return figure.finished()

    def alt(self) -> str:
        """The largest bars of every row."""
        names, values = unique_words(self.columns), self._values()
        told = []
        for name, row, spoken in zip(self.rows, values, self._spoken(values), strict=True):
            largest = [at for at in np.argsort(-row, kind="stable") if row[at] >= 0][:MOST_TOLD]
            listed = ", ".join(f"{names[at]} {spoken[at]}" for at in largest)
            told.append(f"{plain(name)}: {listed or 'no bars'}")
        return f"{self.title}. The largest bars: {'; '.join(told)}."

    def table(self) -> pd.DataFrame | None:
        if self.behind is not None:
            return self.behind()
        names = pd.Index(unique_words(self.columns), name=self.of)
        return pd.DataFrame(self._values().T, index=names, columns=list(self.rows))

    def _values(self) -> Numbers:
        return checked(np.asarray(self.shares, dtype=float), list(self.rows), self.columns)

    def _spoken(self, values: Numbers) -> list[list[str]]:
        """Every number in words; shares of all rows have as many decimals."""
        rows = values.tolist()
        return rows_of_per_cents(rows) if self.say is per_cents else [self.say(row) for row in rows]

    def _hovers(self, name: str, spoken: Sequence[str]) -> list[str]:
        words = [literal(word) for word in unique_words(self.columns)]
        return [f"{literal(name)}, {word}: {one}" for word, one in zip(words, spoken, strict=True)]

    def _column_axis(self, columns: Columns, room: Room) -> dict[str, Any]:
        """The words above their columns; one that is left out is named by a hover."""
        labels = [label(word) for word in self.columns]
        chosen = None if room.is_printed else self.chosen
        written = set(range((len(labels) - 1) % columns.step, len(labels), columns.step))
        if chosen is not None:
            labels[chosen] = f'<b><span style="color:{room.theme.selection}">{labels[chosen]}</span></b>'
            written = {at for at in written if abs(at - chosen) >= columns.step} | {chosen}
        shown = sorted(written)
        return {
            **name_axis(columns.type_size),
            "side": "top",
            "tickangle": -columns.angle,
            "tickvals": shown,
            "ticktext": [labels[at] for at in shown],
            "range": (-0.5, max(len(labels), FEWEST_COLUMNS) - 0.5),
        }


def _names_width(rows: Mapping[str, Role]) -> int:
    """Pixels left of the bars for the names of the rows."""
    lines = (line for name in rows for line in _lines(name))
    return ceil(max(em_width(shortened(line)) for line in lines) * WORD) + BESIDE + SIDE


def _lines(name: str) -> list[str]:
    """The name of a row, in two lines of whole words if one line would cut it."""
    words = plain(name).split()
    fit = [n for n in range(1, len(words) + 1) if em_width(" ".join(words[:n])) <= LONGEST_LABEL]
    first = max(fit, default=1)
    return [" ".join(words[:first]), *([" ".join(words[first:])] if first < len(words) else [])]


def _columns(words: Sequence[str], width: float, beside: float, least_type: float) -> Columns:
    """Fit columns into `width` with at least `beside` pixels after the last.

    Their words stand upright where all fit, else slanted, else at right angles; if they would touch even so,
    every n-th is written.
    """
    n, longest = max(len(words), FEWEST_COLUMNS), [em_width(shortened(word)) for word in words]
    pitch = (width - beside) / n
    if (max(longest) + 0.5) * WORD <= pitch:
        return Columns(pitch, WORD, 0, 1, 1.6 * WORD, beside)
    right = beside
    for _ in range(3):  # the room beside the last word depends on its slant, and that on the room
        pitch = (width - right) / n
        size = max(least_type, min(WORD, floor(pitch * sin(radians(ANGLE)))))
        step = ceil(size / pitch)
        angle = max(ANGLE, degrees(asin(min(1.0, size / (step * pitch)))))
        along = cos(radians(angle)) * size
        ends = [(at + 0.5) * pitch + one * along for at, one in enumerate(longest)]
        right = max(beside, max(ends) + size - n * pitch)
    above = (max(longest) * sin(radians(angle)) + 1) * size
    return Columns(pitch, size, angle, step, above, right)


def _written(
    spoken: Sequence[Sequence[str]], values: Numbers, pitch: float, least: float
) -> tuple[list[list[str]], float]:
    """Return what stands on the bars, and its type size."""
    bare = [[one.removesuffix(PER_CENT) for one in row] for row in spoken]
    for texts in (spoken, bare):
        size = floor(min(LARGEST_NUMBER, pitch / max(1.0, *(em_width(one) for row in texts for one in row))))
        if size >= least:
            return [list(row) for row in texts], size
    largest = np.where(np.isnan(values), -np.inf, values).argmax(axis=1)
    alone = [
        [one if at == most else "" for at, one in enumerate(row)]
        for row, most in zip(spoken, largest, strict=True)
    ]
    return alone, max(least, LARGEST_NUMBER - 2)


def _pairs(
    written: Sequence[Sequence[str]], spoken: Sequence[Sequence[str]]
) -> list[tuple[str, Sequence[str]]]:
    """Return each number as it is written, with its row as it is spoken."""
    return [(one, row) for texts, row in zip(written, spoken, strict=True) for one in texts]


def _struck(shares: Numbers, level: Level | None, line: float) -> list[bool]:
    """Tell which numbers, `line` high, a level would strike out on their bars."""
    if level is None:
        return [False] * len(shares)
    struck: list[bool] = ((shares <= level[0]) & (level[0] < shares + line)).tolist()
    return struck


def _row_axis(named: Sequence[str], n: int, high: float) -> dict[str, Any]:
    """The names of the rows, each so `high`, beside their bars; the first of `n` is on top."""
    texts = ["<br>".join(map(label, _lines(name))) for name in named]
    middles = [(n - 1 - at + 0.4) * high for at in range(len(named))]
    names = {"tickvals": middles, "ticktext": texts, "ticklabelstandoff": BESIDE}
    return {**name_axis(WORD), **names, "range": (0, n * high)}


def _write_row(figure: Sketch, name: str, top: float, width: float) -> None:
    """Write the name of a row above its bars."""
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": top, "yanchor": "top"}
    text = label(name, longest=width / WORD)
    figure.add_annotation(text=text, showarrow=False, borderpad=1, font={"size": WORD}, **place)


def _write_unit(figure: Sketch, above: float, theme: Theme, *, stacked: bool) -> None:
    """Write the unit of the numbers: above the names of the rows, or in the upper corner."""
    place: dict[str, Any] = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -BESIDE}
    if stacked:
        place |= {"xanchor": "left", "xshift": 0, "yshift": above}
    place |= {"y": 1, "yref": "paper", "yanchor": "bottom"}
    font = {"size": LARGEST_NUMBER, "color": theme.muted}
    figure.add_annotation(text=UNIT, showarrow=False, borderpad=0, font=font, **place)


def _line(figure: Sketch, at: float, look: dict[str, Any]) -> None:
    figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=at, y1=at, layer="below", line=look)


def _draw_level(figure: Sketch, level: Level, foot: float, theme: Theme, *, named: bool) -> None:
    """Draw a line across the row that begins at `foot`."""
    share, name = level
    _line(figure, foot + share, {"color": theme.muted, "width": 2, "dash": "dot"})
    if named:
        place = {"x": 1, "xref": "paper", "xanchor": "left", "y": foot + share, "yanchor": "middle"}
        font = {"size": LARGEST_NUMBER, "color": theme.muted}
        figure.add_annotation(text=label(name), showarrow=False, borderpad=2, font=font, **place)
