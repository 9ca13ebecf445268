"""Room at the edges of a figure for notes in larger type than they were drawn for."""

import re
from collections.abc import Mapping
from typing import Any

from viz.text import em_width

USUAL_TYPE = 12
"""Pixels of type by Plotly's default."""

NARROWER = 0.95
"""How wide a line is as a share of what the widest typeface needs."""

MOST_OVER = 0.08
"""What a note that reaches over an edge may take of the width at most."""

MARKUP = re.compile("<[^<>]*>")


def with_room(layout: Mapping[str, Any], width: float) -> dict[str, Any]:
    """Margins that have room for notes which in larger type would reach over the edges of the paper."""
    over = {"l": 0.0, "r": 0.0}
    for note in layout.get("annotations", []):
        anchor, shift = note.get("xanchor"), note.get("xshift", 0)
        if note.get("xref") != "paper" or anchor not in ("left", "right") or note.get("textangle"):
            continue
        x, long = note["x"] * width + shift, _long(note)
        side, by = ("r", x + long - width) if anchor == "left" else ("l", long - x)
        over[side] = max(over[side], by)
    margin = layout.get("margin", {})
    return {
        **margin,
        **{side: margin.get(side, 80) + min(by, MOST_OVER * width) for side, by in over.items()},
    }


def _long(note: Mapping[str, Any]) -> float:
    """Pixels of the longest line of a note."""
    size = (note.get("font") or {}).get("size", USUAL_TYPE)
    lines = str(note["text"]).replace("<br>", "\n").split("\n")
    return max(em_width(MARKUP.sub("", line)) for line in lines) * size * NARROWER
