"""Positions of the boxes and words of a network: the same for every network over the same sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, cos, inf, radians, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.layout.filling import magnification, tallest
from viz.layout.grid import word_widths
from viz.room import Room

FEWEST_COLUMNS = 5
"""Least number of words that fill the width: boxes of fewer would become bars."""

SIDE, TOP, COUNT_LINE, WORD_LINE = 12, 6, 26, 30
"""At either side, above the boxes, above them for a count, and below them for words that lie flat."""

LARGEST_ROW, SMALLEST_ROW, LESS_PER_LAYER = 116, 72, 16
LOWEST_ROW, HIGHEST_ROW = 44, 170
"""The distance of rows in a low frame, and in one that is to be filled."""

BOX, BOX_IN_LOW_ROW, STRIP = 44, 32, 26
"""Heights of a box: usually, where rows are low, and where boxes are too narrow for numbers."""

BETWEEN = 24
"""What stays free between two rows of boxes at least."""

NARROW_SHARE, WIDE_SHARE, NUMBER_ROOM = 0.66, 0.86, 22
"""A box takes the first share of its column, or up to the second where it needs the room for its number."""

LARGEST_NUMBER, SMALLEST_NUMBER, DIGIT, BORDER = 22, 12, 0.56, 3
LARGEST_WORD, SMALL_WORD, SMALLEST_WORD, MOST_LARGE_WORDS = 17, 14, 12, 16
ANGLE = 60


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """A box for each word in each of `n_rows` rows; row 0, at the bottom, holds the word vectors.

    In the coordinates of the figure a column is 1 wide and a row 1 high. All lengths are units, each `times`
    pixels; the figure is `width` of them wide. `row` is the distance of rows, and `widths` are those of the
    words' labels in em.
    """

    widths: tuple[float, ...]
    n_rows: int
    width: float
    row: float
    times: float = 1.0

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
        """The distance of two words."""
        first, last = self.columns
        return (self.width - self.left - SIDE) / (last - first)

    @property
    def half_width(self) -> float:
        """Half a box, in columns: wider where there are many, as the numbers need the room."""
        return min(max(NARROW_SHARE, NUMBER_ROOM / self.column), WIDE_SHARE) / 2

    @property
    def box_height(self) -> float:
        """The height of a box."""
        if self.is_crowded:
            return STRIP
        usual = BOX if self.row > SMALLEST_ROW else BOX_IN_LOW_ROW
        return min(usual, max(STRIP - 4, self.row - BETWEEN))

    @property
    def half_height(self) -> float:
        """Half a box, in rows."""
        return self.box_height / self.row / 2

    @property
    def number_size(self) -> int:
        """The size of type at which the longest possible count fits its box; 0 if it would be too small."""
        digits = len(str(self.n_words + self.n_rows - 2))
        size = min(LARGEST_NUMBER, (2 * self.half_width * self.column - BORDER) / (digits * DIGIT))
        return int(size) if size >= SMALLEST_NUMBER else 0

    @property
    def is_crowded(self) -> bool:
        """Whether boxes are too narrow for numbers."""
        return not self.number_size

    @property
    def word_size(self) -> int:
        """The size of type of the words: the smallest where not all would have room otherwise."""
        if self.n_words <= MOST_LARGE_WORDS:
            return LARGEST_WORD
        first, last = self.columns
        usual = (self.width - 2 * SIDE) / (last - first) * sin(radians(ANGLE))
        return SMALL_WORD if usual > SMALL_WORD + 1 else SMALLEST_WORD

    @property
    def is_slanted(self) -> bool:
        """Whether some word is wider than its column, so that all are slanted."""
        first, last = self.columns
        return max(self.widths) * self.word_size + 6 > (self.width - 2 * SIDE) / (last - first)

    @cached_property
    def left(self) -> int:
        """Room at the left: slanted words end under their boxes and so begin further left."""
        if not self.is_slanted:
            return SIDE
        first, last = self.columns
        reaches = [self.word_size * (width * cos(radians(ANGLE)) + 0.5) for width in self.widths]
        shares = [(at - first) / (last - first) for at in range(self.n_words)]
        # A word `share` of the way along fits if left + share · (width − left − SIDE) ≥ its reach.
        needed = [
            (reach - share * (self.width - SIDE)) / (1 - share)
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
    def height(self) -> float:
        """The height of the whole figure."""
        return self.above + self.row * (self.n_rows - 1) + self.box_height + BORDER + self.below

    def written(self, first: int, second: int) -> list[int]:
        """The words with room to be written: the first chosen one, then the second, then every so many."""
        step = ceil(self.word_size / (self.column * sin(radians(ANGLE)))) if self.is_slanted else 1
        kept = [first]
        for at in (second, *range(0, self.n_words, step)):
            if all(abs(at - other) >= step for other in kept):
                kept.append(at)
        return sorted(kept)


def boxes(words: Sequence[str], n_rows: int, room: Room) -> Boxes:
    """The boxes of a network with one row for the vectors of `words` and one for each layer."""
    usual = max(LARGEST_ROW - LESS_PER_LAYER * (n_rows - 2), SMALLEST_ROW)
    form = Boxes(widths=word_widths(words), n_rows=n_rows, width=room.width, row=usual)
    is_crowded = form.is_crowded

    def height(width: float) -> float:
        narrower = replace(form, width=width)
        return narrower.height if narrower.is_crowded == is_crowded else inf

    times = magnification(room, height)
    form = replace(form, width=room.width / times, times=times)
    free = (tallest(room) / times - form.height) / (n_rows - 1)
    if free < 0:
        form = replace(form, row=max(LOWEST_ROW, usual + free))
        free = (tallest(room) / times - form.height) / (n_rows - 1)
    if room.fills and free > 0:
        form = replace(form, row=min(HIGHEST_ROW, form.row + free))
    return form


def outlines(
    x: ArrayLike, y: ArrayLike, half_width: float, half_height: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rectangles around the points `x`, `y` as one line, which a missing point interrupts after each.

    A rectangle begins and ends in the middle of its lower edge: at a corner its ends would leave a notch.
    """
    across = np.multiply((0, 1, 1, -1, -1, 0, np.nan), half_width)
    upwards = np.multiply((-1, -1, 1, 1, -1, -1, np.nan), half_height)
    corners = (np.add.outer(x, across).ravel(), np.add.outer(y, upwards).ravel())
    return corners[0].astype(np.float32), corners[1].astype(np.float32)
