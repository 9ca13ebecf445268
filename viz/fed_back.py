"""A language model unrolled over the text that it writes: each output goes back as the next input."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

import pandas as pd

from viz.architectures.pen import Frame, Pen
from viz.layout.figure import Figure
from viz.layout.filling import magnification
from viz.picture import Picture
from viz.room import Room
from viz.tables import unique_words
from viz.text import em_width, fitting_size, label, literal, plain, shortened
from words import counted

NAMES, EDGE = 78, 8
"""Room at the left for the names of rows, and at the right."""

WIDEST, FEWEST = 96, 3
"""Width of the column of a long word, and how many columns there are even if words have to be cut."""

ROW, CELL, ACROSS = 64, 32, 0.56
"""The distance of two rows, the height of a box, and a box's share of its column."""

WORD, SMALLEST, NAME = 16, 12, 14
BESIDE, GAP, HEAD = 14, 8, 7
"""Room at either side of a word for an arrow, between two words without one, and the size of arrowheads."""

LIT, FAINT = 2.0, 1.0
"""Width of a line of this step, and of a line of an earlier step."""


@dataclass(frozen=True)
class _Places:
    """Positions of the boxes: columns `first` to before `last` of the text, rows counted from below."""

    first: int
    last: int
    column: float
    n_rows: int

    @property
    def height(self) -> float:
        return self.n_rows * ROW + CELL / 2

    def frame(self, row: int, at: int) -> Frame:
        """The box of a word in a row."""
        x = NAMES + (at - self.first + 0.5) * self.column
        return Frame(x, self.height - (row + 0.5) * ROW, ACROSS * self.column, CELL)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnrolledText(Picture):
    """The model of a `name` up to a `step`, counted from 0 after the words given: inputs, layers, outputs.

    The output of a step is the input of the next, which an arrow in the colour of outputs says. A recurrent
    network hands its state on within a layer; one that `attends` takes in all states so far. Of a long text
    the last words are drawn, as many as fit. A click on a written word reports its step, counted from 1, as
    customdata.
    """

    words: Sequence[str]
    n_given: int
    name: str
    step: int
    n_layers: int
    attends: bool
    behind: Callable[[], pd.DataFrame] = field(compare=False)

    def draw(self, room: Room) -> Figure:
        most = self._fitting(room.width)
        height = (self.n_layers + 2) * ROW + CELL / 2
        times = magnification(room, lambda width: height if width >= self._least(most) else inf)
        now, places = self.n_given - 1 + self.step, self._places(room.width / times)
        pen = Pen(room.theme, room.width / times, places.height, times, HEAD)
        colour = pen.theme.attention if self.attends else pen.theme.recurrence
        for at in range(places.first, min(places.last, now + 1)):
            is_now = at == now
            _draw_layers(pen, places, at, self.n_layers, colour, attends=self.attends, is_now=is_now)
            word = self.words[at]
            _write_word(pen, places, 0, at, word, pen.theme.ink, bold=False, alone=at < self.n_given)
            if at >= self.n_given - 1:
                _write_output(pen, places, at, self.words[at + 1], self.n_given, is_now=is_now)
            if self.n_given <= at:
                _feed_back(pen, places, at, word)
        _name_rows(pen, places, self.n_layers)
        return pen.finished()

    def alt(self) -> str:
        """Say which word the step reads, which it writes, and that this word is read next."""
        names, at = unique_words(self.words), self.n_given + self.step
        read = f"at step {self.step + 1} it reads {plain(names[at - 1])} and writes {plain(names[at])}"
        back = " Each word that it has written goes back as its next input." if self.step else ""
        given = f"{self.n_given} of them given"
        return f"{plain(self.name)} unrolled over {counted(at, 'word')}, {given}: {read}.{back}"

    def table(self) -> pd.DataFrame:
        return self.behind()

    def _fitting(self, width: float) -> int:
        """Return how many columns fit a width."""
        most = len(self.words) - 1
        return next((n for n in range(most, FEWEST, -1) if self._least(n) <= width), FEWEST)

    def _least(self, n: int) -> float:
        """Return the width in which the words of `n` columns up to the step are legible."""
        now = self.n_given + self.step
        longest = max(em_width(shortened(word)) for word in self.words[max(0, now - n) : now + 1])
        return NAMES + EDGE + n * min(WIDEST, longest * SMALLEST + 2 * BESIDE)

    def _places(self, width: float) -> _Places:
        """The columns that fit: the last words given and those written, later the last before the step."""
        fit, n_read, now = self._fitting(width), len(self.words) - 1, self.n_given - 1 + self.step
        first = 0 if n_read <= fit else min(max(0, self.n_given - 2), n_read - fit)
        first = max(first, now - fit + 1)
        last = min(n_read, first + fit)
        column = (width - NAMES - EDGE) / max(last - first, min(fit, 4))
        return _Places(first, last, column, self.n_layers + 2)


