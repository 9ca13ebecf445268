"""Bars that lie beside their names: probabilities of words, and effects of heads."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from viz.layout.canvas import HEADLINE_LINE, LEGEND_LINE, MARGIN, Box, Canvas, canvas, legend_width
from viz.layout.figure import Figure
from viz.layout.rows import (
    APART,
    BESIDE,
    BREAK,
    NUMBER,
    PAIRED,
    fit_lines,
    name_axis,
)
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain
from viz.theme import Role, Theme
from words import counted, probability, thousandths

SHOWN = 8
"""How many words have a bar."""

MOST_HEADS, LARGEST_HEADS = 16, 12
"""Up to how many heads each has a bar, and of how many there is one otherwise."""


TICKS, AXIS, WIDE = 26, 46, 240
"""Pixels that the numbers of an axis take, and with its title; and of width that six of them need."""


LEAST_BARS = 0.35
"""The share of a figure that bars need."""

LONGEST_KEY = 22.0
"""Em that a name in the key may take."""

MOST_TOLD = 3
"""Greatest number of heads that the alternative text names."""

ANSWER = "← in the sentence"
BEFORE = "all heads"

Head = tuple[int, int]
"""A layer and a head of it, counted from 1."""


class Effect(NamedTuple):
    """A column of the table of all heads, what it measures with its unit, and the unit alone.

    The axis reaches `smallest_top` at least: where no head matters, no bar is to look large.
    """

    column: str
    measures: str
    unit: str
    smallest_top: float


DIVERGENCE = Effect("divergence", "KL divergence D(before ‖ after), nats", " nats", 0.05)
STATES = Effect("change", "mean ‖Δh‖ / ‖h‖", "", 0.05)


def _number_axis(ticks: Sequence[float], room: Room) -> dict[str, Any]:
    """Numbers below the bars, from 0 to the last of `ticks`."""
    step = ticks[1] - ticks[0]
    size = max(room.smallest_type, NUMBER)
    return {
        **name_axis(size),
        "ticks": "outside",
        "ticklen": 4,
        "showline": True,
        "tickcolor": room.theme.muted,
        "linecolor": room.theme.muted,
        "tickvals": list(ticks),
        "ticktext": [f"{tick:.{max(0, -floor(log10(step)))}f}" if tick else "0" for tick in ticks],
        "range": (0, ticks[-1]),
    }


def _write_title(drawn: Canvas, title: str, box: Box, room: Room) -> None:
    """Write what an axis measures below the end of its numbers."""
    size = max(room.smallest_type, NUMBER)
    end = max(box.right, em_width(title) * size)
    look = {"font": {"size": size, "color": room.theme.muted}, "xanchor": "right", "yanchor": "top"}
    drawn.note(title, end, box.bottom + TICKS, **look)


def _ticks(largest: float, width: float) -> list[float]:
    """Round numbers from 0 to at least the largest: up to six, or three where there is little room."""
    n = 5 if width > WIDE else 2
    power = 10.0 ** floor(log10(largest / n))
    step = next(one * power for one in (1, 2, 5, 10) if one * power >= largest / n * (1 - 1e-9))
    return [step * at for at in range(ceil(largest / step - 1e-9) + 1)]


def _right(width: float, shares: Sequence[float], texts: Sequence[str], size: float) -> float:
    """Pixels to keep free right of bars, so that what stands at the end of each, a share of all, fits."""
    needed = [
        width - (width - em_width(text) * size - BESIDE) / share
        for share, text in zip(shares, texts, strict=True)
        if share > 0
    ]
    return max(2 * BESIDE, *needed)


def _headline(room: Room, title: str) -> tuple[str, int]:
    """The title that a figure shows in a room, and how high its line is."""
    return ("", MARGIN) if room.is_printed else (title, HEADLINE_LINE)


@dataclass(frozen=True, kw_only=True, eq=False)
class LikelyWords(Picture):
    """The likeliest words of a distribution, then the word that the sentence has if it is not among them.

    `words` has a row for each word, the likeliest first, with the columns `word`, `before`, `after` and
    `answer`: make it by `likeliest`. Each word has one bar, or two where `after` says what the second stands
    for, and `before` the first. Bars run from 0 to 1. The note `answer` stands at the bar of the answer. With
    `answers`, a click anywhere in the row of a bar reports its word. A `short` title is drawn where the whole
    one has no room.
    """

    words: pd.DataFrame
    before: str = BEFORE
    after: str = ""
    answer: str = ANSWER
    colour: Role = "attention"
    answers: bool = False
    short: str = ""
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        rows, theme = self.words, room.theme
        title, top = _headline(room, self.title)
        key = self._key(theme, room.width)
        above, below = top + len(key) * LEGEND_LINE, AXIS + MARGIN
        apart = [BREAK * (at == SHOWN) for at in range(len(rows))]
        names, is_answer = list(rows["word"]), list(rows["answer"])
        lines = fit_lines(names, is_answer, apart, room, above + below, paired=bool(self.after))
        texts = {one: [probability(value) for value in rows[one]] for one in ("before", "after")}
        noted = [
            f"{text} {self.answer}" if at else text
            for text, at in zip(texts["before"], is_answer, strict=True)
        ]
        width = room.width - lines.width
        right = _right(width, list(rows["before"]), noted, lines.number_size)
        if right > (1 - LEAST_BARS) * width:  # a note of its own line
            noted, right = (
                texts["before"],
                _right(width, list(rows["before"]), texts["before"], lines.number_size),
            )
            key = [
                *key,
                f"<b>{label(names[is_answer.index(True)])}</b> {label(self.answer, longest=LONGEST_KEY)}",
            ]
            above += LEGEND_LINE
            lines = fit_lines(names, is_answer, apart, room, above + below, paired=bool(self.after))
        if self.after:
            right = max(right, _right(width, list(rows["after"]), texts["after"], lines.number_size))
        box = Box(lines.width, above, width - right, lines.height)
        drawn = canvas(room.width, box.bottom + below, theme, title=title, short=self.short)
        across, upwards = drawn.domains(box, 0)
        drawn.figure.layout["xaxis"] = _number_axis(_ticks(1.0, box.width), room) | {"domain": across}
        _write_title(drawn, "probability", box, room)
        drawn.figure.layout["yaxis"] = lines.axis(theme) | {"domain": upwards}
        drawn.figure.update_layout(barmode="overlay")
        more: dict[str, Any] = {"customdata": names, "hovertemplate": "%{x:.2e}<extra></extra>"}
        first, colour = {"color": theme.colour(self.colour)}, theme.selection
        if self.after:
            hatched = {"shape": "/", "fgcolor": colour, "bgcolor": theme.paper, "size": 5}
            second = {"pattern": hatched, "line": {"color": colour, "width": 1}}
            paired = {"thickness": PAIRED, **more}
            drawn.figure.add_trace(lines.bars(rows["before"], first, at=-APART, text=noted, **paired))
            drawn.figure.add_trace(lines.bars(rows["after"], second, at=APART, text=texts["after"], **paired))
        else:
            drawn.figure.add_trace(lines.bars(rows["before"], first, text=noted, **more))
        if self.answers and not room.is_printed:
            hovers = [f"{label(word)}: {text}" for word, text in zip(names, texts["before"], strict=True)]
            drawn.figure.add_trace(lines.targets(1.0, hovers, names))
        drawn.legend(key, MARGIN, top)
        return drawn.finished()

    def alt(self) -> str:
        """The words with their probabilities, and the answer."""
        rows = self.words
        told = [
            f"{plain(word)} {probability(one)}{f' to {probability(other)}' if self.after else ''}"
            for word, one, other in zip(rows["word"], rows["before"], rows["after"], strict=True)
        ]
        answer = [plain(word) for word in rows["word"][rows["answer"]]]
        here = f" In the sentence: {answer[0]}." if answer else ""
        change = f" First {plain(self.before)}, then {plain(self.after)}." if self.after else ""
        return f"{plain(self.title)}: {', '.join(told)}.{change}{here}"

    def table(self) -> pd.DataFrame:
        return self.words if self.behind is None else self.behind()

    def _key(self, theme: Theme, width: float) -> list[str]:
        """What the two kinds of bars stand for, in one line if there is room."""
        if not self.after:
            return []
        colours = (theme.colour(self.colour), "■", self.before), (theme.selection, "▨", self.after)
        both = [
            f'<span style="color:{colour}">{sign}</span> {label(name, longest=LONGEST_KEY)}'
            for colour, sign, name in colours
        ]
        one = "   ".join(both)
        return [one] if legend_width([one]) + MARGIN < width else both


def likeliest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that have bars: the `SHOWN` likeliest words and the answer."""
    rows = table.reset_index(drop=True)
    return rows[(rows.index < SHOWN) | rows["answer"]]


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadEffects(Picture):
    """A bar for every head: what knocking it out alone does; of many heads, for those that do most.

    `heads` has the columns `layer` and `head`, from 1, and that of the `effect`. The heads in `silenced` are
    hatched and always have a bar. A click anywhere in the row of a bar reports layer and head. A `short`
    title is drawn where the whole one has no room.
    """

    heads: pd.DataFrame
    effect: Effect = DIVERGENCE
    silenced: Collection[Head] = ()
    short: str = ""

    def draw(self, room: Room) -> Figure:
        rows, theme, effect = self._rows(), room.theme, self.effect
        title, above = _headline(room, self.title)
        heads = _heads(rows)
        out = [head in self.silenced for head in heads]
        layers = rows["layer"].to_numpy()
        apart = BREAK * (np.diff(layers, prepend=layers[:1]) > 0) * (len(rows) == len(self.heads))
        lines = fit_lines(
            [spelt_head(*head) for head in heads], out, apart.tolist(), room, above + AXIS + MARGIN
        )
        values = rows[effect.column].to_numpy(dtype=float)
        texts, width = list(map(thousandths, values)), room.width - lines.width
        ticks = _ticks(max(float(values.max()), effect.smallest_top), width)
        shares = (values / ticks[-1]).tolist()
        right = _right(width, shares, texts, lines.number_size)
        box = Box(lines.width, above, width - right, lines.height)
        drawn = canvas(room.width, box.bottom + AXIS + MARGIN, theme, title=title, short=self.short)
        across, upwards = drawn.domains(box, 0)
        drawn.figure.layout["xaxis"] = _number_axis(ticks, room) | {"domain": across}
        _write_title(drawn, effect.measures, box, room)
        drawn.figure.layout["yaxis"] = lines.axis(theme) | {"domain": upwards}
        drawn.figure.update_layout(barmode="overlay")
        pattern = {"shape": ["/" if one else "" for one in out], "bgcolor": theme.paper, "size": 5}
        look = {"color": [theme.selection if one else theme.attention for one in out], "pattern": pattern}
        drawn.figure.add_trace(lines.bars(values, look, text=texts, hoverinfo="skip"))
        if not room.is_printed:
            hovers = [
                f"{name}: {text}{effect.unit}. Click: knock out, or put back."
                for name, text in zip(lines.names, texts, strict=True)
            ]
            drawn.figure.add_trace(lines.targets(ticks[-1], hovers, heads))
        return drawn.finished()

    def alt(self) -> str:
        """The heads that matter most."""
        first = _largest(self.heads, self.effect, MOST_TOLD)
        sizes = map(thousandths, first[self.effect.column])
        told = "; ".join(
            f"{spelt_head(*head)}: {size}" for head, size in zip(_heads(first), sizes, strict=True)
        )
        of = counted(len(self.heads), "head")
        return f"{self.title}, {self.effect.measures}. The largest of {of}: {told}."

    def table(self) -> pd.DataFrame:
        return self.heads

    def _rows(self) -> pd.DataFrame:
        """The heads that have a bar: all of few, by layer; of many the most effective, and the silenced."""
        if len(self.heads) <= MOST_HEADS:
            return self.heads
        most = _largest(self.heads, self.effect, LARGEST_HEADS)
        out = [head in self.silenced for head in _heads(self.heads)]
        also = self.heads[np.array(out) & ~self.heads.index.isin(most.index)]
        return pd.concat([most, also])


def shows_all(heads: pd.DataFrame) -> bool:
    """Return whether every head of a table has a bar."""
    return len(heads) <= MOST_HEADS


def _largest(heads: pd.DataFrame, effect: Effect, n: int) -> pd.DataFrame:
    return heads.sort_values(effect.column, ascending=False, kind="stable").head(n)


def _heads(table: pd.DataFrame) -> list[Head]:
    # Not by itertuples, which writes and compiles a class first: that takes longer than all of the figure.
    return list(zip(table["layer"].tolist(), table["head"].tolist(), strict=True))


def name_of(layer: int, head: int) -> str:
    """Return the short name of a head: 2.3 is head 3 of layer 2."""
    return f"{layer}.{head}"


def spelt_head(layer: int, head: int) -> str:
    """Return the name of a head in words."""
    return f"layer {layer}, head {head}"
