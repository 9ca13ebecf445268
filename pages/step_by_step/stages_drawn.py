"""A walk as plain lists for the browser: as much of each matrix as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.measures.stages import Grid, Operand, Stage
from pages.step_by_step.told import ROLES, told_of
from viz.text import BLANK, counted, plain

MOST_ROWS, MOST_COLUMNS = 10, 12
MOST_WORDS = 24
"""Rows of words in the form for one word, whose columns of words are all there."""
COLUMNS_TOGETHER, COLUMNS_CUT = 24, 22
"""Columns of all matrices of a stage that fit side by side, and with dots behind those left out."""

FEWEST_COLUMNS = 2
CHANGE_ME = "Point at an entry to see where it comes from. Click an entry of {symbol} to change it."
SET = " An entry that you have set keeps its number, whatever the matrices give."
POINT = "Point at an entry to see where it comes from."


@dataclass(frozen=True)
class Room:
    """Greatest number of rows, of columns that are dimensions, and of columns that are words."""

    rows: int
    dimensions: int
    words: int

    def of(self, grid: Grid) -> tuple[int, int]:
        """Return how many rows and columns of a grid are shown."""
        most = self.words if grid.over_words else self.dimensions
        return min(len(grid.rows), self.rows), min(len(grid.columns), most)


def room(grids: Sequence[Grid], word: int | None) -> Room:
    """Return the room that the matrices of a stage have; the row of one word has all its words."""
    if word is None:
        most = columns_shown(grids)
        return Room(MOST_ROWS, most, most)
    return Room(MOST_WORDS, MOST_COLUMNS, max(len(grid.columns) for grid in grids))


def drawn(stage: Stage, unit: str = "word", word: int | None = None) -> dict[str, Any]:
    """Return what the browser draws of one stage, whose rows stand for words or for what `unit` says.

    A stage in the form for one word has the row of that `word` alone, unless it is of all words.
    """
    told = told_of(stage, unit)
    grids = [operand.grid for operand in stage.operands] + [stage.result]
    most = room(grids, word)
    hint = CHANGE_ME.format(symbol=stage.symbol) if stage.changeable else POINT
    return {
        "name": stage.name,
        "short": told.short,
        "title": told.title,
        "role": told.role,
        "says": told.says + SET * (stage.result.computed is not None),
        "symbol": stage.symbol,
        "rule": stage.rule,
        "mixes": stage.mixes,
        "changeable": stage.changeable,
        "hint": f"{hint}{_left_out(grids, most)}",
        "operands": [_operand(operand, most) for operand in stage.operands],
        "result": _grid(stage.result, most),
        "firstRow": 0 if word is None or len(stage.result.rows) > 1 else word,
    }


def columns_shown(grids: Sequence[Grid]) -> int:
    """Greatest number of columns of each matrix of a stage for which all fit side by side."""
    widths = [len(grid.columns) for grid in grids]
    if sum(widths) <= COLUMNS_TOGETHER:
        return MOST_COLUMNS
    fitting = (
        most
        for most in range(MOST_COLUMNS, FEWEST_COLUMNS, -1)
        if sum(min(width, most) for width in widths) <= COLUMNS_CUT
    )
    return next(fitting, FEWEST_COLUMNS)


def _left_out(grids: Sequence[Grid], most: Room) -> str:
    if all(most.of(grid) == grid.matrix.shape for grid in grids):
        return ""
    return (
        f" At most {most.rows} rows and {most.dimensions} columns of a matrix are shown; sums run over all."
    )


def _operand(operand: Operand, most: Room) -> dict[str, Any]:
    return _grid(operand.grid, most) | {
        "name": operand.name,
        "role": ROLES.get(operand.name, "ink"),
        "before": operand.before,
        "after": operand.after,
        "lights": operand.lights,
        "offset": operand.offset,
    }


def _grid(grid: Grid, most: Room) -> dict[str, Any]:
    finite = np.abs(grid.matrix[np.isfinite(grid.matrix)])
    n_rows, n_columns = most.of(grid)
    shown = grid.matrix[:n_rows, :n_columns].astype(float)

    def clipped(marks: np.ndarray | None) -> list[list[bool]] | None:
        return None if marks is None else marks[:n_rows, :n_columns].tolist()

    return {
        "values": _finite(shown),
        "rows": [_word(word) for word in grid.rows[:n_rows]],
        "columns": [_word(word) for word in grid.columns[:n_columns]],
        "columnsAreWords": grid.over_words or not all(map(str.isdigit, grid.columns)),
        "nRows": len(grid.rows),
        "nColumns": len(grid.columns),
        "size": f"{len(grid.rows)} × {len(grid.columns)}",
        "weights": grid.is_weights,
        "limit": float(finite.max(initial=0)) or 1.0,
        "changed": clipped(grid.changed),
        "hidden": clipped(grid.hidden),
        "computed": None if grid.computed is None else _finite(grid.computed[:n_rows, :n_columns]),
    }


def _finite(matrix: np.ndarray) -> list[list[float | None]]:
    return [[value if np.isfinite(value) else None for value in row] for row in matrix.tolist()]


def _word(word: str) -> str:
    return plain(word) or (BLANK if word else "")


def describe(stage: Stage, number: int, n_stages: int) -> str:
    """The alternative text of the open stage: its place, what it is made of and its size."""
    told = told_of(stage)
    grid = stage.result
    made = ", ".join(operand.name for operand in stage.operands) or "the layer below"
    size = f"{counted(len(grid.rows), 'row')} and {counted(len(grid.columns), 'column')}"
    changed = 0 if grid.changed is None else int(grid.changed.sum())
    moved = (
        f" {counted(changed, 'entry') if changed == 1 else f'{changed} entries'} changed." if changed else ""
    )
    return (
        f"Stage {number} of {n_stages}, {told.title.lower()}: {stage.symbol} from {made}, {size}.{moved} "
        "The table behind it has every number."
    )
