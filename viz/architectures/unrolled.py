"""A recurrent model unrolled over its words: a box for every step, the encoder below the decoder."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from viz.architectures.layout import Box
from viz.architectures.model import CHOSEN, SHAPE
from viz.layout.boxes import Point, RotatedRect, outside
from viz.layout.figure import Figure
from viz.layout.pen import HEAD, SMALLEST_HEAD, Pen
from viz.layout.word_row import WordRow
from viz.picture import Picture
from viz.room import Room
from viz.text import label, literal, plain
from words import counted

Step = tuple[str, int]

MOST = 16
"""Greatest number of words of a sentence that are drawn."""

ROW, CELL, WIDEST_CELL, NARROWEST_CELL = 56, 30, 52, 12
"""Distance of two rows, height of a box, and its greatest and least width."""

LOWEST, LOWEST_IN_FRAME = 0.75, 0.62
"""Least scale of the distance of rows in a low window, which can be scrolled, and in a frame."""

NAMES, NARROW_NAMES, ROOMY = 132, 100, 520
"""Room at the left for the names of rows, the same in a narrow figure, and the width of a narrow figure."""

TYPE = 14
"""Type size of words and of names of rows."""

AROUND = 7
"""Distance from a box to an arrow round it."""

EDGE, FEWEST = 8, 4
"""Free width on the right, and least number of columns that share the width."""

THICKEST = 6.0
"""Width of the line of a weight of 1."""

UNSEEN = 0.02
"""Weight below which there is no line."""


@dataclass(frozen=True)
class Places:
    """Positions of the boxes: the middles of the rows and of the first column, and the size of a box.

    `words` are below the places `under` their stacks. The fixed vector goes up in a `lane` left of all words
    of the decoder.
    """

    height: float
    first: float
    column: float
    cell: tuple[float, float]
    rows: Mapping[str, float]
    words: Mapping[str, WordRow]
    under: Mapping[str, float]
    lane: float

    def frame(self, row: str, at: int) -> RotatedRect:
        """Return the box of a step."""
        return RotatedRect(self.first + at * self.column, self.rows[row], *self.cell)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnrolledNetwork(Picture):
    """The model of a `name` over its words: rows from below upwards, `words` under each stack.

    `rows` are boxes whose `kind` is "words", "state", "vector", "context" or "output". `arrows` lead from
    step to step. Of the `alignment`, (target, source), the weights of one `step` are drawn as lines of
    proportional width, which join below the words of the decoder and go up beside their column. If the
    contexts are chosen, the one of this step is framed. A picture that fills a window writes the shape of a
    chosen vector only. A click on a box reports the name of its row as customdata.
    """

    name: str
    rows: Sequence[Box]
    words: Mapping[str, Sequence[str]]
    arrows: Sequence[tuple[Step, Step]]
    alignment: np.ndarray | None = None
    step: int = 0
    chosen: str = ""

    def draw(self, room: Room) -> Figure:
        pen = Pen.in_room(room, lambda width: _places(self.rows, self.words, width).height)
        highest = room.tallest / pen.times
        places = _places(self.rows, self.words, pen.width, highest, fills=room.fills)
        pen.height = places.height
        pen.head = min(HEAD, max(SMALLEST_HEAD, places.column - places.cell[0] - 2))
        sizes = {
            row.name: 1 if row.kind == "vector" else len(places.words[row.stack].words) for row in self.rows
        }
        for row in self.rows:
            is_chosen = row.name == self.chosen and not room.is_printed
            steps = range(sizes[row.name])
            framed: Collection[int] = steps if is_chosen else ()
            if is_chosen and row.kind == "context" and self.alignment is not None:
                framed = (self.step,)
            has_shape = not room.fills or (row.name == self.chosen and row.kind == "vector")
            _draw_row(pen, places, row, steps, framed, has_shape=has_shape)
        for stack, words in places.words.items():
            words.write(pen, places.first, places.under[stack])
        self._draw_arrows(pen, places, sizes)
        return pen.finished()

    def _draw_arrows(self, pen: Pen, places: Places, sizes: Mapping[str, int]) -> None:
        known = {row.name: row for row in self.rows}
        for (start, at), (end, to) in self.arrows:
            if to >= sizes[end] or (at >= sizes[start] and known[end].kind != "vector"):
                continue
            if known[end].kind != "context" or known[start].stack == known[end].stack:
                first = min(at, sizes[start] - 1)  # the last state of a cut sentence is not drawn
                _draw_arrow(pen, places, (start, first), (end, to), known)
            elif self.alignment is not None and to == self.step:
                weight = float(abs(self.alignment[to, at]))
                _draw_weight(pen, places, (start, at), (end, to), weight, known[end].stack)

    def alt(self) -> str:
        details = "; ".join(f"{plain(row.title)} ({row.shape})" for row in self.rows)
        counts = ", ".join(counted(len(these), "word") for these in self.words.values())
        text = f"{plain(self.name)}, unrolled over {counts}. From below: {details}."
        if len(self.words) > 1:
            text += " The encoder's last state is where the decoder begins"
            attends = ", and every step of the decoder attends to all states of the encoder."
            text += "." if self.alignment is None else attends
        return text


def _places(
    rows: Sequence[Box],
    words: Mapping[str, Sequence[str]],
    width: float,
    highest: float = inf,
    *,
    fills: bool = False,
) -> Places:
    """Return rows from below, with room for the words of each stack, closer if they would be too high."""
    room = width - EDGE - (NAMES if width >= ROOMY else NARROW_NAMES)
    n = max(FEWEST, *(min(len(these), MOST) for these in words.values()))
    beside = 0.0  # distance from the middle of the first column to the lane
    for _ in range(3):  # the room for the lane depends on the columns
        column = min(room / n, (room - beside - AROUND) / (n - 0.5))
        below = {stack: WordRow(these[:MOST], column, TYPE) for stack, these in words.items()}
        across = max(NARROWEST_CELL, min(WIDEST_CELL, column * 0.62))
        if "decoder" in below:
            beside = max(across / 2, below["decoder"].reach) + AROUND
    fixed = sum(one.height for one in below.values()) + 12
    closer = max(min(1.0, (highest - fixed) / (ROW * len(rows))), LOWEST_IN_FRAME if fills else LOWEST)
    height = fixed + (ROW * (len(rows) - 1) + CELL) * closer
    middles: dict[str, float] = {}
    under: dict[str, float] = {}
    y = height - 4
    for row in rows:
        if row.stack not in under and row.kind != "vector":
            y -= below[row.stack].height
            under[row.stack] = y
        middles[row.name] = y - CELL * closer / 2
        y -= ROW * closer
    first = width - EDGE - (n - 0.5) * column
    return Places(height, first, column, (across, CELL * closer), middles, below, under, first - beside)


def _draw_row(
    pen: Pen, places: Places, row: Box, steps: Iterable[int], framed: Collection[int], *, has_shape: bool
) -> None:
    """Draw the boxes of the steps, `framed` if chosen, and write their title and shape at the left."""
    theme = pen.theme
    colours = {"state": theme.recurrence, "vector": theme.recurrence, "context": theme.attention}
    plain_outline = colours.get(row.kind, theme.ink)
    fill = theme.sequential[1][1] if row.kind == "context" else theme.paper
    said = f"<b>{label(row.title, longest=40)}</b><br>{literal(row.shape)}"
    for at in steps:
        frame = places.frame(row.name, at)
        outline, width = (theme.selection, CHOSEN) if at in framed else (plain_outline, 2)
        pen.box(frame, outline, fill=fill, width=width)
        pen.add_hit_area(frame, row.name, said)
    y, size = places.rows[row.name], TYPE if pen.width >= ROOMY else SHAPE
    pen.write(label(row.title, longest=12), 4, y - 7.5 * has_shape, size=size, xanchor="left")
    if has_shape:
        pen.write(literal(row.shape), 4, y + 8, size=SHAPE, colour=theme.muted, xanchor="left")


def _draw_arrow(pen: Pen, places: Places, start: Step, end: Step, rows: Mapping[str, Box]) -> None:
    """Draw an arrow up within a column, along a row, or over to where the decoder begins."""
    source, target = places.frame(*start), places.frame(*end)
    colour = pen.theme.recurrence
    if start[0] == end[0]:
        pen.arrow([(source.right, source.y), (target.left, target.y)], colour)
    elif rows[end[0]].kind == "vector":
        pen.arrow([(source.x, source.top), (source.x, target.y), (target.right, target.y)], colour)
    elif rows[start[0]].kind == "vector":
        x = places.lane
        pen.arrow([(source.left, source.y), (x, source.y), (x, target.y), (target.left, target.y)], colour)
    elif abs(source.y - target.y) > 1.6 * ROW / CELL * source.height:
        x = source.right + min(AROUND, (places.column - source.width) / 2)
        foot, y = source.x + source.width / 3, source.top - AROUND
        way = [(foot, source.top), (foot, y), (x, y), (x, target.y), (target.right, target.y)]
        pen.arrow(way, pen.theme.ink)
    else:
        pen.arrow([(source.x, source.top), (target.x, target.bottom)], pen.theme.ink)


def _draw_weight(pen: Pen, places: Places, start: Step, end: Step, weight: float, stack: str) -> None:
    """Draw a state's weight in the context as a line of proportional width, free of words and boxes.

    It goes up left of the column of the context. Slanted words leave no lane: there it is straight, over
    boxes, and broken at the words.
    """
    if weight < UNSEEN:
        return
    source, target, words = places.frame(*start), places.frame(*end), places.words[stack]
    width = round(max(0.5, THICKEST * min(weight, 1.0)) * 2) / 2
    pieces: Iterable[Sequence[Point]]
    if words.is_slanted:
        written = [
            frame for at, row in places.words.items() for frame in row.frames(places.first, places.under[at])
        ]
        pieces = outside((source.x, source.top), (target.x, target.bottom), written, width / 2 + 1)
    else:
        lane, below = target.x - places.column / 2, places.under[stack] + words.height
        pieces = [((source.x, source.top), (lane, below), (lane, target.y), (target.left, target.y))]
    for piece in pieces:
        pen.line(piece, pen.theme.attention, width=width)
