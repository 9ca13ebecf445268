"""The stages of a head: their names, their contents, and entries changed by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float
from torch import Tensor

from core.model.forward import trace_path
from core.model.positions import SchemeDescription
from core.model.trace import Edit, in_turn
from core.sources.source import DimensionNames

Lights = Literal["row", "column", "cell"]
Rule = Literal["given", "pick", "add", "normalise", "multiply", "rotate", "divide", "softmax", "join"]


MASKED = "S masked"
"""Name of the scores after a mask that hides some of them."""


@dataclass(frozen=True)
class Grid:
    """A matrix whose rows are words or dimensions; with `over_words`, its columns are words too.

    `changed` marks entries that differ from the unchanged head, `computed` is the model's value of an entry
    set by hand (else NaN), `hidden` marks entries that a mask makes 0.
    """

    matrix: Float[np.ndarray, "row column"]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    is_weights: bool = False
    over_words: bool = False
    changed: Bool[np.ndarray, "row column"] | None = None
    hidden: Bool[np.ndarray, "row column"] | None = None
    computed: Float[np.ndarray, "row column"] | None = None

    def __post_init__(self) -> None:
        assert self.matrix.shape == (len(self.rows), len(self.columns)), "a label for each row and column"

    def only_row(self, at: int) -> "Grid":
        row = slice(at, at + 1)
        names = ("changed", "hidden", "computed")
        marks: dict[str, Any] = {
            name: None if (one := getattr(self, name)) is None else one[row] for name in names
        }
        return replace(self, matrix=self.matrix[row], rows=self.rows[row], **marks)

    def against(self, base: "Grid") -> "Grid":
        same = (self.matrix == base.matrix) | np.isclose(self.matrix, base.matrix, rtol=1e-6, atol=1e-7)
        return replace(self, changed=~same)


@dataclass(frozen=True)
class Operand:
    """An input matrix of a stage, its name, and the signs before and after it.

    Entry (i, j) of the result comes from its `row` i, `column` j or `cell` (i, j − `offset`).
    """

    name: str
    grid: Grid
    lights: Lights
    before: str = ""
    after: str = ""
    offset: int = 0

    def of_word(self, at: int) -> "Operand":
        """Return the part of the operand that row `at` of the result needs."""
        if self.lights == "column":
            return self
        return replace(self, grid=self.grid.only_row(at))


@dataclass(frozen=True)
class Stage:
    """One step of the head: its operands, the rule, and its result under the name `symbol`.

    `changeable` names the matrix whose entries can be changed. `unmasked` names the scores before the mask.
    `mixes` lists, for rotary positions, the dimensions that go into each dimension of the result.
    """

    name: str
    symbol: str
    rule: Rule
    operands: tuple[Operand, ...]
    result: Grid
    changeable: str | None = None
    unmasked: str | None = None
    positions: SchemeDescription | None = None
    mixes: tuple[tuple[int, ...], ...] | None = None

    def against(self, base: "Stage") -> "Stage":
        operands = tuple(
            replace(mine, grid=mine.grid.against(other.grid))
            for mine, other in zip(self.operands, base.operands, strict=True)
        )
        return replace(self, operands=operands, result=self.result.against(base.result))


def one_word(stage: Stage, at: int) -> Stage:
    """Return a stage for one word: its row of the result, and the operands that the row needs.

    Scores are called masked only if the mask hides one of them from this word.
    """
    operands = tuple(operand.of_word(at) for operand in stage.operands)
    row = replace(stage, operands=operands, result=stage.result.only_row(at))
    return row if stage.unmasked is None else _named_by_mask(row, stage.unmasked)


def _named_by_mask(stage: Stage, unmasked: str) -> Stage:
    """Return the stage with the name of the scores before the mask, if the mask hides none of them."""
    grids = (*(operand.grid for operand in stage.operands), stage.result)
    if any(np.isneginf(grid.matrix).any() for grid in grids):
        return stage
    names = {MASKED: unmasked}
    operands = tuple(replace(one, name=names.get(one.name, one.name)) for one in stage.operands)
    return replace(stage, symbol=names.get(stage.symbol, stage.symbol), operands=operands)


def numbered(n: int) -> tuple[str, ...]:
    """Return the numbers from 1 to `n` as names."""
    return tuple(map(str, range(1, n + 1)))


def dimensions(matrix: Float[np.ndarray, "row column"], rows: Sequence[str] | None = None) -> Grid:
    """Return a grid whose columns are dimensions; unnamed rows are dimensions too."""
    named = numbered(len(matrix)) if rows is None else tuple(rows)
    return Grid(matrix, named, numbered(matrix.shape[1]))


def rename_dimensions(stages: tuple[Stage, ...], names: DimensionNames, *, head: int) -> tuple[Stage, ...]:
    """Return the stages with names in place of the numbers of dimensions; `head` counts from 0."""
    axes = _axes(names, head)
    return tuple(
        replace(
            stage,
            operands=tuple(replace(one, grid=_called(one.grid, *axes[one.name])) for one in stage.operands),
            result=_called(stage.result, *axes[stage.symbol]),
        )
        for stage in stages
    )


Axis = tuple[str, ...] | None
"""Names of an axis; None keeps its own."""


def _axes(names: DimensionNames, head: int) -> dict[str, tuple[Axis, Axis]]:
    """Return names of the rows and columns of each matrix, by its symbol."""
    model, sought, given = names.model, names.sought[head], names.given[head]
    every = tuple(name for one in names.given for name in one)
    words = dict.fromkeys(("w", "S", "S scaled", "M", MASKED, "α"), (None, None))
    of_heads = {f"z{'₁₂₃₄₅₆₇₈'[at]}": (None, one) for at, one in enumerate(names.given)}
    return {
        **words,
        **dict.fromkeys(("E", "x", "h"), (None, model)),
        **dict.fromkeys(("Q", "K"), (model, sought)),
        **dict.fromkeys(("q", "k"), (None, sought)),
        "V": (model, given),
        "kᵀ": (sought, None),
        **dict.fromkeys(("v", "z"), (None, given)),
        **of_heads,
        "Z": (None, every),
        "O": (every, model),
    }


def _called(grid: Grid, rows: Axis, columns: Axis) -> Grid:
    return replace(grid, rows=rows or grid.rows, columns=columns or grid.columns)


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
