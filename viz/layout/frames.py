"""Frames round cells of any colour, and light lines below them."""

from collections.abc import Collection
from typing import Any

import numpy as np

from viz.layout.boxes import outlines
from viz.layout.cells import Cell
from viz.layout.figure import Trace, trace_of
from viz.theme import Theme

LINE, WITHIN = 3, 0.48
"""Outline of a cell in pixels, and its distance from the middle in cells."""

HALO = 4
"""Additional width in pixels of the light line below a dark one."""


def framing(line: dict[str, Any], theme: Theme) -> list[dict[str, Any]]:
    """Return the lines of a frame, the lowest first: without hues a cell can be as dark as its frame."""
    halo = {"color": theme.paper, "width": line["width"] + HALO}
    return [line] if theme.has_hues else [halo, line]


def outlined(cells: Collection[Cell], theme: Theme) -> list[Trace]:
    """Return outlines of cells, each on a wider one of the paper: a cell may have any colour."""
    if not cells:
        return []
    queries, keys = np.array(sorted(cells)).T
    x, y = outlines(keys, queries, WITHIN, WITHIN)
    look = {"mode": "lines", "hoverinfo": "skip", "cliponaxis": False}
    lines = ({"color": theme.paper, "width": LINE + 2}, {"color": theme.selection, "width": LINE})
    return [trace_of("scatter", x=x, y=y, line=line, **look) for line in lines]
