"""Rows of a figure: their height in a room, the axis of their names, the digits and gaps of their cells."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.layout.scale import Scale
from viz.room import Room
from viz.theme import Theme


def row_height(room: Room, n: float, *, around: float, usual: float, least: float) -> float:
    """Return the pixels of one of `n` rows: as `usual`, or what a room leaves that is taken `around` them.

    On a screen a row has the `least` height at least: the page scrolls. A figure that fills its room divides
    all of it.
    """
    if room.height is None:
        return usual
    each = (room.height - around) / n
    if not room.is_printed:
        each = max(each, least)
    return each if room.fills else min(usual, each)


def name_axis(type_size: float) -> dict[str, Any]:
    """Return an axis with a name at each place and nothing else."""
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    return {**look, "tickmode": "array", "tickfont": {"size": type_size}, "ticklabeloverflow": "allow"}


def with_gaps(array: NDArray[Any], gap: Any) -> NDArray[Any]:
    """Return (row, column, cell) as one matrix: a column of gaps between columns, a row between rows."""
    n_rows, n_columns, n_cells = array.shape
    spread = np.full((n_rows, 2, n_columns, n_cells + 1), gap, dtype=array.dtype)
    spread[:, 0, :, :n_cells] = array
    return spread.reshape(2 * n_rows, -1)[:-1, :-1]


def inked_digits(values: NDArray[np.floating], scale: Scale, theme: Theme) -> NDArray[np.object_]:
    """Return the digits of each cell in an ink that can be read on its colour; nothing without a number."""
    inks, text = scale.inks(values, theme), np.full(values.shape, "", dtype=object)
    for at in zip(*np.nonzero(~np.isnan(values)), strict=True):
        text[at] = f'<span style="color:{inks[at]}">{scale.digits(float(values[at]))}</span>'
    return text
