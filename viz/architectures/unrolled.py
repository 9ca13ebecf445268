"""A recurrent model unrolled over its words: a box for every step, the encoder below the decoder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
import pandas as pd

from viz.architectures.layout import Box
from viz.architectures.model import CHOSEN, SHAPE
from viz.architectures.pen import HEAD, SMALLEST_HEAD, Frame, Pen
from viz.layout.figure import Figure
from viz.layout.filling import magnification, tallest
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, literal, plain, shortened
from words import counted

Step = tuple[str, int]

MOST = 16
"""Greatest number of words of a sentence that are drawn."""

ROW, CELL, WIDEST_CELL, NARROWEST_CELL = 56, 30, 52, 12
"""The distance of two rows, the height of a box, and its width at most and at least."""

LOWEST, LOWEST_IN_FRAME = 0.75, 0.62
"""How much closer rows stand in a low window, which can be scrolled, and in a frame, which cannot."""

NAMES, NARROW_NAMES, ROOMY = 132, 100, 520
"""Room at the left for the names of rows, and in a figure narrower than the last number."""

WORD, ROW_NAME, ANGLE, LINE = 14, 14, 60, 1.3
"""Sizes of type, the degrees by which words are turned, and how high a line of them is, in em."""

AROUND = 7
"""From a box to an arrow that goes round it."""

EDGE, FEWEST = 8, 4
"""What stays free at the right, and how many columns at least share the width."""

THICKEST = 6.0
"""Width of the line of a weight of 1."""

UNSEEN = 0.02
"""A weight below this has no line."""


@dataclass(frozen=True)
class Places:
    """Positions of the boxes: the middle of every row, of every column, and the sizes of all."""

    width: float
    height: float
    left: float
    column: float
    rows: Mapping[str, float]
    words: Mapping[str, float]
    cell: float
    lane: float
    """Where the fixed vector goes up, left of all words of the decoder."""

    def frame(self, row: str, at: int) -> Frame:
        """The box of a step."""
        across = max(NARROWEST_CELL, min(WIDEST_CELL, self.column * 0.62))
        return Frame(self.left + (at + 0.5) * self.column, self.rows[row], across, self.cell)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnrolledNetwork(Picture):
    """The model of a `name` over its words: rows from below upwards, `words` under the lowest of each stack.

    `rows` are boxes whose `kind` is "words", "state", "vector", "context" or "output". `arrows` lead from
    step to step. Of the `alignment`, (target, source), the weights of one `step` are drawn, as thick as they
    are large. A click on a box reports the name of its row as customdata.
    """

    name: str
    rows: Sequence[Box]
    words: Mapping[str, Sequence[str]]
    arrows: Sequence[tuple[Step, Step]]
    behind: Callable[[], pd.DataFrame] = field(compare=False)
    alignment: np.ndarray | None = None
    step: int = 0
    chosen: str = ""

    def draw(self, room: Room) -> Figure:
        times = magnification(room, lambda width: _places(self.rows, self.words, width).height)
        width = room.width / times
        places = _places(self.rows, self.words, width, tallest(room) / times, fills=room.fills)
        head = min(HEAD, max(SMALLEST_HEAD, places.column - places.frame(self.rows[0].name, 0).width - 2))
        pen = Pen(room.theme, width, places.height, times, head)
        drawn = {stack: min(len(these), MOST) for stack, these in self.words.items()}
        sizes = {row.name: 1 if row.kind == "vector" else drawn[row.stack] for row in self.rows}
        for row in self.rows:
            is_chosen = row.name == self.chosen and not room.is_printed
            _draw_row(pen, places, row, sizes[row.name], is_chosen=is_chosen)
        for stack, these in self.words.items():
            _write_words(pen, places, these, places.words[stack])
        self._draw_arrows(pen, places, sizes)
        return pen.finished()

    def _draw_arrows(self, pen: Pen, places: Places, sizes: Mapping[str, int]) -> None:
        known = {row.name: row for row in self.rows}
        obstacles = [places.frame(name, at) for name, n in sizes.items() for at in range(n)]
        for stack, these in self.words.items():
            obstacles += _frames_of_words(places, these, places.words[stack])
        for (start, at), (end, to) in self.arrows:
            if to >= sizes[end] or (at >= sizes[start] and known[end].kind != "vector"):
                continue
            if known[end].kind != "context" or known[start].stack == known[end].stack:
                first = min(at, sizes[start] - 1)  # of a sentence that is cut off the last state is not drawn
                _draw_arrow(pen, places, (start, first), (end, to), known)
            elif self.alignment is not None and to == self.step:
                weight = float(abs(self.alignment[to, at]))
                _draw_weight(pen, places, (start, at), (end, to), weight, obstacles)

    def alt(self) -> str:
        """Describe the rows from below, and by which way the second sentence knows of the first."""
        told = "; ".join(f"{plain(row.title)} ({row.shape})" for row in self.rows)
        counts = ", ".join(counted(len(these), "word") for these in self.words.values())
        text = f"{plain(self.name)}, unrolled over {counts}. From below: {told}."
        if len(self.words) > 1:
            text += " The encoder's last state is where the decoder begins"
            attends = ", and every step of the decoder attends to all states of the encoder."
            text += "." if self.alignment is None else attends
        return text

    def table(self) -> pd.DataFrame:
        return self.behind()


def _places(
    rows: Sequence[Box],
    words: Mapping[str, Sequence[str]],
    width: float,
    highest: float = inf,
    *,
    fills: bool = False,
) -> Places:
    """Rows from below, with room for the words of each stack, closer if they would be too high."""
    left: float = NAMES if width >= ROOMY else NARROW_NAMES
    n = max(min(len(these), MOST) for these in words.values())
    reach = _reach(words.get("decoder", ()), (width - left - EDGE) / max(n, FEWEST))
    left += reach
    column = (width - left - EDGE) / max(n, FEWEST)
    across = max(NARROWEST_CELL, min(WIDEST_CELL, column * 0.62))
    lane = left + column / 2 - max(across / 2 + AROUND, column / 2 + reach - AROUND)
    rooms = {stack: _room_for_words(these, column) for stack, these in words.items()}
    fixed = sum(rooms.values()) + 12
    closer = (highest - fixed) / (ROW * (len(rows) - 1) + CELL + ROW - CELL)
    closer = max(min(1.0, closer), LOWEST_IN_FRAME if fills else LOWEST)
    middles: dict[str, float] = {}
    under: dict[str, float] = {}
    y = 0.0  # upwards from the bottom: below 0
    for row in rows:
        if row.stack not in under and row.kind != "vector":
            y -= rooms[row.stack]
            under[row.stack] = y
        middles[row.name] = y - CELL * closer / 2
        y -= ROW * closer
    height = -y - (ROW - CELL) * closer + 12
    bottom = height - 4
    from_top = {name: bottom + at for name, at in middles.items()}
    below = {stack: bottom + at for stack, at in under.items()}
    return Places(width, height, left, column, from_top, below, CELL * closer, lane)


def _room_for_words(words: Sequence[str], column: float) -> float:
    longest = max(em_width(shortened(word)) for word in words[:MOST]) * WORD
    return 24.0 if longest <= column - 4 else longest * np.sin(np.radians(ANGLE)) + WORD + 4


def _reach(words: Sequence[str], column: float) -> float:
    """Return how far the first of slanted words and an arrow beside it reach beyond their column."""
    if not words or max(em_width(shortened(word)) for word in words[:MOST]) * WORD <= column - 4:
        return 0.0
    lean = np.radians(ANGLE)
    taken = em_width(shortened(words[0])) * WORD * np.cos(lean) + LINE * WORD * np.sin(lean)
    return float(max(0.0, taken - 5 + 2 * AROUND - column / 2))


def _are_level(places: Places, words: Sequence[str]) -> bool:
    """Whether words have room side by side."""
    return max(em_width(shortened(word)) for word in words[:MOST]) * WORD <= places.column - 4


def _write_words(pen: Pen, places: Places, words: Sequence[str], top: float) -> None:
    is_level = _are_level(places, words)
    look: dict[str, Any] = {} if is_level else {"xanchor": "right", "textangle": -ANGLE}
    for at, word in enumerate(words[:MOST]):
        x = places.left + (at + 0.5) * places.column + (0 if is_level else 5)
        pen.write(label(word), x, top + 4, size=WORD, yanchor="top", **look)


def _frames_of_words(places: Places, words: Sequence[str], top: float) -> Iterator[Frame]:
    """Yield the rectangles in which words are written: turned, their right and upper ends are as written."""
    is_level, height, lean = _are_level(places, words), LINE * WORD, np.radians(ANGLE)
    for at, word in enumerate(words[:MOST]):
        length, x = em_width(shortened(word)) * WORD, places.left + (at + 0.5) * places.column
        if is_level:
            yield Frame(x, top + 4 + height / 2, length, height)
            continue
        left = (length * np.cos(lean) + height * np.sin(lean)) / 2 - 5
        down = (length * np.sin(lean) + height * np.cos(lean)) / 2
        yield Frame(x - left, top + 4 + down, length, height, turned=-ANGLE)


def _draw_row(pen: Pen, places: Places, row: Box, n: int, *, is_chosen: bool) -> None:
    """The boxes of `n` steps, and what they are."""
    theme = pen.theme
    colours = {"state": theme.recurrence, "vector": theme.recurrence, "context": theme.attention}
    outline, width = (theme.selection, CHOSEN) if is_chosen else (colours.get(row.kind, theme.ink), 2)
    fill = theme.sequential[1][1] if row.kind == "context" else theme.paper
    said = f"<b>{label(row.title, longest=40)}</b><br>{literal(row.shape)}"
    for at in range(n):
        frame = places.frame(row.name, at)
        pen.box(frame, outline, fill=fill, width=width)
        pen.answer(frame, row.name, said)
    _name_row(pen, places, row)


def _name_row(pen: Pen, places: Places, row: Box) -> None:
    """Write a row's title and shape at the left of the figure."""
    first = places.frame(row.name, 0)
    size = ROW_NAME if places.left >= NAMES else SHAPE
    pen.write(label(row.title, longest=12), 4, first.y - 7.5, size=size, xanchor="left")
    pen.write(literal(row.shape), 4, first.y + 8, size=SHAPE, colour=pen.theme.muted, xanchor="left")


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
    elif abs(source.y - target.y) > 1.6 * ROW / CELL * places.cell:
        x = source.right + min(AROUND, (places.column - source.width) / 2)
        foot, y = source.x + source.width / 3, source.top - AROUND
        way = [(foot, source.top), (foot, y), (x, y), (x, target.y), (target.right, target.y)]
        pen.arrow(way, pen.theme.ink)
    else:
        pen.arrow([(source.x, source.top), (target.x, target.bottom)], pen.theme.ink)


def _draw_weight(
    pen: Pen, places: Places, start: Step, end: Step, weight: float, obstacles: Sequence[Frame]
) -> None:
    """How much of a state goes into the context: a line as thick as the weight is large, behind all boxes."""
    if weight < UNSEEN:
        return
    source, target = places.frame(*start), places.frame(*end)
    width = round(max(0.5, THICKEST * min(weight, 1.0)) * 2) / 2
    ends = (source.x, source.top), (target.x, target.bottom)
    pen.line_behind(*ends, obstacles, pen.theme.attention, width=width)
