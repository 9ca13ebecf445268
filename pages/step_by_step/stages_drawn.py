"""A walk as plain lists for the browser: as much of each matrix as there is room for."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.measures.stages import Grid, Operand, Stage
from pages.step_by_step.told import ROLES, told_of
from viz.text import BLANK, counted, plain

MOST_ROWS, MOST_COLUMNS = 10, 12
COLUMNS_TOGETHER, COLUMNS_CUT = 24, 22
"""Columns of all matrices of a stage that fit side by side, and with dots behind those left out."""

FEWEST_COLUMNS = 2
CHANGE_ME = "Point at an entry to see where it comes from. Click an entry of {symbol} to change it."
POINT = "Point at an entry to see where it comes from."


def drawn(stage: Stage, unit: str = "word") -> dict[str, Any]:
    """What the browser draws of one stage, whose rows stand for words or for what `unit` says."""
    told = told_of(stage, unit)
    grids = [operand.grid for operand in stage.operands] + [stage.result]
    most = columns_shown(grids)
    hint = CHANGE_ME.format(symbol=stage.symbol) if stage.changeable else POINT
    return {
        "name": stage.name,
        "short": told.short,
        "title": told.title,
        "role": told.role,
        "says": told.says,
        "symbol": stage.symbol,
        "rule": stage.rule,
        "mixes": stage.mixes,
        "changeable": stage.changeable,
        "hint": f"{hint}{_left_out(grids, most)}",
        "operands": [_operand(operand, most) for operand in stage.operands],
        "result": _grid(stage.result, most),
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


def _left_out(grids: Sequence[Grid], most: int) -> str:
    if all(len(grid.rows) <= MOST_ROWS and len(grid.columns) <= most for grid in grids):
        return ""
    return f" At most {MOST_ROWS} rows and {most} columns of a matrix are shown; sums run over all."


def _operand(operand: Operand, most: int) -> dict[str, Any]:
    return _grid(operand.grid, most) | {
        "name": operand.name,
        "role": ROLES.get(operand.name, "ink"),
        "before": operand.before,
        "after": operand.after,
        "lights": operand.lights,
        "offset": operand.offset,
    }


def _grid(grid: Grid, most: int) -> dict[str, Any]:
    finite = np.abs(grid.matrix[np.isfinite(grid.matrix)])
    shown = grid.matrix[:MOST_ROWS, :most].astype(float)

    def clipped(marks: np.ndarray | None) -> list[list[bool]] | None:
        return None if marks is None else marks[:MOST_ROWS, :most].tolist()

    return {
        "values": [[value if np.isfinite(value) else None for value in row] for row in shown.tolist()],
        "rows": [_word(word) for word in grid.rows[:MOST_ROWS]],
        "columns": [_word(word) for word in grid.columns[:most]],
        "columnsAreWords": grid.over_words or not all(map(str.isdigit, grid.columns)),
        "nRows": len(grid.rows),
        "nColumns": len(grid.columns),
        "size": f"{len(grid.rows)} × {len(grid.columns)}",
        "weights": grid.is_weights,
        "limit": float(finite.max(initial=0)) or 1.0,
        "changed": clipped(grid.changed),
        "hidden": clipped(grid.hidden),
    }


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
