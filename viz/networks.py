"""Networks over a sentence as boxes and arrows: one path highlighted, the rest grey."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from math import floor, inf
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import Pen
from viz.layout.word_row import SIN, WordRow
from viz.picture import Picture
from viz.room import Room
from viz.tables import word_label
from viz.text import literal, unique_words
from viz.theme import Role
from words import counted

Node = tuple[int, int]
"""A box by its row, 0 for word vectors at the bottom, and its column."""

Edge = tuple[Node, Node]

Ends = tuple[int, int]
"""The word where a path starts, and the word whose state it ends in."""

Counts = NDArray[np.integer]

MOST_WITH_ARROWHEADS, MOST_WITH_ALL_ARROWS = 8, 16
"""Greatest numbers of words with arrowheads on all-to-all arrows, and with all arrows drawn."""

LIT, UNLIT = 3, 1
LIT_HEAD, UNLIT_HEAD, SMALLEST_HEAD = 11, 6, 4
FAINT, FAINTER = 0.45, 0.25
"""Opacity of parts without highlight, and of plain lines, which are close; visible on a projector."""

FEWEST_COLUMNS = 5
"""Least number of words that fill the width: fewer would make boxes into bars."""

SIDE, TOP, COUNT_LINE = 12, 6, 26
"""Room on either side, above the boxes, and above them for a count."""

LARGEST_ROW, SMALLEST_ROW, LESS_PER_LAYER = 116, 72, 16
LOWEST_ROW, HIGHEST_ROW = 44, 170
"""Distance of rows in a low frame, and in a frame to fill."""

BOX = 44
"""Height of a box; half of the distance of rows if these are lower."""

NARROW_SHARE, WIDE_SHARE, NUMBER_ROOM = 0.66, 0.86, 22
"""Share of a box in its column, and the largest share if its number needs the room."""

LARGEST_NUMBER, SMALLEST_NUMBER, DIGIT = 22, 12, 0.56
LARGEST_WORD, SMALLEST_WORD, CLOSE = 17, 12, 0.75
"""Largest and smallest type of words, and share of a line in the distance of two slanted lines."""

CLEAR = 7
"""Distance below the box at an arrow's end: the head of a flat arrow must not touch it."""

