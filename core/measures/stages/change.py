"""Entries changed by hand: as they stand in a link, and as edits of a forward pass."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from core.model.forward import trace_path
from core.model.trace import Edit, in_turn

CHANGEABLE = ("q", "k", "v", "scores")
"""What can be changed, by the name that a trace gives it; scores are scaled and biased, not masked."""

LARGEST_VALUE = 1000
MOST_CHANGES = 8

_WRITTEN = re.compile(r"([a-z]+)\.(\d{1,4})\.(\d{1,4})\.(-?\d{1,4}(?:\.\d{1,6})?)", re.ASCII)


@dataclass(frozen=True)
class Change:
    """The entry (row, column), counted from 0, of a matrix of the chosen head, and its new value."""

    matrix: str
    row: int
    column: int
    value: float

    def check(self, *, n_words: int, d_head: int) -> None:
        """Raise ValueError, saying what there is, unless the matrix has such an entry."""
        n_columns = n_words if self.matrix == "scores" else d_head
        if self.row >= n_words or self.column >= n_columns:
            raise ValueError(
                f"{self.matrix} has no entry {self.row + 1}.{self.column + 1}: it has {n_words} "
                f"row{'s' * (n_words > 1)} and {n_columns} column{'s' * (n_columns > 1)}"
            )


def parse(text: str) -> Change:
    """`q.2.1.-0.5`: the matrix, its row and column counted from 1, and the value.

    Raises ValueError saying what is possible.
    """
    written = _WRITTEN.fullmatch(text)
    if written is None or written[1] not in CHANGEABLE or "0" in (written[2], written[3]):
        raise ValueError(
            f"a change is written like q.2.1.-0.5: one of {', '.join(CHANGEABLE)}, row, column and value"
        )
    value = float(written[4])
    if not math.isfinite(value) or abs(value) > LARGEST_VALUE:
        raise ValueError(f"a value lies between -{LARGEST_VALUE} and {LARGEST_VALUE}, got {written[4]}")
    row, column = int(written[2]) - 1, int(written[3]) - 1
    if row < 0 or column < 0:
        raise ValueError("rows and columns are counted from 1")
    return Change(written[1], row, column, value)


def spelt(change: Change) -> str:
    """A change as it stands in a link."""
    value = f"{change.value:.6f}".rstrip("0").rstrip(".")
    return f"{change.matrix}.{change.row + 1}.{change.column + 1}.{'0' if value == '-0' else value}"


def edits(changes: Sequence[Change], *, layer: int, head: int) -> dict[str, Edit]:
    """The changes as edits of a trace, by the paths they are made at."""
    return {
        trace_path(layer, name): in_turn(*(_edit(one, head) for one in here))
        for name in CHANGEABLE
        if (here := [one for one in changes if one.matrix == name])
    }


def _edit(change: Change, head: int) -> Edit:
    def edit(value: Tensor) -> Tensor:
        edited = value.clone()
        edited[:, head, change.row, change.column] = change.value
        return edited

    return edit
