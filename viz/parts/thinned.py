"""Words along an axis without room for all of them: every second, every third; one that is chosen stays."""

import re
from collections.abc import Mapping
from math import ceil, radians, sin
from typing import Any

from viz.text import em_width

HIGH = 0.95
"""Em from one line of words to the next at least: their letters do not touch."""

APART = 0.35
"""Em between two numbers that stand side by side."""

MARKUP, NUMBERS = re.compile("<[^<>]*>"), re.compile(r"[-−+]?[\d.,]+[kM%]?(?:[–-][\d.,]+)?")
CHOSEN = "<b>"


def thinned(axis: Mapping[str, Any], letter: str, pixels: float) -> dict[str, Any]:
    """The axis, `pixels` long on the whole paper, with as many of its words as do not touch each other.

    Names that stand upright on an axis from left to right stay, for none of them follows from the others.
    """
    values, words = axis.get("tickvals"), axis.get("ticktext")
    if not (isinstance(values, list) and isinstance(words, list) and "range" in axis and len(values) > 2):
        return dict(axis)
    low, high = axis["range"]
    first, last = axis.get("domain", (0.0, 1.0))
    pitch = (last - first) * pixels / (abs(high - low) or 1.0) * abs(values[1] - values[0])
    step = ceil(_needed(axis, words, letter) / pitch) if pitch else 1
    if step <= 1 or axis.get("type") == "log":
        return dict(axis)
    shown = _shown(words, step)
    hidden = {str(values[at]): words[at] for at in range(len(words)) if at not in shown}
    aliases = {"labelalias": {**axis["labelalias"], **hidden}} if "labelalias" in axis else {}
    return {
        **axis,
        **aliases,
        "tickvals": [values[at] for at in shown],
        "ticktext": [words[at] for at in shown],
    }


def _needed(axis: Mapping[str, Any], words: list[str], letter: str) -> float:
    """Pixels from one word to the next that they want along the axis."""
    size = float(axis.get("tickfont", {}).get("size", 12))
    angle = abs(axis.get("tickangle") or 0)
    if letter == "y":
        return HIGH * size
    if angle >= 30:
        return HIGH * size / sin(radians(angle))
    plain = [MARKUP.sub("", str(word)) for word in words]
    if not all(NUMBERS.fullmatch(word) for word in plain):
        return 0.0
    return (max(map(em_width, plain)) + APART) * size


def _shown(words: list[str], step: int) -> list[int]:
    chosen = [at for at, word in enumerate(words) if str(word).startswith(CHOSEN)]
    apart = [at for at in range(0, len(words), step) if all(abs(at - one) >= step for one in chosen)]
    return sorted({*apart, *chosen})
