"""Bars that lie beside their names: probabilities of words, and effects of heads."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.bars import MOST_TOLD
from viz.layout.canvas import HEADLINE_LINE, LEGEND_LINE, MARGIN, canvas, joined
from viz.layout.figure import Figure
from viz.layout.plot import Plot, below
from viz.layout.plot import title as title_of
from viz.layout.rows import APART, BESIDE, BREAK, PAIRED, Lines, fit_lines
from viz.layout.ruler import OVERHANG, TICK, Ruler, across
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain
from viz.theme import Role, Theme
from words import counted, probability, thousandths

SHOWN = 8
"""How many words have a bar."""

MOST_HEADS, LARGEST_HEADS = 16, 12
"""Up to how many heads each has a bar, and of how many there is one otherwise."""

AXIS, MOST_TICKS, FEWEST_TICKS = 48, 6, 2
"""Pixels below the bars for their axis with its title, and how many numbers it has at most and at least."""

NEAR = 1.25
"""How long an axis may be, as a multiple of its longest bar."""

LEAST_BARS = 0.45
"""The share of the width beside the names that bars and the ends of their axis need."""

LONGEST_KEY = 22.0
"""Em that a name in the key may take."""

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


@dataclass(frozen=True, kw_only=True, eq=False)
class _NamedBars(Picture):
    """Bars beside their names. A `short` title is drawn where the whole one has no room."""

    short: str = ""

    def _plot(
        self, lines: Lines, room: Room, above: float, right: float, values: ArrayLike, measures: str
    ) -> Plot:
        """Draw the axes of bars, with `right` pixels free beside them, and what they measure."""
        x_title = title_of(measures, room.width, smallest=room.smallest_type)
        height = above + lines.height + below(TICK) + x_title.height + MARGIN
        title = "" if room.is_printed else self.title
        paper = canvas(room.width, height, room.theme, title=title, short=self.short)
        paper.figure.update_layout(barmode="overlay")
        along = _axis(values, room.width - lines.width - right)
        return lines.plot(paper, lines.width, above, along, x_title)


def _axis(values: ArrayLike, length: float) -> Ruler:
    """Return an axis from 0 to a tick above the largest of `values`, or to that if the tick is far away."""
    largest = float(np.max(values))
    found = across([0.0, largest], length, most=MOST_TICKS)
    below = {at: text for at, text in found.ticks.items() if at <= largest}
    if found.high <= NEAR * largest or len(below) < FEWEST_TICKS:
        return found
    return replace(found, high=largest, ticks=below)


def _right(lines: Lines, room: Room, shares: Sequence[float], texts: Sequence[str]) -> float:
    """Pixels to keep free right of bars, so that what stands at the end of each, a share of all, fits."""
    width, size = room.width - lines.width - OVERHANG, lines.number_size
    needed = [
        width - (width - em_width(text) * size - BESIDE) / share
        for share, text in zip(shares, texts, strict=True)
        if share > 0
    ]
    return max(2 * BESIDE, *needed)


def _top(room: Room) -> int:
    """Pixels above a figure for its title."""
    return MARGIN if room.is_printed else HEADLINE_LINE


@dataclass(frozen=True, kw_only=True, eq=False)
class LikelyWords(_NamedBars):
    """The likeliest words of a distribution, then the word that the sentence has if it is not among them.

    `words` has a row for each word, the likeliest first, with the columns `word`, `before`, `after` and
    `answer`: make it by `likeliest`. Each word has one bar, or two where `after` says what the second stands
    for, and `before` the first. Bars run from 0 to 1. The note `answer` stands at the bar of the answer. With
    `answers`, a click anywhere in the row of a bar reports its word.
    """

    words: pd.DataFrame
    before: str = BEFORE
    after: str = ""
    answer: str = ANSWER
    colour: Role = "attention"
    answers: bool = False
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        rows, theme = self.words, room.theme
        names, is_answer = list(rows["word"]), list(rows["answer"])
        top, key = _top(room), self._key(theme, room.width)
        apart = [BREAK * (at == SHOWN) for at in range(len(rows))]
        kinds = ["before", "after"] if self.after else ["before"]
        texts = {kind: list(map(probability, rows[kind])) for kind in kinds}
        noted = [
            f"{text} {self.answer}" if at else text
            for text, at in zip(texts["before"], is_answer, strict=True)
        ]

        def fit(before: Sequence[str]) -> tuple[Lines, float]:
            """Fit rows below the key, and pixels right of the bars."""
            above = top + len(key) * LEGEND_LINE
            lines = fit_lines(names, is_answer, apart, room, above + AXIS + MARGIN, paired=bool(self.after))
            told = {**texts, "before": before}
            return lines, max(_right(lines, room, list(rows[kind]), told[kind]) for kind in kinds)

        lines, right = fit(noted)
        if right > (1 - LEAST_BARS) * (room.width - lines.width):  # a note of its own line
            noted, note = texts["before"], label(self.answer, longest=LONGEST_KEY)
            key = [*key, f"<b>{label(names[is_answer.index(True)])}</b> {note}"]
            lines, right = fit(noted)
        values = rows[kinds].to_numpy()
        plot = self._plot(
            lines, room, top + len(key) * LEGEND_LINE, right, [1.0, *values.ravel()], "probability"
        )
        colour = theme.selection
        looks: list[dict[str, Any]] = [{"color": theme.colour(self.colour)}]
        hatched = {"shape": "/", "fgcolor": colour, "bgcolor": theme.paper, "size": 5}
        looks.append({"pattern": hatched, "line": {"color": colour, "width": 1}})
        for at, (kind, look) in enumerate(zip(kinds, looks, strict=False)):
            hovers = [f"{label(word)}: {value:.2e}" for word, value in zip(names, rows[kind], strict=True)]
            place = {"at": APART * (2 * at - 1), "thickness": PAIRED} if self.after else {}
            text = texts["after"] if at else noted
            lines.draw_bars(plot, rows[kind], look, hovers, text=text, customdata=names, **place)
        if self.answers and not room.is_printed:
            hovers = [f"{label(word)}: {text}" for word, text in zip(names, texts["before"], strict=True)]
            lines.draw_targets(plot, hovers, names)
        plot.paper.legend(key, MARGIN, top)
        return plot.paper.finished()

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
        return joined(both, width)


def likeliest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that have bars: the `SHOWN` likeliest words and the answer."""
    rows = table.reset_index(drop=True)
    return rows[(rows.index < SHOWN) | rows["answer"]]


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadEffects(_NamedBars):
    """A bar for every head: what knocking it out alone does; of many heads, for those that do most.

    `heads` has the columns `layer` and `head`, from 1, and that of the `effect`. The heads in `silenced` are
    hatched and always have a bar. A click anywhere in the row of a bar reports layer and head.
    """

    heads: pd.DataFrame
    effect: Effect = DIVERGENCE
    silenced: Collection[Head] = ()

    def draw(self, room: Room) -> Figure:
        rows, theme, effect, above = self._rows(), room.theme, self.effect, _top(room)
        heads, layers = _heads(rows), rows["layer"].to_numpy()
        out = [head in self.silenced for head in heads]
        apart = BREAK * (np.diff(layers, prepend=layers[:1]) > 0) * (len(rows) == len(self.heads))
        names = [spelt_head(*head) for head in heads]
        lines = fit_lines(names, out, apart.tolist(), room, above + AXIS + MARGIN)
        values = rows[effect.column].to_numpy(dtype=float)
        texts, reach = list(map(thousandths, values)), [*values, effect.smallest_top]
        shares = values / max(reach)
        plot = self._plot(lines, room, above, _right(lines, room, shares, texts), reach, effect.measures)
        pattern = {"shape": ["/" if one else "" for one in out], "bgcolor": theme.paper, "size": 5}
        look = {"color": [theme.selection if one else theme.attention for one in out], "pattern": pattern}
        lines.draw_bars(plot, values, look, text=texts)
        if not room.is_printed:
            hovers = [
                f"{name}: {text}{effect.unit}. Click: knock out, or put back."
                for name, text in zip(lines.names, texts, strict=True)
            ]
            lines.draw_targets(plot, hovers, heads)
        return plot.paper.finished()

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