LEAN = 0.8
"""Greatest distance of an arrow's end from the middle of a box's lower edge; 1 is its corner."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Network(Picture):
    """A network over the words, with `counts`, (row, word), in its boxes; negative counts stay blank.

    `ends` are the two chosen words, if any, and `path` the nodes to highlight, empty without a path. A click
    on a box reports its row and column as customdata.
    """

    words: Sequence[str]
    counts: Counts
    ends: Ends | None
    path: Sequence[Node]

    name: ClassVar[str]
    role: ClassVar[Role]

    @abstractmethod
    def edges(self) -> list[Edge]:
        """Return the arrows."""

    @property
    def has_heads(self) -> bool:
        """Whether arrows that are not highlighted have heads."""
        return True

    def draw(self, room: Room) -> Figure:
        n_rows = len(self.counts)
        is_crowded = _places(self.words, n_rows, room.width).is_crowded
        pen = Pen.in_room(
            room,
            lambda width: _places(self.words, n_rows, width).height,
            fits=lambda width: _places(self.words, n_rows, width).is_crowded == is_crowded,
        )
        places = _places(self.words, n_rows, pen.width, room.tallest / pen.times, fills=room.fills)
        pen.height = places.height
        colour, lit = room.theme.colour(self.role), list(pairwise(self.path))
        covered = {*lit, *((end, start) for start, end in lit)}
        has_heads = self.has_heads and not places.is_crowded
        faint = {"width": UNLIT, "opacity": FAINT if has_heads else FAINTER}
        unlit = [edge for edge in self.edges() if edge not in covered]
        ways, heads = places.arrows(unlit, UNLIT_HEAD if has_heads else 0)
        pen.line(ways, room.theme.muted, head=heads, **faint)
        ways, heads = places.arrows(lit, LIT_HEAD)
        pen.line(ways, colour, head=heads, width=LIT)
        self._draw_boxes(pen, places, colour)
        first, second = self.ends or (0, len(self.words) - 1)
        places.words.write(
            pen,
            places.middle,
            places.height - places.words.height,
            places=places.written(first, second),
            colours=dict.fromkeys(self.ends or (), colour),
        )
        return pen.finished()

    def _draw_boxes(self, pen: Pen, places: "_Places", lit: str) -> None:
        """Draw outlines with their counts, or strips of colour if those would touch."""
        names, path = [literal(name) for name in unique_words(self.words)], set(self.path)
        for node in product(range(len(self.counts)), range(len(names))):
            frame, is_lit, count = places.frame(node), node in path, int(self.counts[node])
            colour = lit if is_lit else pen.theme.muted
            if places.is_crowded:
                pen.fill(frame, colour, opacity=1 if is_lit else FAINT)
            else:
                pen.box(frame, colour, width=LIT if is_lit else UNLIT)
                text = "" if count < 0 else f"<b>{count}</b>" if is_lit else str(count)
                pen.number(text, frame.x, frame.y, size=places.number_size, colour=colour)
            pen.add_hit_area(frame, node, _hover(names[node[1]], node[0], count))
        if places.is_crowded and path:
            end = self.path[-1]
            frame, anchor = places.frame(end), "right" if end[1] >= len(self.words) / 2 else "left"
            x, look = getattr(frame, anchor), {"xanchor": anchor, "yanchor": "bottom"}
            pen.write(f"<b>{self.counts[end]}</b>", x, frame.top, size=LARGEST_WORD, colour=lit, **look)

    def alt(self) -> str:
        names, counts = unique_words(self.words), self.counts[-1]
        if self.ends is None:
            fewest, most = int(counts.min()), int(counts.max())
            each = str(most) if fewest == most else f"{fewest} to {most}"
            operations = f"operation{'s' * (most != 1)}"
            details = f"A state of layer {len(self.counts) - 1} takes {each} serial {operations}."
        else:
            source, target = (names[end] for end in self.ends)
            details = f"From {source} to {target} it takes {counted(len(self.path) - 1, 'operation')}."
            if not self.path:
                details = f"No path leads from {source} to {target}."
        return f"{self.name} over {counted(len(names), 'word')}. {details}"

    def table(self) -> pd.DataFrame:
        """Return the counts, a row for each layer; a blank one is missing."""
        rows = ["word vector", *(f"layer {row}" for row in range(1, len(self.counts)))]
        index = pd.Index(rows, name="state in")
        table = pd.DataFrame(self.counts, index=index, columns=unique_words(self.words))
        return table.mask(table < 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class RecurrentNetwork(Network):
    """A recurrent network unrolled over the words.

    Each state feeds the next word's state, or the previous one if that has the larger count: away from a
    source on both its sides, like two networks reading in opposite directions.
    """

    name: ClassVar[str] = "Recurrent network"
    role: ClassVar[Role] = "recurrence"

    def edges(self) -> list[Edge]:
        counts = self.counts
        n_rows, n = counts.shape
        upwards = [((row - 1, at), (row, at)) for row in range(1, n_rows) for at in range(n)]
        along = [((row, at), (row, at + 1)) for row in range(1, n_rows) for at in range(n - 1)]
        return [*upwards, *((a, b) if counts[a] <= counts[b] else (b, a) for a, b in along)]


@dataclass(frozen=True, kw_only=True, eq=False)
class AttentionNetwork(Network):
    """Layers of self-attention over the words, in the geometry of a recurrent network.

    Every word attends to every word, or to those of `allowed`, (query, key). If there are many words, only
    the arrows of two are drawn, of `ends` or the first and the last: queries of the one, and keys of the
    other.
    """

    allowed: NDArray[np.bool_] | None = None

    name: ClassVar[str] = "Self-attention"
    role: ClassVar[Role] = "attention"

    def edges(self) -> list[Edge]:
        n_rows, n = self.counts.shape
        source, target = self.ends or (0, n - 1)
        pairs = [
            (key, query)
            for key, query in product(range(n), repeat=2)
            if (self.allowed is None or self.allowed[query, key])
            and (n <= MOST_WITH_ALL_ARROWS or key == source or query == target)
        ]
        return [((row - 1, key), (row, query)) for row in range(1, n_rows) for key, query in pairs]

    @property
    def has_heads(self) -> bool:
        return len(self.words) <= MOST_WITH_ARROWHEADS


def meaning_of_counts(words: Sequence[str], ends: Ends | None) -> str:
    """Return the meaning of the numbers in the boxes, for a title."""
    if ends is None:
        return "Serial operations before each state"
    source, target = (word_label(words, end) for end in ends)
    return f"Operations between {source} and the state of {target}"


def _hover(name: str, row: int, count: int) -> str:
    what = f"state of {name} in layer {row}" if row else f"vector of {name}"
    return f"{what}: {counted(count, 'operation') if count >= 0 else 'not reached'}"


@dataclass(frozen=True)
class _Places:
    """A box for each word in each of `n_rows` rows, as wide and as high as its number and its row allow.

    `middle` is the middle of the first column, and `row` the distance of two rows.
    """

    words: WordRow
    middle: float
    n_rows: int
    row: float

    @cached_property
    def width(self) -> float:
        """Width of a box: a larger share of its column if there are many, for the numbers."""
        column = self.words.column
        return column * min(max(NARROW_SHARE, NUMBER_ROOM / column), WIDE_SHARE)

    @cached_property
    def number_size(self) -> int:
        """Type size at which the longest possible count fits its box; 0 if it would be too small."""
        digits = len(str(len(self.words.words) + self.n_rows - 2))
        size = min(LARGEST_NUMBER, (self.width - LIT) / (digits * DIGIT), self.box - 2 * LIT)
        return int(size) if size >= SMALLEST_NUMBER else 0

    @property
    def is_crowded(self) -> bool:
        """Whether boxes are too narrow for numbers."""
        return not self.number_size

    @cached_property
    def box(self) -> float:
        """Height of a box."""
        return min(BOX, self.row / 2)

    @property
    def around(self) -> float:
        """Height of all parts that do not grow with the distance of rows."""
        return (COUNT_LINE if self.is_crowded else TOP) + self.box + LIT + self.words.height

    @property
    def height(self) -> float:
        return self.around + self.row * (self.n_rows - 1)

    @cached_property
    def lowest(self) -> float:
        """Middle of the lowest row."""
        return self.height - self.words.height - (LIT + self.box) / 2

    def frame(self, node: Node) -> RotatedRect:
        """Return the box at a row and a column."""
        row, column = node
        x, y = self.middle + column * self.words.column, self.lowest - row * self.row
        return RotatedRect(x, y, self.width, self.box)

    def arrows(self, edges: Sequence[Edge], head: float) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Return the ends of arrows, (edge, end, x or y), and the sizes of their heads, up to a `head`.

        Within a row they run from side to side, else from edge to edge, where they arrive further to the left
        the further left they come from.
        """
        rows, columns = np.moveaxis(np.array(edges, dtype=float).reshape(-1, 2, 2), -1, 0)
        ahead, is_level = np.diff(columns), np.diff(rows) == 0
        sideways = np.sign(ahead) * self.width / 2 * (1, -1)
        leaning = ahead / max(1, len(self.words.words) - 1) * LEAN * self.width / 2 * (0, -1)
        x = self.middle + columns * self.words.column + np.where(is_level, sideways, leaning)
        y = self.lowest - rows * self.row + np.where(is_level, 0, (-self.box / 2, self.box / 2 + CLEAR))
        between = self.words.column - self.width
        level = min(head, between) if between >= SMALLEST_HEAD else 0.0
        return np.stack([x, y], axis=-1), np.where(is_level[:, 0], level, head)

    def written(self, first: int, second: int) -> list[int]:
        """Return the words with room: the first chosen one, then the second, then every n-th."""
        step, kept = self.words.step, [first]
        for at in (second, *range(0, len(self.words.words), step)):
            if all(abs(at - other) >= step for other in kept):
                kept.append(at)
        return sorted(kept)


def _places(
    words: Sequence[str], n_rows: int, width: float, highest: float = inf, *, fills: bool = False
) -> _Places:
    """Fit a network with one row for the vectors of words and one for each layer."""
    n, reach = max(len(words), FEWEST_COLUMNS), 0.0
    first = (n - len(words) + 1) / 2
    for _ in range(3):  # slanted words take room on the left, and are smaller in narrower columns
        column = min((width - 2 * SIDE) / n, (width - SIDE - reach) / (n - first))
        size = max(SMALLEST_WORD, min(LARGEST_WORD, floor(CLOSE * column * SIN)))
        below = WordRow(words, column, size)
        reach = below.reach
    middle = width - SIDE - (n - first) * column
    usual = max(LARGEST_ROW - LESS_PER_LAYER * (n_rows - 2), SMALLEST_ROW)
    places = _Places(below, middle, n_rows, usual)
    each = (highest - places.around) / (n_rows - 1)
    return replace(places, row=max(LOWEST_ROW, min(HIGHEST_ROW if fills else usual, each)))
