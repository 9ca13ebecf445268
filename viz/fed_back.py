"""A language model unrolled over the text that it writes: each output goes back as the next input."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.words import counted
from viz.architectures.pen import Frame, Pen
from viz.parts.figure_cache import cached_figure
from viz.picture import Picture, finished
from viz.tables import unique_words
from viz.text import em_width, fitting_size, label, literal, plain, shortened
from viz.theme import Theme

NAMES, EDGE = 92, 8
"""Pixels at the left for the names of rows, and at the right."""

COLUMN = 96
"""Pixels of a column at least: so many words are drawn as fit."""

ROW, CELL, ACROSS = 64, 32, 0.56
"""The distance of two rows and the height of a box in pixels, and a box's share of its column."""

WORD, SMALLEST, NAME = 16, 12, 14
BESIDE, GAP = 18, 8
"""Pixels at either side of a word that stay free for an arrow, and between two words without one."""
LIT, FAINT = 2.0, 1.0
"""Pixels of a line of the step, and of those of the steps before."""


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


def unrolled_text(
    words: Sequence[str],
    n_given: int,
    *,
    name: str,
    step: int,
    theme: Theme,
    table: Callable[[], pd.DataFrame] | None = None,
    **look: Any,
) -> Picture:
    """The model of this `name` up to a `step`, counted from 0 after the words given: inputs, layers, outputs.

    The output of a step is the input of the next, which an arrow in the colour of outputs says. A recurrent
    network hands its state on within a layer; one that `attends` takes in all states so far. It has
    `n_layers`. Of a long text the last words are drawn, as many as fit a `width` in pixels. A click on a
    written word reports its step, counted from 1, as customdata.
    """
    return finished(
        _drawn(words, n_given, step=step, theme=theme, **look),
        alt=_alt(words, n_given, step=step, name=name),
        table=table,
        title=f"{plain(name)} unrolled over the text that it writes, step {step + 1}",
    )


@cached_figure
def _drawn(
    words: Sequence[str],
    n_given: int,
    *,
    theme: Theme,
    width: float,
    step: int,
    n_layers: int,
    attends: bool,
) -> go.Figure:
    now = n_given - 1 + step
    places = _places(len(words) - 1, n_given, now, width, n_layers)
    pen = Pen(theme, width, places.height)
    shown = range(places.first, min(places.last, now + 1))
    colour = theme.attention if attends else theme.recurrence
    for at in shown:
        _draw_layers(pen, places, at, n_layers, colour, attends=attends, is_now=at == now)
        _write_word(pen, places, 0, at, words[at], theme.ink, bold=False, alone=at < n_given)
        if at >= n_given - 1:
            _write_output(pen, places, at, words[at + 1], n_given, is_now=at == now)
        if n_given <= at:
            _feed_back(pen, places, at, words[at])
    _name_rows(pen, places, n_layers, words, n_given)
    return pen.finished()


def _alt(words: Sequence[str], n_given: int, *, step: int, name: str) -> str:
    """What is read at the step, what is written, and that it goes back."""
    names = unique_words(words)
    at = n_given + step
    read = f"at step {step + 1} it reads {plain(names[at - 1])} and writes {plain(names[at])}"
    back = " Each word that it has written goes back as its next input." if step else ""
    return f"{plain(name)} unrolled over {counted(at, 'word')}, {n_given} of them given: {read}.{back}"


def _places(n_read: int, n_given: int, now: int, width: float, n_layers: int) -> _Places:
    """The columns that fit: the last words given and those written, later the last ones before the step."""
    fit = max(2, int((width - NAMES - EDGE) // COLUMN))
    first = 0 if n_read <= fit else min(max(0, n_given - 2), n_read - fit)
    first = max(first, now - fit + 1)
    last = min(n_read, first + fit)
    column = (width - NAMES - EDGE) / max(last - first, min(fit, 4))
    return _Places(first, last, column, n_layers + 2)


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


def _name_rows(pen: Pen, places: _Places, n_layers: int, words: Sequence[str], n_given: int) -> None:
    """What the rows are, at the left."""
    names = ["input", *(f"layer {layer}" for layer in range(1, n_layers + 1)), "output"]
    for row, name in enumerate(names):
        y = places.frame(row, places.first).y
        pen.write(name, 4, y, size=NAME, colour=pen.theme.muted, xanchor="left")
    if places.first:
        pen.write("…", NAMES - 10, places.frame(0, places.first).y, size=WORD, colour=pen.theme.muted)
