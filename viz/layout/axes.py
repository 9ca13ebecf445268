"""The axes of a matrix: its words at the positions of its rows and columns."""

from collections.abc import Sequence
from typing import Any

from viz.layout.canvas import Canvas, Rect
from viz.layout.grid import PADDING, Grid
from viz.layout.rows import name_axis
from viz.text import label

Axis = dict[str, Any]


def key_axis(words: Sequence[str], grid: Grid, *, selected: int | None, colour: str) -> Axis:
    """Return keys from left to right, their words above the matrix, slanted if they need it."""
    place = {"range": _edges(len(words), grid.cell), "side": "top", "tickangle": -grid.angle}
    return name_axis(grid.key_type) | word_ticks(words, grid.step, selected, colour) | place


def query_axis(words: Sequence[str], grid: Grid, *, selected: int | None, colour: str) -> Axis:
    """Return queries from top to bottom, their words beside the matrix."""
    place = {"range": _edges(len(words), grid.cell)[::-1]}
    return name_axis(grid.type_size) | word_ticks(words, grid.step, selected, colour) | place


def set_axes(drawn: Canvas, box: Rect, x: Axis, y: Axis, *, number: str = "", around: float = 0) -> None:
    """Set the axes of this number, "" for the first, on a box with some pixels `around` it."""
    across, upwards = drawn.domains(box, around)
    drawn.layout[f"xaxis{number}"] = x | {"domain": across, "anchor": f"y{number}"}
    drawn.layout[f"yaxis{number}"] = y | {"domain": upwards, "anchor": f"x{number}"}


def word_ticks(words: Sequence[str], step: int, selected: int | None = None, colour: str = "") -> Axis:
    """Return every `step`-th word from the first on; the `selected` one replaces words that it would touch.

    Words stand at their positions, so that repeated ones stay apart; an alias lets a hover name all others.
    """
    labels, written = [label(word) for word in words], list(range(0, len(words), step))
    if selected is not None:
        labels[selected] = f'<b><span style="color:{colour}">{labels[selected]}</span></b>'
        written = sorted([*(at for at in written if abs(at - selected) >= step), selected])
    aliases = {str(at): labels[at] for at in set(range(len(words))) - set(written)}
    return {"tickvals": written, "ticktext": [labels[at] for at in written], "labelalias": aliases}


def _edges(n: int, cell: float) -> tuple[float, float]:
    return -0.5 - PADDING / cell, n - 0.5 + PADDING / cell
