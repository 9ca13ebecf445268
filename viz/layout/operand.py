"""A matrix of an equation: its numbers as they are written, and its room in a line."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import radians, sin
from typing import Any

import numpy as np

from viz.text import em_width, shortened

TYPE, SIGN, NAMED = 14, 22, 16
"""Type sizes of words and numbers, of the signs between matrices, and of functions."""

DIGIT, NARROWER, LONGEST_WORD = 0.5, 0.22, 7.2
"""Em of a digit or a minus in the type of figures, narrowing by a point, and greatest em of a word."""

BETWEEN, APART, HEADS_LINE, PAST, CLEAR = 2, 10, 22, 16, 4
"""Pixels around the parts of a line.

Between two numbers, between parts, of the line of numbers above, for omitted columns, and between a word and
the first column.
"""

SLANT = 60
"""Degrees by which words above a matrix are slanted."""

INFINITE = "−∞"

Plain = Mapping[str, Any]


@dataclass(frozen=True)
class MatrixOperand:
    """A matrix of a stage, as `pages/step_by_step` gives it to the browser, and the signs beside it."""

    said: Plain
    name: str
    colour: str
    before: str
    after: str
    has_names: bool = True
    """Whether there are words beside its rows."""

    @cached_property
    def values(self) -> np.ndarray:
        """Its numbers, (row, column), NaN for hidden ones."""
        values = np.array(self.said["values"], dtype=float)
        return values if self.said["hidden"] is None else np.where(self.said["hidden"], np.nan, values)

    @property
    def number(self) -> float:
        """Width of a cell in which each of its numbers is legible."""
        shown = (self.shown(*at) for at in np.ndindex(self.values.shape))
        longest = max(len(one) * DIGIT - ("." in one) * NARROWER for one in shown)
        return longest * TYPE + BETWEEN

    @property
    def n_columns(self) -> int:
        return len(self.said["columns"])

    @property
    def has_more_columns(self) -> bool:
        return bool(self.said["nColumns"] > self.n_columns)

    @property
    def has_more_rows(self) -> bool:
        return bool(self.said["nRows"] > len(self.said["rows"]))

    @property
    def words(self) -> float:
        """Width of the words beside its rows."""
        return (_longest(self.said["rows"]) + CLEAR if self.has_names else 0.0) + APART

    @property
    def beside(self) -> float:
        """Width of the parts of its line that do not grow with its cells."""
        signs = sum(sign_width(sign) for sign in (self.before, self.after))
        return self.words + signs + PAST * self.has_more_columns + APART + self.lean

    @property
    def lean(self) -> float:
        """Pixels by which the last slanted word extends beyond the matrix."""
        return self.reach / 2 if self.said["columnsAreWords"] else 0.0

    @property
    def reach(self) -> float:
        """Length of the longest word above."""
        return _longest(self.said["columns"])

    @property
    def heads(self) -> float:
        """Height of the words or numbers above."""
        return self.reach * sin(radians(SLANT)) + TYPE if self.said["columnsAreWords"] else HEADS_LINE

    def shown(self, row: int, column: int) -> str:
        """Return the text of a cell: two decimals as on the page, −∞ for a masked score."""
        value = self.said["values"][row][column]
        if value is None:
            return INFINITE
        return "0" if np.isnan(self.values[row, column]) and value == 0 else f"{value:z.2f}".replace("-", "−")


def sign_size(sign: str) -> int:
    """Return the type size of a sign, or of the name of a function."""
    return NAMED if sign[:1].isalpha() else SIGN


def sign_width(sign: str) -> float:
    """Return the width of a sign in its line."""
    return em_width(sign) * sign_size(sign) + APART if sign else 0.0


def _longest(words: list[str]) -> float:
    return max(em_width(shortened(word, longest=LONGEST_WORD)) for word in words) * TYPE
