"""Positions of a matrix, its words and its neighbours in a figure, in pixels from the top left corner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import asin, ceil, cos, degrees, floor, inf, radians, sin

from viz.parts.canvas import Box
from viz.text import em_width, shortened

QUERY_TITLE = "query: attends ↓"
WRITER_TITLE = "query: writes ↓"
"""The title above the queries of cross-attention, which are the words that they write."""

KEY_TITLE = "key: attended to →"
TITLE_SIZE = 15
ANGLE = 60
"""Degrees by which keys are slanted, or more where they would stand on each other."""

LARGEST_CELL, SMALLEST_WHOLE_CELL = 64, 4
LEAST_TYPE, SMALLEST_TYPE, LARGEST_TYPE = 12, 14, 20
"""Type sizes of the words in pixels; the least is for those that would have to be left out otherwise."""

PADDING = 4
"""Room around a matrix for the frame of a chosen cell."""

BETWEEN = 44
"""Pixels from one matrix to the next: room for the sign between them."""

SHORTEST_CELL = 16
"""Cells are not made smaller than this for the height of the window: one scrolls rather. They can still be
hit, and leave a long word above them the height that it takes slanted."""

SMALLEST_PANEL, LEGIBLE_CELL = 150, 28
"""A panel smaller than this is worth a second row, unless its cells are large enough for digits."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Equal matrices of square cells in rows of `columns`, with room for their words.

    `query_widths` and `key_widths` are the widths of the words in em; `head` pixels are kept free at
    the top of the figure, `caption` above each matrix and `foot` below it, `between` from one matrix to the
    next, `beside` after the last; the figure is at least `least` pixels wide. `fit` keeps its cells within
    `tallest` pixels from the top of the figure, if that leaves them legible.
    """

    query_widths: tuple[float, ...]
    key_widths: tuple[float, ...]
    cell: float = LARGEST_CELL
    panels: int = 1
    columns: int = 1
    head: float = 0
    caption: float = 0
    foot: float = 0
    least: float = 0
    between: float = BETWEEN
    beside: float = 0
    tallest: float = inf

    @property
    def n_queries(self) -> int:
        return len(self.query_widths)

    @property
    def n_keys(self) -> int:
        return len(self.key_widths)

    @property
    def type_size(self) -> int:
        """Size of the words: it grows with the cells, within what reads well and does not touch."""
        usual = round(min(max(0.45 * self.cell, SMALLEST_TYPE), LARGEST_TYPE))
        return usual if self.step > 1 else min(usual, floor(self.cell))

    @property
    def step(self) -> int:
        """Every how many words one is written: 1 while all of them fit."""
        return 1 if self.cell >= LEAST_TYPE else ceil(SMALLEST_TYPE / self.cell)

    @property
    def key_type(self) -> int:
        """Size of the keys: slanted, their lines are closer to each other than their columns."""
        apart = floor(self.cell * sin(radians(ANGLE)))
        return self.type_size if self.step > 1 else min(self.type_size, max(apart, LEAST_TYPE))

    @property
    def angle(self) -> float:
        """Degrees by which the keys are slanted: where columns are narrow, so that no two lines touch."""
        return max(ANGLE, degrees(asin(min(1.0, self.key_type / (self.step * self.cell)))))

    @property
    def left(self) -> int:
        """Room beside the first matrix for the longest query and for the title above the queries."""
        words = max(self.query_widths) * self.type_size
        return ceil(max(words, em_width(QUERY_TITLE) * TITLE_SIZE)) + PADDING + 10

    @property
    def above(self) -> int:
        """Room above a matrix for the slanted keys and the title above them."""
        slanted = max(self.key_widths) * sin(radians(self.angle)) + cos(radians(self.angle))
        return ceil(slanted * self.key_type + 1.8 * TITLE_SIZE) + PADDING + 6

    @property
    def right(self) -> int:
        """Room for what a slanted key reaches beyond the right edge of the last matrix."""
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
        return self.head + ceil(self.panels / self.columns) * self._row

    @property
    def _row(self) -> float:
        return self.caption + self.above + self.n_queries * self.cell + self.foot

    def box(self, panel: int = 0) -> Box:
        """The matrix of a panel, without the room around it."""
        row, column = divmod(panel, self.columns)
        width, height = self.n_keys * self.cell, self.n_queries * self.cell
        top = self.head + row * self._row + self.caption + self.above
        return Box(self.left + column * (width + self.between), top, width, height)

    def is_first(self, panel: int) -> bool:
        """Whether a panel begins a row, and so has the queries beside it."""
        return panel % self.columns == 0


def fit(grid: Grid, *, size: int, smallest: int = SMALLEST_PANEL) -> Grid:
    """`grid` with the largest cells that keep the figure within `size` pixels of width.

    Panels stand in as few rows as keep them readable: larger than `smallest` pixels, or with cells large
    enough for digits.
    """
    for rows in range(1, grid.panels + 1):
        fitted = _widest(replace(grid, columns=ceil(grid.panels / rows)), size)
        if fitted.cell >= LEGIBLE_CELL or fitted.box().width >= smallest:
            break
    return _shortened(fitted)


def _shortened(grid: Grid) -> Grid:
    """`grid` with cells so small that all are within its height, or as small as they may be for that."""
    cell = grid.cell
    while cell > SHORTEST_CELL and replace(grid, cell=cell).height > grid.tallest:
        cell -= 1
    return replace(grid, cell=cell)


def whole_pixels(cell: float) -> float:
    """A cell cut to whole pixels, so that all look alike; a small one keeps its fraction."""
    return floor(cell) if cell >= SMALLEST_WHOLE_CELL else cell


def _widest(grid: Grid, size: int) -> Grid:
    """Whole pixels while they last, so that all cells look alike; a fraction where there are very many."""
    largest = min(LARGEST_CELL, size // (grid.columns * grid.n_keys))
    for cell in range(largest, SMALLEST_WHOLE_CELL - 1, -1):
        if replace(grid, cell=cell).width <= size:
            return replace(grid, cell=cell)
    least = replace(grid, cell=0.5)
    fitted = replace(least, cell=max(0.5, 0.5 + (size - least.width) / (grid.columns * grid.n_keys)))
    while fitted.width > size and fitted.cell > least.cell:  # keys stand steeper or less steep than before
        fitted = replace(fitted, cell=max(least.cell, 0.99 * fitted.cell))
    return fitted


def word_widths(words: Sequence[str]) -> tuple[float, ...]:
    """The widths in em of words as they are written beside a matrix."""
    return tuple(em_width(shortened(word)) for word in words)
