"""Positions of matrices and their words in a figure, in pixels from the top left corner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import asin, ceil, cos, degrees, floor, radians, sin

import numpy as np

from viz.layout.canvas import Rect
from viz.layout.figure import Axis
from viz.layout.rows import name_axis, word_ticks
from viz.room import LEAST_TYPE, Room
from viz.text import em_width, shortened

QUERY_TITLE, KEY_TITLE = "query: attends ↓", "key: attended to →"
DECODER_TITLE, ENCODER_TITLE = "query: decoder ↓", "key: encoder →"
"""Titles of the axes; in cross-attention the decoder asks the encoder."""

KEY_LINE = 27
"""Pixels above the keys for their title."""

TITLE_SIZE, SMALLEST_TYPE, LARGEST_TYPE, ANGLE = 15, 14, 20, 60
"""Type of titles, least and largest type of words, and least degrees by which keys are slanted."""

LARGEST_CELL, LARGEST_FILLING, SMALLEST_WHOLE_CELL = 64, 120, 4
"""Pixels of the largest cell on a page and in the large view, and of the smallest whole-pixel cell."""

DIGITS_ON_PAGE = 5 / 6
"""Least size of digits on a page, as a share of the least size of words: hovering shows smaller numbers."""

LEVEL, LEAST_LEVEL = 1.3, 0.7
"""Height of a line of horizontal keys in em, and their least size, in sizes of the queries."""

PADDING, BETWEEN, WITHOUT_SIGN = 4, 44, 28
"""Pixels around a matrix for a frame, and between matrices with a sign and without."""

SHORTEST_CELL = 16
"""Pixels below which cells of a page do not shrink for the height of the window: they can still be hit."""

FINE, LEAST_PRINTED = 0.25, 0.5
"""Step of cell sizes in a file in pixels, and the smallest there: it is magnified or drawn in vectors."""

SMALLEST_PANEL, LEGIBLE_CELL = 150, 28
"""Pixels of a panel below which a second row is better, and of a cell large enough for digits."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Equal matrices of square cells in rows of `columns`, with room for their words.

    `query_widths` and `key_widths` are the widths of the words in em. `head` pixels are kept free at the top
    of the figure, `caption` above each matrix and `foot` below it, or `feet` below the matrices of each row
    once these are known, `between` from one matrix to the next, and `beside` after the last; the figure is at
    least `least` pixels wide. The legend of a matrix is below it, or beside it if it `explains_beside`.
    Matrices narrower than `smallest` pixels or their `titles` are in more rows. No word is smaller than
    `smallest_type` pixels, no digit smaller than `smallest_digits`.
    """

    query_widths: tuple[float, ...]
    key_widths: tuple[float, ...]
    cell: float = LARGEST_CELL
    panels: int = 1
    columns: int = 1
    head: float = 0
    caption: float = 0
    foot: float = 0
    feet: tuple[float, ...] = ()
    least: float = 0
    between: float = BETWEEN
    beside: float = 0
    explains_beside: bool = False
    smallest: float = SMALLEST_PANEL
    titles: float = 0
    smallest_type: float = LEAST_TYPE
    smallest_digits: float = DIGITS_ON_PAGE * LEAST_TYPE

    @property
    def n_keys(self) -> int:
        return len(self.key_widths)

    @property
    def type_size(self) -> float:
        """Size of the words, which grows with the cells within readable limits, without overlaps."""
        usual = round(min(max(0.45 * self.cell, SMALLEST_TYPE), LARGEST_TYPE))
        return max(self.smallest_type, min(usual, floor(self.step * self.cell)))

    @property
    def step(self) -> int:
        """Step of the written words: 1 while all of them fit."""
        return ceil(self.smallest_type / self.cell)

    @property
    def key_type(self) -> float:
        """Size of the type of the keys.

        Slanted keys stand closer together than their columns, so their type may be smaller than the
        queries'. Horizontal keys shrink until they fit their columns.
        """
        if self.is_level:
            return self._level_type
        apart = floor(self.step * self.cell * sin(radians(ANGLE)))
        return min(self.type_size, max(apart, self.smallest_type))

    @property
    def is_level(self) -> bool:
        """Whether the keys are horizontal, because each has room above its column."""
        return self.step == 1 and self._level_type >= max(self.smallest_type, LEAST_LEVEL * self.type_size)

    @property
    def _level_type(self) -> float:
        return min(self.type_size, floor((self.cell - PADDING) / max(self.key_widths)))

    @property
    def angle(self) -> float:
        """Degrees by which the keys are slanted, more over narrow columns, so that no two lines touch."""
        if self.is_level:
            return 0
        return max(ANGLE, degrees(asin(min(1.0, self.key_type / (self.step * self.cell)))))

    @property
    def left(self) -> int:
        """Room beside the first matrix for the longest query and for the title above the queries."""
        words = max(self.query_widths) * self.type_size
        title = max(map(em_width, QUERY_TITLE.split(": "))) * TITLE_SIZE
        return ceil(max(words, title)) + PADDING + 10

    @property
    def above(self) -> int:
        """Room above a matrix of the first row for the keys and the title above them."""
        return self.above_later + KEY_LINE

    @property
    def above_later(self) -> int:
        """Room above a matrix of a later row, which has keys without a title."""
        if self.is_level:
            return ceil(LEVEL * self.key_type) + PADDING + 6
        slanted = max(self.key_widths) * sin(radians(self.angle)) + cos(radians(self.angle))
        return ceil(slanted * self.key_type) + PADDING + 6

    @property
    def right(self) -> int:
        """Room for the part of a slanted key beyond the right edge of the last matrix."""
        if self.is_level:
            return PADDING + 4
        slant = cos(radians(self.angle)) * self.key_type
        ends = [(at + 0.5) * self.cell + width * slant for at, width in enumerate(self.key_widths)]
        return ceil(max(0.0, max(ends) + self.key_type - self.n_keys * self.cell)) + PADDING + 4

    @property
    def width(self) -> float:
        matrices = self.columns * self.n_keys * self.cell + (self.columns - 1) * self.between
        title = em_width(KEY_TITLE) * TITLE_SIZE + 1
        return max(self.left + max(matrices + max(self.right, self.beside), title), self.least)

    @property
    def height(self) -> float:
        return self._top(ceil(self.panels / self.columns)) - self.above_later - self.caption

    def _top(self, row: int) -> float:
        """Return pixels from the top of the figure to a row's matrices, even for the row after the last."""
        later = self.caption + self.above_later
        matrices = row * len(self.query_widths) * self.cell
        feet = sum(self.feet[at] if at < len(self.feet) else self.foot for at in range(row))
        return self.head + later * (row + 1) + KEY_LINE + matrices + feet

    def box(self, panel: int = 0) -> Rect:
        """Return the matrix of a panel, without the room around it."""
        row, column = divmod(panel, self.columns)
        width, height = self.n_keys * self.cell, len(self.query_widths) * self.cell
        return Rect(self.left + column * (width + self.between), self._top(row), width, height)

    def is_first(self, panel: int) -> bool:
        """Return whether a panel begins a row, with the queries beside it."""
        return panel % self.columns == 0


