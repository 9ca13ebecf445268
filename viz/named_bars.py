"""Bars beside their names: probabilities of words, and effects of heads."""

from collections.abc import Collection, Mapping, Sequence
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
"""Number of words with a bar."""

MOST_HEADS, LARGEST_HEADS = 16, 12
"""Greatest number of heads that all have a bar, and number of bars for more heads."""

AXIS, MOST_TICKS, FEWEST_TICKS = 48, 6, 2
"""Pixels below the bars for their axis with its title, and greatest and least number of ticks."""

SMALLEST_TOP = 0.05
"""Least end of the axis of effects: if no head matters, no bar may look large."""

NEAR = 1.25
"""Longest axis, as a multiple of its longest bar."""

LEAST_BARS = 0.45
"""Share of the width beside the names for bars and the ends of their axis."""

SHORTEST_BARS = 0.3
"""Share of the width for bars beside names of heads."""

LONGEST_KEY = 22.0
"""Greatest width of a name in the key, in em."""

ANSWER = "← in the sentence"
BEFORE = "all heads"

Head = tuple[int, int]
"""A layer and a head, counted from 1."""


class Effect(NamedTuple):
    """A column of the table of all heads, its quantity with its unit, and the unit alone."""

    column: str
    measures: str
    unit: str


DIVERGENCE = Effect("divergence", "KL divergence D(before ‖ after), nats", " nats")
STATES = Effect("change", "mean ‖Δh‖ / ‖h‖", "")
WEIGHTS = Effect("weight", "attention weight", "")


def _plot(
    picture: Picture, lines: Lines, room: Room, above: float, right: float, values: ArrayLike, measures: str
) -> Plot:
    """Draw the axes of bars, with `right` pixels free beside them, and the name of their quantity."""
    x_title = title_of(measures, room.width, smallest=room.smallest_type)
    height = above + lines.height + below(TICK) + x_title.height + MARGIN
    title = "" if room.is_printed else picture.title
    paper = canvas(room.width, height, room.theme, title=title, short=picture.short)
    paper.layout.update(barmode="overlay")
    along = _axis(values, room.width - lines.width - right)
    return lines.plot(paper, lines.width, above, along, x_title)


def _axis(values: ArrayLike, length: float) -> Ruler:
    """Return an axis from 0 to a tick above the largest of `values`, or to it if the tick is far away."""
    largest = float(np.max(values))
    found = across([0.0, largest], length, most=MOST_TICKS)
    below = {at: text for at, text in found.ticks.items() if at <= largest}
    if found.high <= NEAR * largest or len(below) < FEWEST_TICKS:
        return found
    return replace(found, high=largest, ticks=below)


def _right(lines: Lines, room: Room, shares: Sequence[float], texts: Sequence[str]) -> float:
    """Return pixels to keep free right of bars for the texts at their ends; `shares` are bar lengths."""
    width, size = room.width - lines.width - OVERHANG, lines.number_size
    needed = [
        width - (width - em_width(text) * size - BESIDE) / share
        for share, text in zip(shares, texts, strict=True)
        if share > 0
    ]
    return max(2 * BESIDE, *needed)


def _top(room: Room) -> int:
    """Return pixels above a figure for its title."""
    return MARGIN if room.is_printed else HEADLINE_LINE


