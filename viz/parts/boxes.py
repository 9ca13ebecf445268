"""Positions of the boxes and words of a network: the same for every network over the same sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, radians, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.parts.grid import word_widths

NARROWEST = 400
"""The width in pixels that must be enough; the figure takes what its container gives."""

FEWEST_COLUMNS = 5
"""Least number of words that fill the width: boxes of fewer would become bars."""

SIDE, TOP, COUNT_LINE, WORD_LINE = 12, 6, 26, 30
"""Pixels at either side, above the boxes, above them for a count, and below them for words that lie flat."""

LARGEST_ROW, SMALLEST_ROW, LESS_PER_LAYER = 116, 72, 16
BOX, BOX_IN_LOW_ROW, STRIP = 44, 32, 26
"""Heights of a box in pixels: usually, where rows are low, and where boxes are too narrow for numbers."""

NARROW_SHARE, WIDE_SHARE, NUMBER_ROOM = 0.66, 0.86, 22
"""A box takes the first share of its column, or up to the second where it needs the room for its number."""

LARGEST_NUMBER, SMALLEST_NUMBER, DIGIT, BORDER = 22, 11, 0.56, 3
LARGEST_WORD, SMALLEST_WORD, MOST_LARGE_WORDS = 17, 14, 16
LINE, ANGLE = 16, 60
"""The least distance in pixels between slanted words of the smallest type, and their angle."""


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """A box for each word in each of `n_rows` rows; row 0, at the bottom, holds the word vectors.

    In the coordinates of the figure a column is 1 wide and a row 1 high. Heights in pixels are exact, widths
    those of a figure that is `NARROWEST`. `widths` are those of the words' labels in em.
    """

    widths: tuple[float, ...]
    n_rows: int

    @property
    def n_words(self) -> int:
        return len(self.widths)

    @property
    def columns(self) -> tuple[float, float]:
        """The range from the left edge of all columns to the right, with empty columns around few words."""
        empty = max(0, FEWEST_COLUMNS - self.n_words) / 2
        return -0.5 - empty, self.n_words - 0.5 + empty

    @property
    def column(self) -> float:
        """Pixels from one word to the next."""
        first, last = self.columns
        return (NARROWEST - self.left - SIDE) / (last - first)

    @property
    def half_width(self) -> float:
        """Half a box, in columns: wider where there are many, as the numbers need the room."""
        return min(max(NARROW_SHARE, NUMBER_ROOM / self.column), WIDE_SHARE) / 2

    @property
    def row(self) -> int:
        """Pixels from one row to the next."""
        return max(LARGEST_ROW - LESS_PER_LAYER * (self.n_rows - 2), SMALLEST_ROW)

    @property
    def box_height(self) -> int:
        """Pixels of a box."""
        if self.is_crowded:
            return STRIP
        return BOX if self.row > SMALLEST_ROW else BOX_IN_LOW_ROW

    @property
    def half_height(self) -> float:
        """Half a box, in rows."""
        return self.box_height / self.row / 2

    @property
    def number_size(self) -> int:
        """Pixels of type at which the longest possible count fits its box; 0 where it would be too small."""
        digits = len(str(self.n_words + self.n_rows - 2))
        size = min(LARGEST_NUMBER, (2 * self.half_width * self.column - BORDER) / (digits * DIGIT))
        return int(size) if size >= SMALLEST_NUMBER else 0

    @property
    def is_crowded(self) -> bool:
        """Whether boxes are too narrow for numbers."""
        return not self.number_size

    @property
    def word_size(self) -> int:
        """Pixels of type of the words."""
        return LARGEST_WORD if self.n_words <= MOST_LARGE_WORDS else SMALLEST_WORD

    @property
    def is_slanted(self) -> bool:
        """Whether some word is wider than its column, so that all are slanted."""
        first, last = self.columns
        return max(self.widths) * self.word_size + 6 > (NARROWEST - 2 * SIDE) / (last - first)

    @property
    def left(self) -> int:
        """Room at the left: slanted words end under their boxes and so begin further left."""
        if not self.is_slanted:
            return SIDE
        first, last = self.columns
        reaches = [self.word_size * (width * cos(radians(ANGLE)) + 0.5) for width in self.widths]
        shares = [(at - first) / (last - first) for at in range(self.n_words)]
        # A word `share` of the way along fits if left + share · (NARROWEST − left − SIDE) ≥ its reach.
        needed = [
            (reach - share * (NARROWEST - SIDE)) / (1 - share)
            for reach, share in zip(reaches, shares, strict=True)
        ]
        return ceil(max(SIDE, *needed))

    @property
    def above(self) -> int:
        """Room above the boxes, for a count where the boxes have none in them."""
        return COUNT_LINE if self.is_crowded else TOP

    @property
    def below(self) -> int:
        """Room below the boxes for the words."""
        if not self.is_slanted:
            return WORD_LINE
        slanted = max(self.widths) * sin(radians(ANGLE)) + cos(radians(ANGLE))
        return ceil(slanted * self.word_size) + TOP

    @property
    def height(self) -> int:
        """Pixels of the whole figure."""
        return self.above + self.row * (self.n_rows - 1) + self.box_height + BORDER + self.below

    def written(self, first: int, second: int) -> list[int]:
        """The words with room to be written: the first chosen one, then the second, then every so many."""
        step = ceil(LINE / self.column)
        kept = [first]
        for at in (second, *range(0, self.n_words, step)):
            if all(abs(at - other) >= step for other in kept):
                kept.append(at)
        return sorted(kept)


def boxes(words: Sequence[str], n_rows: int) -> Boxes:
    """The boxes of a network with one row for the vectors of `words` and one for each layer."""
    return Boxes(widths=word_widths(words), n_rows=n_rows)


def outlines(
    x: ArrayLike, y: ArrayLike, half_width: float, half_height: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rectangles around the points `x`, `y` as one line, which a missing point interrupts after each."""
    across = np.multiply((-1, 1, 1, -1, -1, np.nan), half_width)
    upwards = np.multiply((-1, -1, 1, 1, -1, np.nan), half_height)
    corners = (np.add.outer(x, across).ravel(), np.add.outer(y, upwards).ravel())
    return corners[0].astype(np.float32), corners[1].astype(np.float32)