def legible(grid: Grid, room: Room) -> Grid:
    """Return `grid` with words and digits as small as a room allows."""
    digits = room.smallest_label * (1 if room.is_printed or room.fills else DIGITS_ON_PAGE)
    return replace(grid, smallest_type=room.smallest_label, smallest_digits=digits)


def fit(grid: Grid, room: Room) -> Grid:
    """Return `grid` with the largest cells that keep the figure within the room.

    Panels are in as few rows as keep them readable: larger than their smallest, with cells large enough for
    digits, or for words in a column of a paper. In a room to be filled they are in as many rows as make them
    largest. A page scrolls before its cells become too low to click, and a large page before words are left
    out. A column of a paper becomes taller before words are left out; a slide leaves some out.
    """
    grid = legible(grid, room)
    rows = (ceil(grid.panels / n) for n in range(1, grid.panels + 1))
    arranged = [replace(grid, columns=columns) for columns in dict.fromkeys(rows)]
    if room.fills:
        return max(
            (_largest(one, room) for one in arranged),
            key=lambda one: (one.cell >= room.smallest_label, one.box().width >= grid.titles, one.cell),
        )
    least = room.smallest_label if room.is_printed else LEGIBLE_CELL
    for one in arranged:
        wide = _widest(one, room)
        is_large = wide.cell >= least or (wide.box().width >= grid.smallest and not room.is_printed)
        if is_large and wide.box().width >= grid.titles:
            break
    return _largest(one, room)


def _largest(grid: Grid, room: Room) -> Grid:
    """Return `grid` with cells as large as width and height allow, or at their least for the height.

    On a page the cells have to end within the height; the legend may need scrolling.
    """
    is_stacked, least = grid.columns < grid.panels, room.smallest_label
    if room.fills and room.is_printed:
        least = LEAST_PRINTED
    elif not room.fills and (is_stacked or not room.is_printed):
        least = SHORTEST_CELL
    fitted = _widest(grid, room)
    tallest = room.tallest if room.fills or room.is_printed else room.tallest + grid.foot
    while fitted.cell > least and fitted.height > tallest:
        step = FINE if room.is_printed else 1
        smaller = fitted.cell - step if fitted.cell > SMALLEST_WHOLE_CELL else 0.95 * fitted.cell
        fitted = replace(fitted, cell=max(smaller, least))
    return fitted


def _widest(grid: Grid, room: Room) -> Grid:
    """Return `grid` with whole pixels, so that all cells look alike on a screen; very many get fractions."""
    size, most = room.width, LARGEST_FILLING if room.fills else LARGEST_CELL
    largest, step = min(most, int(size // (grid.columns * grid.n_keys))), FINE if room.is_printed else 1
    for cell in np.arange(largest, SMALLEST_WHOLE_CELL - step, -step).tolist():
        if replace(grid, cell=cell).width <= size:
            return replace(grid, cell=cell)
    least = replace(grid, cell=0.5)
    fitted = replace(least, cell=max(0.5, 0.5 + (size - least.width) / (grid.columns * grid.n_keys)))
    while fitted.width > size and fitted.cell > least.cell:  # the slant of keys changes with their distance
        fitted = replace(fitted, cell=max(least.cell, 0.99 * fitted.cell))
    return fitted


def word_widths(words: Sequence[str]) -> tuple[float, ...]:
    """Return the widths in em of words as they are written beside a matrix."""
    return tuple(em_width(shortened(word)) for word in words)


def key_axis(words: Sequence[str], grid: Grid, *, selected: int | None, colour: str) -> Axis:
    """Return keys from left to right, their words above the matrix, slanted if they need it."""
    place = {"range": _edges(len(words), grid.cell), "side": "top", "tickangle": -grid.angle}
    return name_axis(grid.key_type) | word_ticks(words, grid.step, selected, colour) | place


def query_axis(words: Sequence[str], grid: Grid, *, selected: int | None, colour: str) -> Axis:
    """Return queries from top to bottom, their words beside the matrix."""
    place = {"range": _edges(len(words), grid.cell)[::-1]}
    return name_axis(grid.type_size) | word_ticks(words, grid.step, selected, colour) | place


def _edges(n: int, cell: float) -> tuple[float, float]:
    return -0.5 - PADDING / cell, n - 0.5 + PADDING / cell
