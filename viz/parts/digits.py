"""The digits of cells that have become larger: written where a cell is wide and high enough for them."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from viz.parts.cells import MOST_WITH_DIGITS
from viz.parts.figure import unpacked
from viz.parts.scale import Scale, inks_on
from viz.parts.sketch import Trace
from viz.text import em_width

USUAL_TYPE, LINE = 12, 1.15
"""Pixels of type by Plotly's default, and how high a line of it is, in em."""

BETWEEN = 3
"""Pixels between the digits of one cell and of the next."""

AIRY = 1.6
"""How high a cell is, in em of its type, that gets digits it had no room for: lower, rows of digits merge."""

MARKUP, DIGIT = re.compile("<[^<>]*>"), re.compile(r"\d")
NUMBER, LEADING = re.compile(r"[<>]?[−-]?[\d.,]+"), re.compile(r"(^|[<>−-])0\.(?=\d)")

Text = list[list[str]]


def with_digits(trace: Trace, layout: Mapping[str, Any], inside: tuple[float, float], least: float) -> Trace:
    """A heatmap on a paper of this size `inside` its margins, with what digits its cells have room for.

    Where digits would touch they stand without the 0 before their point, or not at all; signs like −∞ stay.
    Where there were none, those that a hover says are written if few cells have ample room now. Where digits
    make way, the colour bar that waited for it is shown.
    """
    had_digits = "texttemplate" in trace
    text = trace.get("text") if had_digits else _inked(_hovered(trace), trace)
    cell = _cell(trace, layout, inside)
    if trace.get("type") != "heatmap" or not text or cell is None:
        return trace
    width, height = cell
    size = max(least, trace.get("textfont", {}).get("size", USUAL_TYPE))
    signs = _signs(text, trace)
    for written in (text, [[LEADING.sub(r"\1.", said) for said in row] for row in text], signs):
        fits = _widest(written) * size <= width - BETWEEN
        if fits and size * (LINE if had_digits else AIRY) <= height and any(map(any, written)):
            look = {"texttemplate": "%{text}", "textfont": {**trace.get("textfont", {}), "size": size}}
            bar = {} if written is not signs or written == text else _shown_bar(trace)
            return {**trace, "text": written, **look, **bar}
    bare = {key: value for key, value in trace.items() if key not in ("text", "texttemplate")}
    return {**bare, **_shown_bar(trace)}


def _shown_bar(trace: Trace) -> Trace:
    return {"showscale": True} if "colorbar" in trace else {}


def _signs(text: Text, trace: Trace) -> Text:
    """What is written in cells without digits, or without a number: there a 0 is the sign of a gap."""
    gaps = np.isnan(np.asarray(unpacked(trace["z"]), dtype=float)).tolist()
    return [
        [
            said if is_gap or not DIGIT.search(MARKUP.sub("", said)) else ""
            for said, is_gap in zip(*row, strict=True)
        ]
        for row in zip(text, gaps, strict=True)
    ]


def _hovered(trace: Trace) -> Text | None:
    """The numbers that a hover says of cells, and nothing of those where it says something else."""
    said = trace.get("hovertext")
    if not isinstance(said, list) or not said or not isinstance(said[0], list):
        return None
    numbers = [[one if NUMBER.fullmatch(one) else "" for one in row] for row in said]
    return numbers if len(said) * len(said[0]) <= MOST_WITH_DIGITS and any(map(any, numbers)) else None


def _inked(text: Text | None, trace: Trace) -> Text | None:
    """Numbers in the ink that contrasts with their cells: Plotly's own is hardly read on a middle grey."""
    if not text or "colorscale" not in trace:
        return text
    numbers = np.asarray(unpacked(trace["z"]), dtype=float)
    scale = Scale(colours=trace["colorscale"], low=trace["zmin"], high=trace["zmax"], decimals=0)
    inks = inks_on(scale.rgb(numbers)).tolist()
    return [
        [said and f'<span style="color:{ink}">{said}</span>' for said, ink in zip(*row, strict=True)]
        for row in zip(text, inks, strict=True)
    ]


def _cell(trace: Trace, layout: Mapping[str, Any], inside: tuple[float, float]) -> tuple[float, float] | None:
    """Width and height of a cell in pixels; None where an axis does not say what it reaches over."""
    sides = []
    for letter, whole in zip("xy", inside, strict=True):
        axis = layout.get(f"{letter}axis{str(trace.get(f'{letter}axis', letter))[1:]}", {})
        if "range" not in axis:
            return None
        (first, last), (low, high) = axis.get("domain", (0, 1)), axis["range"]
        sides.append((last - first) * whole / abs(high - low) * float(trace.get(f"d{letter}", 1)))
    return sides[0], sides[1]


def _widest(text: Text) -> float:
    return max(em_width(MARKUP.sub("", said)) for row in text for said in row)
