"""Stages whose dimensions have names, where somebody has set the weights by hand."""

from dataclasses import replace

from core.measures.stages.stage import Grid, Stage
from core.sources.source import DimensionNames


def named(stages: tuple[Stage, ...], names: DimensionNames, *, head: int) -> tuple[Stage, ...]:
    """The stages with names in place of the numbers of dimensions; `head` counts from 0."""
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
"""Names of an axis; None leaves those it has."""


def _axes(names: DimensionNames, head: int) -> dict[str, tuple[Axis, Axis]]:
    """Names of the rows and of the columns of each matrix, by what it is called."""
    model, sought, given = names.model, names.sought[head], names.given[head]
    every = tuple(name for one in names.given for name in one)
    words = dict.fromkeys(("w", "S", "S scaled", "M", "S masked", "α"), (None, None))
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
