"""A matrix of an equation: its numbers as they are written, and the room that it takes in its line."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import radians, sin
from typing import Any

import numpy as np

from viz.text import em_width, shortened

TYPE, SIGN = 14, 22
"""Pixels of the type of words and numbers, and of the signs between matrices."""

LONGEST_WORD = 7.2
"""Em of a word beside or above a matrix: about twelve letters, as on the page."""

BETWEEN, APART = 4, 10
"""Pixels between the numbers of two cells, and between parts."""

HEADS_LINE, PAST = 22, 16
"""Pixels of height of the numbers of columns, and of width of the dots for columns left out."""

SLANT = 60
"""Degrees by which words above a matrix are turned."""

INFINITE = "−∞"

Plain = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A matrix of a stage, as `pages/step_by_step` hands it to the browser, and the signs beside it."""

    said: Plain
    name: str
    colour: str
    before: str
    after: str

    @cached_property
    def values(self) -> np.ndarray:
        """Its numbers, (row, column), not a number where one is hidden."""
        values = np.array(self.said["values"], dtype=float)
        return values if self.said["hidden"] is None else np.where(self.said["hidden"], np.nan, values)

    @property
    def number(self) -> float:
        """Pixels of width of a cell in which each of its numbers can be read."""
        rows, columns = self.values.shape
        longest = max(em_width(self.shown(i, j)) for i in range(rows) for j in range(columns))
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
        """Pixels of the words beside its rows."""
        return _longest(self.said["rows"]) + APART

    @property
    def beside(self) -> float:
        """Pixels of everything in its line that does not grow with its cells."""
        signs = sum(sign_width(sign) for sign in (self.before, self.after))
        return self.words + signs + PAST * self.has_more_columns + APART + self.lean

    @property
    def lean(self) -> float:
        """Pixels by which the last of the slanted words reaches beyond the matrix."""
        return self.reach / 2 if self.said["columnsAreWords"] else 0.0

    @property
    def reach(self) -> float:
        """Pixels of the longest word above."""
        return _longest(self.said["columns"])

    @property
    def heads(self) -> float:
        """Pixels of height of the words or numbers above."""
        return self.reach * sin(radians(SLANT)) + TYPE if self.said["columnsAreWords"] else HEADS_LINE

    def shown(self, row: int, column: int) -> str:
        """What a cell says: two decimals as on the page, −∞ where a score is masked."""
        value = self.said["values"][row][column]
        if value is None:
            return INFINITE
        return "0" if np.isnan(self.values[row, column]) and value == 0 else f"{value:z.2f}".replace("-", "−")


def sign_width(sign: str) -> float:
    """Pixels that a sign takes in its line."""
    return em_width(sign) * SIGN + APART if sign else 0.0


def _longest(words: list[str]) -> float:
    return max(em_width(shortened(word, longest=LONGEST_WORD)) for word in words) * TYPE
