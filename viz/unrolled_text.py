"""A language model unrolled over the text it writes: each output is the next input."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import Pen
from viz.picture import Picture
from viz.room import PRINTED_LABEL, Room
from viz.text import em_width, fitting_size, label, literal, plain, shortened, unique_words
from words import counted

NAMES, EDGE = 78, 8
"""Room at the left for the names of rows, and at the right."""

WIDEST, FEWEST = 96, 3
"""Width of the column of a long word, and least number of columns, even if words have to be cut."""

ROW, CELL, ACROSS = 64, 32, 0.56
"""Distance of two rows, height of a box, and a box's share of its column."""

WORD, SMALLEST, NAME = 16, 12, 14
BESIDE, GAP, HEAD = 10, 8, 7
"""Room on either side of a word for an arrow, between two words without one, and size of arrowheads."""

LIT, FAINT = 2.0, 1.0
"""Width of a line of this step, and of a line of an earlier step."""


@dataclass(frozen=True)
class _Places:
    """Positions of the boxes: columns `first` to before `last` of the text, rows counted from below.

    No word is written in a type below the `smallest`.
    """

    first: int
    last: int
    column: float
    height: float
    smallest: int

    def frame(self, row: int, at: int) -> RotatedRect:
        """Return the box of a word in a row."""
        x = NAMES + (at - self.first + 0.5) * self.column
        return RotatedRect(x, self.height - (row + 0.5) * ROW, ACROSS * self.column, CELL)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnrolledText(Picture):
    """The model of a `name` up to a `step`, counted from 0 after the given words: inputs, layers, outputs.

    The output of a step is the input of the next, which an arrow in the colour of outputs shows. A recurrent
    network passes its state on within a layer; one that `attends` takes in all states so far. Of a long text
    the last words that fit are drawn. A click on a written word reports its step, counted from 1, as
    customdata.
    """

    words: Sequence[str]
    n_given: int
    name: str
    step: int
    n_layers: int
    attends: bool

    def draw(self, room: Room) -> Figure:
        smallest = ceil(SMALLEST * (PRINTED_LABEL if room.is_printed else 1))
        most, height = self._fitting(room.width, smallest), (self.n_layers + 2) * ROW + CELL / 2
        least = self._least(most, smallest)
        pen = Pen.in_room(room, lambda _: height, fits=lambda width: width >= least, head=HEAD)
        now, places = self.n_given - 1 + self.step, self._places(pen.width, height, smallest, room)
        for at in range(places.first, min(places.last, now + 1)):
            self._draw_column(pen, places, at, is_now=at == now)
            self._draw_words(pen, places, at, is_now=at == now)
        names = ["input", *(f"layer {layer + 1}" for layer in range(self.n_layers)), "output"]
        for row, name in enumerate(names):
            y = places.frame(row, places.first).y
            pen.write(name, 4, y, size=NAME, colour=pen.theme.muted, xanchor="left")
        if places.first:
            pen.write("…", NAMES - 10, places.frame(0, places.first).y, size=WORD, colour=pen.theme.muted)
        return pen.finished()

    def _draw_column(self, pen: Pen, places: _Places, at: int, *, is_now: bool) -> None:
        """Draw the boxes of a word and their inputs, from the word upwards."""
        theme = pen.theme
        colour = theme.attention if self.attends else theme.recurrence
        outline, line, width = (colour, theme.ink, LIT) if is_now else (theme.muted, theme.muted, FAINT)
        frames = [places.frame(row, at) for row in range(self.n_layers + 2)]
        for below, frame in pairwise(frames if at >= self.n_given - 1 else frames[:-1]):
            pen.arrow([(below.x, below.top), (frame.x, frame.bottom)], line, width=width)
        for layer, frame in enumerate(frames[1:-1], 1):
            pen.box(frame, outline, fill=theme.paper)
            if self.attends and is_now:
                for other in range(places.first, at):
                    source = places.frame(layer - 1, other)
                    pen.line([(source.x, source.top), (frame.x, frame.bottom)], colour, width=FAINT)
            elif not self.attends and at > places.first:
                before = places.frame(layer, at - 1)
                pen.arrow([(before.right, before.y), (frame.left, frame.y)], outline)

    def _draw_words(self, pen: Pen, places: _Places, at: int, *, is_now: bool) -> None:
        """Write the input of a word and its output, and draw the arrow from the previous output."""
        top, below, selection = self.n_layers + 1, places.frame(0, at), pen.theme.selection
        is_given = at < self.n_given
        half = _write_word(pen, places, below, self.words[at], pen.theme.ink, alone=is_given)
        if not is_given and at > places.first:
            source, y = places.frame(top, at - 1), below.y
            x = (source.x + below.x) / 2
            way = [(source.x + half, source.y), (x, source.y), (x, y), (below.x - half, y)]
            pen.arrow(way, selection)
        if at >= self.n_given - 1:
            frame, word, step = places.frame(top, at), self.words[at + 1], at - self.n_given + 2
            _write_word(pen, places, frame, word, selection, bold=is_now)
            pen.add_hit_area(frame, str(step), f"step {step}: {literal(word)}")

    def alt(self) -> str:
        names, at = unique_words(self.words), self.n_given + self.step
        read = f"at step {self.step + 1} it reads {plain(names[at - 1])} and writes {plain(names[at])}"
        back = " Each word that it has written goes back as its next input." if self.step else ""
        given = f"{self.n_given} of them given"
        return f"{plain(self.name)} unrolled over {counted(at, 'word')}, {given}: {read}.{back}"

    def _fitting(self, width: float, smallest: int) -> int:
        """Return how many columns fit a width with words in the smallest type."""
        most = len(self.words) - 1
        return next((n for n in range(most, FEWEST, -1) if self._least(n, smallest) <= width), FEWEST)

    def _least(self, n: int, smallest: int) -> float:
        """Return the width in which the words of `n` columns up to the step are legible."""
        now = self.n_given + self.step
        longest = max(em_width(shortened(word)) for word in self.words[max(0, now - n) : now + 1])
        return NAMES + EDGE + n * min(WIDEST, longest * smallest + 2 * BESIDE)

    def _places(self, width: float, height: float, smallest: int, room: Room) -> _Places:
        """Return the columns that fit: the last given words and the written ones, later the last ones.

        In print, where nobody goes on to the next step, no column is kept free for later words.
        """
        fit, now = self._fitting(width, smallest), self.n_given - 1 + self.step
        n_read = now + 1 if room.is_printed else len(self.words) - 1
        first = 0 if n_read <= fit else min(max(0, self.n_given - 2), n_read - fit)
        first = max(first, now - fit + 1)
        last = min(n_read, first + fit)
        column = (width - NAMES - EDGE) / max(last - first, min(fit, 4))
        return _Places(first, last, column, height, smallest)


def _write_word(
    pen: Pen,
    places: _Places,
    frame: RotatedRect,
    word: str,
    colour: str,
    *,
    bold: bool = False,
    alone: bool = False,
) -> float:
    """Write a word, `alone` if no arrow touches it, and return half of its width with some room."""
    room = places.column - (GAP if alone else 2 * BESIDE)
    size = fitting_size(shortened(word), room, usual=WORD, smallest=places.smallest)
    written = label(shortened(word), longest=room / size)
    pen.write(f"<b>{written}</b>" if bold else written, frame.x, frame.y, size=size, colour=colour)
    return min(room, em_width(shortened(word)) * size) / 2 + 4