@dataclass(frozen=True, kw_only=True, eq=False)
class LikelyWords(Picture):
    """The likeliest words of a distribution, then the sentence's word if it is not among them.

    `words` has a row for each word, the likeliest first, with the columns `word`, `before`, `after` and
    `answer`, as `likeliest` returns it. Each word has one bar, or two if `after` names the second, and
    `before` the first. Bars run from 0 to 1. The note `answer` stands at the bar of the answer, at the second
    one if `notes_after`. If `is_clickable`, a click anywhere in the row of a bar reports its word.
    """

    words: pd.DataFrame
    before: str = BEFORE
    after: str = ""
    answer: str = ANSWER
    colour: Role = "attention"
    is_clickable: bool = False
    notes_after: bool = False

    def draw(self, room: Room) -> Figure:
        rows, theme = self.words, room.theme
        names, is_answer = list(rows["word"]), list(rows["answer"])
        top, key = _top(room), self._key(theme, room.width)
        apart = [BREAK * (at == SHOWN) for at in range(len(rows))]
        kinds = ["before", "after"] if self.after else ["before"]
        texts = {kind: list(map(probability, rows[kind])) for kind in kinds}
        kind_noted = "after" if self.notes_after and self.after else "before"
        noted = [
            f"{text} {self.answer}" if at else text
            for text, at in zip(texts[kind_noted], is_answer, strict=True)
        ]

        def fit(at_bars: Sequence[str]) -> tuple[Lines, float]:
            """Fit rows below the key, and return them with the pixels right of the bars."""
            above = top + len(key) * LEGEND_LINE
            lines = fit_lines(names, is_answer, apart, room, above + AXIS + MARGIN, paired=bool(self.after))
            details = {**texts, kind_noted: at_bars}
            return lines, max(_right(lines, room, list(rows[kind]), details[kind]) for kind in kinds)

        lines, right = fit(noted)
        if right > (1 - LEAST_BARS) * (room.width - lines.width):  # a note on a separate line
            noted, note = texts[kind_noted], label(self.answer, longest=LONGEST_KEY)
            key = [*key, f"<b>{label(names[is_answer.index(True)])}</b> {note}"]
            lines, right = fit(noted)
        values = rows[kinds].to_numpy()
        above, reach = top + len(key) * LEGEND_LINE, [1.0, *values.ravel()]
        plot = _plot(self, lines, room, above, right, reach, "probability")
        colour = theme.selection
        looks: list[dict[str, Any]] = [{"color": theme.colour(self.colour)}]
        hatched = {"shape": "/", "fgcolor": colour, "bgcolor": theme.paper, "size": 5}
        looks.append({"pattern": hatched, "line": {"color": colour, "width": 1}})
        for at, (kind, look) in enumerate(zip(kinds, looks, strict=False)):
            hovers = [f"{label(word)}: {value:.2e}" for word, value in zip(names, rows[kind], strict=True)]
            place = {"at": APART * (2 * at - 1), "thickness": PAIRED} if self.after else {}
            text = noted if kind == kind_noted else texts[kind]
            lines.draw_bars(plot, rows[kind], look, hovers, text=text, customdata=names, **place)
        if self.is_clickable and not room.is_printed:
            hovers = [f"{label(word)}: {text}" for word, text in zip(names, texts["before"], strict=True)]
            lines.draw_targets(plot, hovers, names)
        plot.paper.legend(key, MARGIN, top)
        return plot.paper.finished()

    def alt(self) -> str:
        rows = self.words
        details = [
            f"{plain(word)} {probability(one)}{f' to {probability(other)}' if self.after else ''}"
            for word, one, other in zip(rows["word"], rows["before"], rows["after"], strict=True)
        ]
        answer, note = [plain(word) for word in rows["word"][rows["answer"]]], self.answer.strip("← ")
        here = f" {note[0].upper()}{note[1:]}: {answer[0]}." if answer else ""
        change = f" First {plain(self.before)}, then {plain(self.after)}." if self.after else ""
        return f"{plain(self.title)}: {', '.join(details)}.{change}{here}"

    def table(self) -> pd.DataFrame:
        return self.words if self.make_table is None else self.make_table()

    def _key(self, theme: Theme, width: float) -> list[str]:
        """Return the meanings of the two kinds of bars, in one line if there is room."""
        if not self.after:
            return []
        colours = (theme.colour(self.colour), "■", self.before), (theme.selection, "▨", self.after)
        both = [
            f'<span style="color:{colour}">{sign}</span> {label(name, longest=LONGEST_KEY)}'
            for colour, sign, name in colours
        ]
        return joined(both, width)


