"""Marks on cells: dots where a query may not look, hatches below zero, and frames."""

from collections.abc import Collection
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from viz.layout.boxes import outlines
from viz.layout.cells import Cell
from viz.layout.figure import Trace, trace_of
from viz.theme import Theme

HATCH = 7
"""Pixels between two lines of a hatch, along a row."""

LINE, WITHIN = 3, 0.48
"""Outline of a cell in pixels, and its distance from the middle in cells."""

HALO = 4
"""Additional width in pixels of the light line below a dark one."""


def dots(cell: float, theme: Theme) -> str:
    """Return an SVG pattern `dots` for cells of `cell` pixels, from the corner of the filled area.

    Each dot is in the middle of a cell, however small: a masked cell without its dot looks like a zero.
    """
    radius = max(min(cell / 5, 0.8), min(cell / 20, 2))
    dot = f"<circle cx='{cell / 2:g}' cy='{cell / 2:g}' r='{radius:g}' fill='{theme.muted}'/>"
    return (
        f"<pattern id='dots' width='{cell:g}' height='{cell:g}' patternUnits='userSpaceOnUse'>{dot}</pattern>"
    )


def drawing(width: float, height: float, definitions: str, content: str) -> str:
    """Return an SVG of this size in pixels as a data address; nothing in it may come from a user."""
    size = f"width='{width:g}' height='{height:g}' viewBox='0 0 {width:g} {height:g}'"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' {size} preserveAspectRatio='none'>"
    return f"data:image/svg+xml,{quote(f'{svg}<defs>{definitions}</defs>{content}</svg>')}"


def below(source: str, *, x: float, y: float, width: float, height: float) -> dict[str, Any]:
    """Return a layout image that fills a rectangle of data coordinates and lies below the traces."""
    place = {"x": x, "y": y, "sizex": width, "sizey": height}
    return {"source": source, "sizing": "stretch", "layer": "below", **place}


def dotted(n_queries: int, n_keys: int, cell: float, theme: Theme) -> dict[str, Any]:
    """Return dots under all cells of a matrix, visible through its gaps."""
    width, height = n_keys * cell, n_queries * cell
    field = f"<rect width='{width:g}' height='{height:g}' fill='url(#dots)'/>"
    source = drawing(width, height, dots(cell, theme), field)
    return below(source, x=-0.5, y=-0.5, width=n_keys, height=n_queries)


def hatched(is_below: NDArray[np.bool_], cell: float, theme: Theme) -> Trace:
    """Return hatches over cells below zero (row, column), whose shorter side has `cell` pixels."""
    n_lines = max(1, round(cell / HATCH))
    cuts = np.linspace(-1, 1, 2 * n_lines + 1)[1:-1]
    first, last = np.maximum(-0.5, cuts - 0.5), np.minimum(0.5, cuts + 0.5)
    across = np.stack([first, last, np.full_like(cuts, np.nan)], axis=1).ravel()
    downwards = np.stack([cuts - first, cuts - last, np.full_like(cuts, np.nan)], axis=1).ravel()
    rows, columns = np.nonzero(is_below)
    x, y = np.add.outer(columns, across).ravel(), np.add.outer(rows, downwards).ravel()
    line = {"color": theme.paper, "width": min(1.5, max(0.5, cell / 8))}
    return trace_of("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def framing(line: dict[str, Any], theme: Theme) -> list[dict[str, Any]]:
    """Return the lines of a frame, the lowest first: without hues a cell can be as dark as its frame."""
    halo = {"color": theme.paper, "width": line["width"] + HALO}
    return [line] if theme.has_hues else [halo, line]


def outlined(cells: Collection[Cell], theme: Theme) -> list[Trace]:
    """Return outlines of cells, each with a halo in the colour of the paper: a cell may have any colour."""
    if not cells:
        return []
    queries, keys = np.array(sorted(cells)).T
    x, y = outlines(keys, queries, WITHIN, WITHIN)
    look = {"mode": "lines", "hoverinfo": "skip", "cliponaxis": False}
    lines = ({"color": theme.paper, "width": LINE + 2}, {"color": theme.selection, "width": LINE})
    return [trace_of("scatter", x=x, y=y, line=line, **look) for line in lines]
