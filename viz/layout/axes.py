"""The axes of a matrix: its words at the positions of its rows and columns."""

from collections.abc import Sequence
from typing import Any

from viz.layout.grid import PADDING, Grid
from viz.text import label

Axis = dict[str, Any]


def key_axis(words: Sequence[str], grid: Grid, *, selected: int | None, colour: str) -> Axis:
    """Keys from left to right, their words slanted above the matrix."""
    edges = _edges(len(words), grid.cell)
    place = {"range": edges, "side": "top", "tickangle": -grid.angle, "tickfont": {"size": grid.key_type}}
    return {**_quiet(grid), **words_axis(words, grid.step, selected, colour), **place}


def query_axis(words: Sequence[str], grid: Grid, *, selected: int | None, colour: str) -> Axis:
    """Queries from top to bottom, their words beside the matrix."""
    top, bottom = _edges(len(words), grid.cell)
    return {**_quiet(grid), **words_axis(words, grid.step, selected, colour), "range": (bottom, top)}


def _edges(n: int, cell: float) -> tuple[float, float]:
    """The range of an axis from before the first cell to behind the last, in cells, with room for a frame."""
    return -0.5 - PADDING / cell, n - 0.5 + PADDING / cell


def _quiet(grid: Grid) -> Axis:
    """An axis that is nothing but words."""
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    return {**look, "tickmode": "array", "tickfont": {"size": grid.type_size}}


def words_axis(words: Sequence[str], step: int, selected: int | None, colour: str) -> Axis:
    """Words at their positions, so that repeated ones stay apart; an alias lets a hover name all others."""
    labels = [label(word) for word in words]
    if selected is not None:
        labels[selected] = f'<b><span style="color:{colour}">{labels[selected]}</span></b>'
    written = _written(len(words), step, selected)
    aliases = {str(at): labels[at] for at in set(range(len(words))) - set(written)}
    return {"tickvals": written, "ticktext": [labels[at] for at in written], "labelalias": aliases}


def _written(n: int, step: int, selected: int | None) -> list[int]:
    """Every `step`-th position from the first on; the selected one in place of those that it would touch."""
    counted = range(0, n, step)
    if selected is None:
        return list(counted)
    apart = [at for at in counted if abs(at - selected) >= step]
    return sorted([*apart, selected])
