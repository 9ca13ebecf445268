"""Frames round cells that may have any colour, and lines before them."""

from typing import Any

from viz.theme import Theme

HALO = 4
"""How much wider in pixels the light line below a dark one is."""


def framing(line: dict[str, Any], theme: Theme) -> list[dict[str, Any]]:
    """The lines of a frame, the lowest first: without hues a cell can be as dark as the frame round it."""
    halo = {"color": theme.paper, "width": line["width"] + HALO}
    return [line] if theme.has_hues else [halo, line]
