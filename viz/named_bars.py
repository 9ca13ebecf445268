"""Bars that lie beside their names: probabilities of words, effects of heads, and logits."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import HEADLINE_LINE, LEGEND_LINE, MARGIN, Box, Canvas, canvas, legend_width
from viz.layout.figure import Figure
from viz.layout.rows import name_axis, row_height
from viz.layout.sketch import Trace, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain, shortened
from viz.theme import Role, Theme
from words import counted, probability, thousandths, two_decimals

SHOWN = 8
"""How many words have a bar."""

MOST_HEADS, LARGEST_HEADS = 16, 12
"""Up to how many heads each has a bar, and of how many there is one otherwise."""

ROW, LEAST_ROW, PAIRED_ROW, BREAK = 28, 20, 36, 0.35
"""Pixels of height of a row, the least on a page, and of a row with two bars; and in rows the space before
what stands apart."""

WORD, NUMBER, BESIDE = 16, 13, 8
"""Type sizes of names and numbers, and the space beside them, in pixels."""

ALONE, PAIRED, APART = 0.62, 0.36, 0.2
"""Thickness in rows of a bar alone and of one of two, and how far each of two is from the middle."""

TICKS, AXIS, WIDE = 26, 46, 240
"""Pixels that the numbers of an axis take, and with its title; and of width that six of them need."""

HEADING, STATE = 26, 44
"""Height in pixels of a heading, and of the bars of a state."""

SHARE_OF_LOGITS, LEAST_BARS = 0.42, 0.35
"""The share of the bars' width that the logits take, and the share of a figure that bars need."""

