"""Words along an axis without room for all of them: every second, every third.

One that is chosen stays, and so does the last, which is where a model writes on.
"""

import re
from collections.abc import Mapping
from math import radians, sin
from typing import Any

from viz.text import em_width

HIGH = 0.95
"""Em from one line of words to the next at least: their letters do not touch."""

APART = 0.35
"""Em between two numbers that stand side by side."""

BETWEEN, NARROWER = 0.15, 0.9
"""Em between the numbers of two bars, and how wide a word is as a share of what the widest typeface needs."""

MARKUP, NUMBERS = re.compile("<[^<>]*>"), re.compile(r"[-−+]?[\d.,]+[kM%]?(?:[–-][\d.,]+)?")
CHOSEN = "<b>"


def thinned(axis: Mapping[str, Any], letter: str, pixels: float) -> dict[str, Any]:
    """The axis, `pixels` long on the whole paper, with as many of its words as do not touch each other.

    Those that were left out for want of room come back where there is some. Names that stand upright on an
    axis from left to right stay, for none of them follows from the others.
    """
    values, words = _with_left_out(axis)
    if not (isinstance(values, list) and isinstance(words, list) and "range" in axis and len(values) > 2):
        return dict(axis)
    if axis.get("type") == "log" or not axis.get("showticklabels", True):
        return dict(axis)
    each = _pixels(axis, pixels)
    shown = _shown([each * abs(value - values[0]) for value in values], words, _needed(axis, words, letter))
    if len(shown) == len(axis["tickvals"]) == len(words):
        return dict(axis)
    hidden = {str(values[at]): words[at] for at in range(len(words)) if at not in shown}
    aliases = {"labelalias": hidden} if "labelalias" in axis else {}
    return {
        **axis,
        **aliases,
        "tickvals": [values[at] for at in shown],
        "ticktext": [words[at] for at in shown],
    }


def _with_left_out(axis: Mapping[str, Any]) -> tuple[Any, Any]:
    """Where words stand and the words, with those that only a hover says."""
    values, words, left_out = axis.get("tickvals"), axis.get("ticktext"), axis.get("labelalias")
    if not left_out or not isinstance(values, list) or not isinstance(words, list):
        return values, words
    whole = sorted([*zip(values, words, strict=True), *((int(at), word) for at, word in left_out.items())])
    return [at for at, _ in whole], [word for _, word in whole]


def thinned_bars(trace: dict[str, Any], layout: Mapping[str, Any], pixels: float) -> dict[str, Any]:
    """Upright bars with as many of their numbers as do not touch each other, from the first on."""
    axis = layout.get(f"xaxis{str(trace.get('xaxis', 'x'))[1:]}", {})
    text = trace.get("text")
    if trace.get("type") != "bar" or trace.get("orientation") == "h" or not isinstance(text, list):
        return trace
    if "range" not in axis or "offset" in trace:
        return trace
    each, size = _pixels(axis, pixels), trace.get("textfont", {}).get("size", 12)
    wide = [(em_width(MARKUP.sub("", str(one))) * NARROWER + BETWEEN) * size for one in text]
    kept: list[int] = []
    for at, one in enumerate(text):
        if one and all((at - last) * each >= (wide[at] + wide[last]) / 2 for last in kept[-1:]):
            kept.append(at)
    return {**trace, "text": [one if at in kept else "" for at, one in enumerate(text)]}


def _pixels(axis: Mapping[str, Any], pixels: float) -> float:
    """Pixels of a unit of an axis."""
    low, high = axis["range"]
    first, last = axis.get("domain", (0.0, 1.0))
    return float((last - first) * pixels / (abs(high - low) or 1.0))


def _needed(axis: Mapping[str, Any], words: list[str], letter: str) -> list[float]:
    """Pixels that each word wants along the axis."""
    size = float(axis.get("tickfont", {}).get("size", 12))
    angle = abs(axis.get("tickangle") or 0)
    if letter == "y":
        return [HIGH * size] * len(words)
    if angle >= 30:
        return [HIGH * size / sin(radians(angle))] * len(words)
    plain = [MARKUP.sub("", str(word)) for word in words]
    if not all(NUMBERS.fullmatch(word) for word in plain):
        return [0.0] * len(words)
    return [(em_width(word) * NARROWER + APART) * size for word in plain]


def _shown(places: list[float], words: list[str], needed: list[float]) -> list[int]:
    """The positions that are apart from each other; a chosen one stays, and makes its neighbours go.

    Words are counted from the last, and numbers from the first.
    """
    chosen = [at for at, word in enumerate(words) if str(word).startswith(CHOSEN)]

    def are_apart(one: int, other: int) -> bool:
        return abs(places[one] - places[other]) >= (needed[one] + needed[other]) / 2 - 0.01

    are_numbers = all(NUMBERS.fullmatch(MARKUP.sub("", str(word))) for word in words)
    shown: list[int] = []
    for at in range(len(words))[:: 1 if are_numbers else -1]:
        if at in chosen or all(are_apart(at, one) for one in (*chosen, *shown[-1:])):
            shown.append(at)
    return sorted(shown)