def likeliest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with bars: the `SHOWN` likeliest words and the answer."""
    rows = table.reset_index(drop=True)
    return rows[(rows.index < SHOWN) | rows["answer"]]


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadEffects(Picture):
    """A bar for the effect of ablating each head; if there are many, for the strongest.

    `heads` has the columns `layer` and `head`, from 1, and the column of the `effect`. The heads in
    `silenced` are hatched and always have a bar. A click anywhere in the row of a bar reports layer and head.
    """

    heads: pd.DataFrame
    effect: Effect = DIVERGENCE
    silenced: Collection[Head] = ()

    click = "Click: knock out, or put back."
    pattern = "/"
    by_layer = True

    def draw(self, room: Room) -> Figure:
        marked, theme, effect, above = self.marked(room), room.theme, self.effect, _top(room)
        rows = self._rows(marked)
        heads, layers = _heads(rows), rows["layer"].to_numpy()
        out = [head in marked for head in heads]
        by_layer = self.by_layer and len(rows) == len(self.heads)
        apart = BREAK * (np.diff(layers, prepend=layers[:1]) > 0) * by_layer
        values = rows[effect.column].to_numpy(dtype=float)
        sizes, reach = list(map(thousandths, values)), [*values, SMALLEST_TOP]
        texts = [f"{size}{self.note(head)}" for size, head in zip(sizes, heads, strict=True)]
        names = [spelt_head(*head) for head in heads]

        def fit(beside: list[str]) -> tuple[Lines, float]:
            """Fit rows with these names, and return them with the pixels right of the bars."""
            lines = fit_lines(beside, out, apart.tolist(), room, above + AXIS + MARGIN)
            return lines, _right(lines, room, values / max(reach), texts)

        lines, right = fit(names)
        if right > (1 - SHORTEST_BARS) * (room.width - lines.width):  # as on a telephone, beside long notes
            lines, right = fit([name_of(*head) for head in heads])
        names_are_short = lines.names != names
        measures = f"{effect.measures} (names: layer.head)" if names_are_short else effect.measures
        plot = _plot(self, lines, room, above, right, reach, measures)
        pattern = {"shape": [self.pattern if one else "" for one in out], "bgcolor": theme.paper, "size": 5}
        look = {"color": [theme.selection if one else theme.attention for one in out], "pattern": pattern}
        lines.draw_bars(plot, values, look, text=texts)
        if not room.is_printed:
            hovers = [
                f"{name}: {size}{effect.unit}{self.note(head)}. {self.click}"
                for name, size, head in zip(names, sizes, heads, strict=True)
            ]
            lines.draw_targets(plot, hovers, heads)
        return plot.paper.finished()

    def alt(self) -> str:
        first = _largest(self.heads, self.effect, MOST_TOLD)
        sizes = map(thousandths, first[self.effect.column])
        details = "; ".join(
            f"{spelt_head(*head)}: {size}{self.note(head)}"
            for head, size in zip(_heads(first), sizes, strict=True)
        )
        of = counted(len(self.heads), "head")
        return f"{self.whole_title}. The largest of {of}: {details}."

    def table(self) -> pd.DataFrame:
        return self.heads

    @property
    def whole_title(self) -> str:
        """The title with the quantity."""
        return f"{self.title}, {self.effect.measures}"

    def marked(self, room: Room) -> Collection[Head]:
        """Return the heads that always have a bar and a different look."""
        return self.silenced

    def note(self, head: Head) -> str:
        """Return the note after the number of a head."""
        return ""

    def _rows(self, marked: Collection[Head]) -> pd.DataFrame:
        """Return the heads with a bar: all of few, by layer; of many the most effective and the marked."""
        if len(self.heads) <= MOST_HEADS:
            return self.heads
        most = _largest(self.heads, self.effect, LARGEST_HEADS)
        out = [head in marked for head in _heads(self.heads)]
        also = self.heads[np.array(out) & ~self.heads.index.isin(most.index)]
        return pd.concat([most, also])


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadWeights(HeadEffects):
    """A bar for the weight of one cell in every head, the largest first; of many heads the largest.

    `heads` has the columns `layer` and `head`, from 1, and `weight`. The `shown` head always has a bar, in
    the colour of a choice. `kinds` name the known function of some heads.
    """

    effect: Effect = WEIGHTS
    shown: Head | None = None
    kinds: Mapping[Head, str] = field(default_factory=dict)

    click = "Click: open this head."
    pattern = ""
    by_layer = False

    @property
    def whole_title(self) -> str:
        return self.title

    def marked(self, room: Room) -> Collection[Head]:
        return () if self.shown is None or room.is_printed else (self.shown,)

    def note(self, head: Head) -> str:
        return f" · {self.kinds[head]}" if head in self.kinds else ""

    def table(self) -> pd.DataFrame:
        kinds = [self.kinds.get(head, "") for head in _heads(self.heads)]
        known = self.heads.assign(kind=kinds) if self.kinds else self.heads
        return known.sort_values(self.effect.column, ascending=False, kind="stable", ignore_index=True)

    def _rows(self, marked: Collection[Head]) -> pd.DataFrame:
        """Return the heads with a bar, the largest weight first, with the shown head at its rank."""
        rows = super()._rows(marked)
        return rows.sort_values(self.effect.column, ascending=False, kind="stable")


def shows_all(heads: pd.DataFrame) -> bool:
    """Return whether every head of a table has a bar."""
    return len(heads) <= MOST_HEADS


def _largest(heads: pd.DataFrame, effect: Effect, n: int) -> pd.DataFrame:
    return heads.sort_values(effect.column, ascending=False, kind="stable").head(n)


def _heads(table: pd.DataFrame) -> list[Head]:
    # Not itertuples, which first writes and compiles a class and takes longer than the whole figure.
    return list(zip(table["layer"].tolist(), table["head"].tolist(), strict=True))


def name_of(layer: int, head: int) -> str:
    """Return the short name of a head: 2.3 is head 3 of layer 2."""
    return f"{layer}.{head}"


def head_in_prose(layer: int, head: int) -> str:
    """Return a head, counted from 1, within a sentence."""
    return f"head {head} of layer {layer}"


def spelt_head(layer: int, head: int) -> str:
    """Return a head, counted from 1, as a label."""
    return f"layer {layer}, head {head}"