LONGEST_NAME, LONGEST_KEY = 10.0, 22.0
"""Em that a name beside its bars may take, and one in the key."""

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


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Names below one another: their places in rows, the height of a row and the type sizes in pixels."""

    names: Sequence[str]
    marked: Sequence[bool]
    places: np.ndarray
    row: float
    type_size: float
    number_size: float

    @property
    def height(self) -> float:
        return (float(self.places[-1]) + 1) * self.row

    @property
    def width(self) -> float:
        """Pixels of the longest name and of the space on both sides of it."""
        longest = max(em_width(shortened(name, longest=LONGEST_NAME)) for name in self.names)
        return longest * self.type_size + 2 * BESIDE

    def axis(self, theme: Theme, beside: float = BESIDE) -> dict[str, Any]:
        """The names `beside` their bars; marked ones have the colour of a choice."""
        names = [label(name, longest=LONGEST_NAME) for name in self.names]
        shown = [
            f'<b><span style="color:{theme.selection}">{name}</span></b>' if marked else name
            for name, marked in zip(names, self.marked, strict=True)
        ]
        return {
            **name_axis(self.type_size),
            "tickvals": self.places,
            "ticktext": shown,
            "ticklabelstandoff": round(beside),
            "range": (float(self.places[-1]) + 0.5, -0.5),
        }

    def bars(
        self,
        values: ArrayLike,
        look: dict[str, Any],
        *,
        at: float = 0.0,
        thickness: float = ALONE,
        **more: Any,
    ) -> Trace:
        """A bar beside each name, moved down by `at` rows."""
        return trace_of(
            "bar",
            x=np.asarray(values, dtype=float),
            y=self.places + at,
            width=thickness,
            orientation="h",
            marker=look,
            textposition="outside",
            textfont={"size": self.number_size},
            constraintext="none",
            cliponaxis=False,
            **more,
        )

    def targets(self, end: float, hovers: Sequence[str], data: Sequence[Any]) -> Trace:
        """Invisible bars as long as the axis: a click anywhere in a row reports its data."""
        look = {"opacity": 0}
        hover: dict[str, Any] = {"hovertext": list(hovers), "hovertemplate": "%{hovertext}<extra></extra>"}
        # A list: of a NumPy array a click would report an object with the keys 0 and 1.
        return self.bars(np.full(len(self.names), end), look, thickness=1.0, customdata=list(data), **hover)


def _lines(
    names: Sequence[str],
    marked: Sequence[bool],
    apart: Sequence[float],
    room: Room,
    around: float,
    *,
    paired: bool = False,
) -> Lines:
    """Fit names into a room less `around` pixels of height, with `apart` pixels free above each name."""
    places = np.arange(len(names)) + np.cumsum(apart)
    usual, least = (PAIRED_ROW, 2.5 * room.smallest_type) if paired else (ROW, LEAST_ROW)
    row = row_height(room, float(places[-1]) + 1, around=around, usual=usual, least=least)
    type_size = max(room.smallest_type, min(WORD, floor(0.8 * row)))
    number = max(room.smallest_type, min(NUMBER, type_size, floor(2 * APART * row) if paired else NUMBER))
    return Lines(names=names, marked=marked, places=places, row=row, type_size=type_size, number_size=number)


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
        lines = _lines(names, is_answer, apart, room, above + below, paired=bool(self.after))
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
            lines = _lines(names, is_answer, apart, room, above + below, paired=bool(self.after))
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
        lines = _lines(
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Logits(Picture):
    """The numbers of a state, and a row for each word: its logit and its probability.

    `words` has the columns `word`, `logit`, `probability`, and `answer`, true of a word in the colour of a
    choice. Bars of logits begin at 0, those of probabilities run from 0 to 1. `logit` is the heading above
    the logits.
    """

    words: pd.DataFrame
    state: ArrayLike
    logit: str
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        table, theme = self.words, room.theme
        head = 2 * HEADING + STATE + BESIDE
        names, answers = list(table["word"]), list(table["answer"])
        lines = _lines(names, answers, [0.0] * len(names), room, head + MARGIN)
        drawn = canvas(room.width, head + lines.height + MARGIN, theme)
        logits, shares = list(map(two_decimals, table["logit"])), list(map(probability, table["probability"]))
        number, share = (
            max(map(em_width, texts)) * lines.number_size + 2 * BESIDE for texts in (logits, shares)
        )
        left = lines.width + number
        both = room.width - left - share - 2 * BESIDE
        first = Box(left, head, both * SHARE_OF_LOGITS, lines.height)
        second = Box(first.right + share, head, both - first.width, lines.height)
        span = _span(table["logit"])
        zero = {"zeroline": True, "zerolinecolor": theme.muted, "visible": True, "showgrid": False}
        for at, box, column, ends in (("", first, "logit", span), ("2", second, "probability", (0.0, 1.0))):
            across, upwards = drawn.domains(box, 0)
            axis = {"fixedrange": True, "showticklabels": False, "domain": across, "range": ends}
            drawn.figure.layout[f"xaxis{at}"] = {**zero, **axis, "anchor": f"y{at}"}
            upright = lines.axis(theme, number) | {"domain": upwards, "anchor": f"x{at}"}
            drawn.figure.layout[f"yaxis{at}"] = upright | {"showticklabels": column == "logit"}
            colour = {"color": theme.muted if column == "logit" else theme.attention}
            drawn.figure.add_trace(
                lines.bars(
                    table[column],
                    colour,
                    xaxis=f"x{at}",
                    yaxis=f"y{at}",
                    hovertemplate="%{x:.4g}<extra></extra>",
                )
            )
        for box, texts in ((first, logits), (second, shares)):
            for place, text in zip(lines.places, texts, strict=True):
                look = {"font": {"size": lines.number_size}, "xanchor": "right", "yanchor": "middle"}
                drawn.note(text, box.left - BESIDE, head + (float(place) + 0.5) * lines.row, **look)
        size = max(room.smallest_type, 15)
        heading = {"font": {"size": size, "color": theme.muted}, "xanchor": "left", "yanchor": "middle"}
        of_shares = "→ softmax → probability"
        if em_width(of_shares) * size > room.width - second.left:
            of_shares = (
                "→ softmax → p" if em_width("→ softmax → p") * size <= room.width - second.left else "→ p"
            )
        drawn.note(f"→ {self.logit}", first.left, head - HEADING / 2, **heading)
        drawn.note(of_shares, second.left, head - HEADING / 2, **heading)
        drawn.note(self._of_state(), MARGIN, HEADING / 2, **heading)
        _draw_state(drawn, self._state(), Box(MARGIN, HEADING, room.width - 2 * MARGIN, STATE))
        return drawn.finished()

    def alt(self) -> str:
        """The size of the state, every word with both of its numbers."""
        told = [
            f"{plain(word)} {two_decimals(logit)} to {probability(share)}"
            for word, logit, share in zip(
                self.words["word"], self.words["logit"], self.words["probability"], strict=True
            )
        ]
        return f"{self._of_state()}. Logits to probabilities by the softmax: {', '.join(told)}."

    def table(self) -> pd.DataFrame:
        return self.words if self.behind is None else self.behind()

    def _state(self) -> np.ndarray:
        return np.asarray(self.state, dtype=np.float32)

    def _of_state(self) -> str:
        state = self._state()
        span = f"from {two_decimals(state.min())} to {two_decimals(state.max())}"
        return f"last state h: {counted(len(state), 'number')}, {span}"


def _draw_state(drawn: Canvas, state: np.ndarray, box: Box) -> None:
    """Draw a bar for each dimension, up from a line at zero or down."""
    across, upwards = drawn.domains(box, 0)
    largest = float(np.abs(state).max()) or 1.0
    hidden = {"fixedrange": True, "visible": False}
    drawn.figure.layout["xaxis3"] = {**hidden, "domain": across, "anchor": "y3"}
    drawn.figure.layout["yaxis3"] = {
        "fixedrange": True,
        "showgrid": False,
        "showticklabels": False,
        "zerolinecolor": drawn.theme.line,
        "domain": upwards,
        "anchor": "x3",
        "range": (-largest, largest),
    }
    below, above = drawn.theme.signs
    drawn.figure.add_trace(
        trace_of(
            "bar",
            x=np.arange(len(state)) + 1,
            y=state,
            marker={"color": [below if one < 0 else above for one in state.tolist()]},
            xaxis="x3",
            yaxis="y3",
            hovertemplate="dimension %{x}: %{y:.3f}<extra></extra>",
        )
    )


def _span(logits: pd.Series) -> tuple[float, float]:
    """From 0 to the logit that is furthest from it, or across 0 where there are some on both sides."""
    low, high = min(0.0, float(logits.min())), max(0.0, float(logits.max()))
    return (low, high) if low < high else (0.0, 1.0)
