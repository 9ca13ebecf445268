"""Changed entries of a head's matrices, and the edits with which a model computes them."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from core.model.forward import trace_path
from core.model.trace import Edit, in_turn

CHANGEABLE = ("q", "k", "v", "scores")
"""Matrices that can be changed, by trace name; scores are scaled and biased, not masked."""


@dataclass(frozen=True)
class Change:
    """The entry (row, column), counted from 0, of a matrix of the chosen head, and its new value."""

    matrix: str
    row: int
    column: int
    value: float

    def check(self, *, n_words: int, d_head: int) -> None:
        """Raise ValueError, stating the sizes, unless the matrix has such an entry."""
        n_columns = n_words if self.matrix == "scores" else d_head
        if self.row >= n_words or self.column >= n_columns:
            raise ValueError(
                f"{self.matrix} has no entry {self.row + 1}.{self.column + 1}: it has {n_words} "
                f"row{'s' * (n_words > 1)} and {n_columns} column{'s' * (n_columns > 1)}"
            )


def edits(changes: Sequence[Change], *, layer: int, head: int) -> dict[str, Edit]:
    """Return the edits of a forward pass, by trace name, that change these entries of one head."""
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