def _draw_layers(
    pen: Pen, places: _Places, at: int, n_layers: int, colour: str, *, attends: bool, is_now: bool
) -> None:
    """The boxes of a word and what each is made of, from the word upwards."""
    line = pen.theme.ink if is_now else pen.theme.muted
    for layer in range(1, n_layers + 1):
        frame, below = places.frame(layer, at), places.frame(layer - 1, at)
        pen.box(frame, colour if is_now else pen.theme.muted, fill=pen.theme.paper, width=LIT)
        pen.arrow([(below.x, below.top), (frame.x, frame.bottom)], line, width=LIT if is_now else FAINT)
        if attends and is_now:
            for other in range(places.first, at):
                source = places.frame(layer - 1, other)
                pen.line([(source.x, source.top), (frame.x, frame.bottom)], colour, width=FAINT)
        elif not attends and at > places.first:
            before = places.frame(layer, at - 1)
            pen.arrow(
                [(before.right, before.y), (frame.left, frame.y)], colour if is_now else pen.theme.muted
            )


def _write_word(
    pen: Pen,
    places: _Places,
    row: int,
    at: int,
    word: str,
    colour: str,
    *,
    bold: bool,
    alone: bool = False,
) -> None:
    """A word in its place, as large as its column has room for; `alone` if no arrow ends or begins at it."""
    room = places.column - (GAP if alone else 2 * BESIDE)
    frame, size = places.frame(row, at), _size(room, word)
    written = label(shortened(word), longest=room / size)
    pen.write(f"<b>{written}</b>" if bold else written, frame.x, frame.y, size=size, colour=colour)


def _size(room: float, word: str) -> int:
    """Pixels of type at which a word takes so many pixels."""
    return fitting_size(shortened(word), room, usual=WORD, smallest=SMALLEST)


def _half(places: _Places, word: str) -> float:
    """Half of the width of a word, and some room."""
    room = places.column - 2 * BESIDE
    return min(room, em_width(shortened(word)) * _size(room, word)) / 2 + 4


def _write_output(pen: Pen, places: _Places, at: int, word: str, n_given: int, *, is_now: bool) -> None:
    """What is written after a word, above its column."""
    frame, top = places.frame(places.n_rows - 1, at), places.frame(places.n_rows - 2, at)
    line = pen.theme.ink if is_now else pen.theme.muted
    pen.arrow([(top.x, top.top), (frame.x, frame.bottom)], line, width=LIT if is_now else FAINT)
    _write_word(pen, places, places.n_rows - 1, at, word, pen.theme.selection, bold=is_now)
    step = at - n_given + 2
    pen.answer(frame, str(step), f"step {step}: {literal(word)}")


def _feed_back(pen: Pen, places: _Places, at: int, word: str) -> None:
    """An arrow from the output of one word down to the input of the next step, which is the same word."""
    if at == places.first:
        return
    source, target, half = places.frame(places.n_rows - 1, at - 1), places.frame(0, at), _half(places, word)
    x = (source.x + target.x) / 2
    way = [(source.x + half, source.y), (x, source.y), (x, target.y), (target.x - half, target.y)]
    pen.arrow(way, pen.theme.selection)


def _name_rows(pen: Pen, places: _Places, n_layers: int) -> None:
    """What the rows are, at the left."""
    names = ["input", *(f"layer {layer}" for layer in range(1, n_layers + 1)), "output"]
    for row, name in enumerate(names):
        y = places.frame(row, places.first).y
        pen.write(name, 4, y, size=NAME, colour=pen.theme.muted, xanchor="left")
    if places.first:
        pen.write("…", NAMES - 10, places.frame(0, places.first).y, size=WORD, colour=pen.theme.muted)
