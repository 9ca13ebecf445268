"""Words slanted above a matrix that have grown: the matrix begins so much lower."""

import re
from collections.abc import Mapping
from math import radians, sin
from typing import Any

from viz.text import em_width

MARKUP = re.compile("<[^<>]*>")
NARROWER = 0.9
"""How long a word is as a share of what the widest typeface needs."""

MOST = 0.5
"""What words may take of a panel at most."""


def lowered(layout: Mapping[str, Any], before: Mapping[str, Any], pixels: float) -> dict[str, Any]:
    """The layout, its paper `pixels` high, with room above panels for words that were smaller `before`."""
    moved = dict(layout)
    for name, axis in layout.items():
        if not (name.startswith("xaxis") and axis.get("side") == "top" and axis.get("showticklabels", True)):
            continue
        upright = f"yaxis{str(axis.get('anchor', 'y'))[1:]}"
        first, last = layout.get(upright, {}).get("domain", (0.0, 1.0))
        by = min(_grown(axis, before.get(name, {})) / pixels, MOST * (last - first))
        if upright in layout and by * pixels > 1:
            moved[upright] = {**layout[upright], "domain": [first, last - by]}
    return moved


def _grown(axis: Mapping[str, Any], before: Mapping[str, Any]) -> float:
    """Pixels by which the longest of slanted words reaches higher than before."""
    angle = abs(axis.get("tickangle") or 0)
    words = axis.get("ticktext")
    if angle < 30 or not isinstance(words, list):
        return 0.0
    longest = max((em_width(MARKUP.sub("", str(word))) for word in words), default=0.0)
    sizes = (float(one.get("tickfont", {}).get("size", 12)) for one in (axis, before))
    now, then = sizes
    return longest * NARROWER * (now - then) * sin(radians(angle))
