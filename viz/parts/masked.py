"""Dots where a query may not look: one small drawing below the cells, however many of them are masked."""

from typing import Any
from urllib.parse import quote

from viz.theme import Theme

DOTS_APART = 7


def dots(cell: float, theme: Theme) -> str:
    """An SVG pattern named `dots` for cells of `cell` pixels, counted from the corner of what it fills.

    Each dot lies in the middle of a cell, of every third or fifth one where cells are small: a dot
    between two cells would shine through the joint.
    """
    side = cell * next(odd for odd in range(1, 99, 2) if odd * cell >= DOTS_APART)
    radius = min(max(cell / 20, 0.8), 2)
    dot = f"<circle cx='{side / 2:g}' cy='{side / 2:g}' r='{radius:g}' fill='{theme.muted}'/>"
    return (
        f"<pattern id='dots' width='{side:g}' height='{side:g}' patternUnits='userSpaceOnUse'>{dot}</pattern>"
    )


def drawing(width: float, height: float, definitions: str, content: str) -> str:
    """An SVG of this size in pixels as a data address; nothing in it may come from a user."""
    size = f"width='{width:g}' height='{height:g}' viewBox='0 0 {width:g} {height:g}'"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' {size} preserveAspectRatio='none'>"
    return f"data:image/svg+xml,{quote(f'{svg}<defs>{definitions}</defs>{content}</svg>')}"


def below(source: str, *, x: float, y: float, width: float, height: float) -> dict[str, Any]:
    """A layout image that fills a rectangle of data coordinates and lies below the traces."""
    place = {"x": x, "y": y, "sizex": width, "sizey": height}
    return {"source": source, "sizing": "stretch", "layer": "below", **place}


def dotted(n_queries: int, n_keys: int, cell: float, theme: Theme) -> dict[str, Any]:
    """Dots under all cells of a matrix, to be seen through those that are gaps."""
    width, height = n_keys * cell, n_queries * cell
    field = f"<rect width='{width:g}' height='{height:g}' fill='url(#dots)'/>"
    source = drawing(width, height, dots(cell, theme), field)
    return below(source, x=-0.5, y=-0.5, width=n_keys, height=n_queries)
