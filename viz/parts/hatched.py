"""Hatches over numbers below zero: in grey nothing else tells them from those above."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.parts.masked import below, drawing
from viz.theme import Theme

HATCH = "<path d='M-1 9L9 -1M-1 1L1 -1M7 9L9 7' stroke='{colour}' stroke-width='2'/>"
"""Lines that rise, in a square of 8 pixels that can be laid side by side."""


def hatched(is_below: NDArray[np.bool_], width: float, height: float, theme: Theme) -> dict[str, Any]:
    """Return an image that hatches cells (row, column) of a heatmap of so many pixels."""
    rows, columns = is_below.shape
    across, down = width / columns, height / rows
    edges = np.diff(np.pad(is_below, ((0, 0), (1, 1))).astype(np.int8))
    runs = zip(np.argwhere(edges == 1).tolist(), np.argwhere(edges == -1).tolist(), strict=True)
    path = "".join(
        f"M{first * across:g} {row * down:g}H{last * across:g}v{down:g}H{first * across:g}z"
        for (row, first), (_, last) in runs
    )
    lines = HATCH.format(colour=theme.paper)
    pattern = f"<pattern id='hatch' width='8' height='8' patternUnits='userSpaceOnUse'>{lines}</pattern>"
    source = drawing(width, height, pattern, f"<path d='{path}' fill='url(#hatch)'/>")
    return {**below(source, x=-0.5, y=-0.5, width=columns, height=rows), "layer": "above"}
