"""In grey no figure of any view has a hue, words can be read, and greys alone tell nothing apart."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from urllib.parse import unquote

import pytest

from pages.contract.sheet import Drawing
from tests.covering import each as every
from tests.pages.contract.test_every_sheet import VIEWS, opened, parts, pictures
from tests.test_contrast import LEAST, contrast
from viz.layout.figure import Spec
from viz.room import Room
from viz.theme import GREY

pytestmark = pytest.mark.usefixtures("without_real_models")

HEX = re.compile(r"#([0-9A-Fa-f]{6})\b")
PAINT = re.compile(r"(?:fill|stroke)='([^']+)'")
UNSEEN = "rgba(0,0,0,0)"
NO_COLOUR = re.compile(r"none|url\(#\w+\)")

Trace = dict[str, Any]


def strings(part: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string in a part of a figure with the name that it stands under, drawings as their text."""
    if isinstance(part, dict):
        for name, value in part.items():
            yield from strings(value, name)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from strings(value, key)
    elif isinstance(part, str) and key != "bdata":
        yield key, unquote(part)


def hues(part: Any) -> list[str]:
    """Yield the colours in a part of a figure that are not grey."""
    found = []
    for key, text in strings(part):
        coloured = [one for one in HEX.findall(text) if len({one[:2], one[2:4], one[4:]}) > 1]
        named = [text] if key.lower().endswith("color") and not HEX.fullmatch(text) and text != UNSEEN else []
        painted = [one for one in PAINT.findall(text) if not HEX.fullmatch(one) and not NO_COLOUR.match(one)]
        found += [*coloured, *named, *painted]
    return found


def left_to_plotly(trace: Trace) -> bool:
    """Return whether a visible trace has no colour: Plotly would give it one of its hues."""
    mode, marker = trace.get("mode", ""), trace.get("marker", {})
    if marker.get("opacity") == 0 or trace.get("opacity") == 0:
        return False
    if trace["type"] == "bar" or mode == "markers":
        return "color" not in marker and "color" not in marker.get("line", {})
    return "lines" in mode and "color" not in trace.get("line", {})


def too_light(layout: dict[str, Any]) -> list[str]:
    """Return the inks of words that are too light on paper; white ones stand on something dark."""
    notes = [*layout.get("annotations", []), *(one for one in layout.values() if isinstance(one, dict))]
    inks = {text for note in notes for key, text in strings(note) if key == "color"}
    return [ink for ink in inks - {GREY.paper} if contrast(ink, GREY.paper) < LEAST]


def lines_alike(traces: list[Trace]) -> list[tuple[str, str]]:
    """Pairs of lines on the same axes whose greys are all that tells one from the other."""
    lines = [one for one in traces if one["type"] == "scatter" and "lines" in one.get("mode", "")]
    looks = [
        (
            one["line"]["color"],
            (one.get("xaxis"), one.get("yaxis")),
            one["line"].get("dash", "solid"),
            one["line"].get("width"),
            sign(one.get("marker", {})) if "markers" in one["mode"] else None,
        )
        for one in lines
    ]
    return [(a[0], b[0]) for a, b in combinations(looks, 2) if a[0] != b[0] and a[1:] == b[1:]]


def sign(marker: Trace) -> tuple[Any, bool]:
    """Return the sign of a line's points, and whether it is open: its fill covers the line with paper."""
    return marker.get("symbol"), marker.get("color") == GREY.paper


def bars_alike(spec: Spec) -> list[tuple[Any, ...]]:
    """Return bars in two greys that share axes, row and direction, without patterns or separate names."""
    axis = spec["layout"].get("xaxis", {})
    ticks = zip(axis.get("tickvals", []), map(str, axis.get("ticktext", [])), strict=False)
    bold = {at for at, word in ticks if word.startswith("<b>")}
    bars = [one for one in spec["data"] if one["type"] == "bar" and one["marker"].get("opacity") != 0]
    greys: dict[tuple[Any, ...], set[str]] = {}
    for trace in bars:
        lies = trace.get("orientation") == "h"
        names = trace["customdata"] if lies and trace.get("textposition") == "inside" else []
        for at, length in enumerate(trace["x" if lies else "y"]):
            row = [] if "yaxis" in trace else each(trace.get("base", 0), at)
            shape = each(trace["marker"].get("pattern", {}).get("shape", ""), at)
            named = each(names, at) if names else not lies and trace["x"][at] in bold
            look = (trace.get("xaxis"), trace.get("yaxis"), str(row), (length or 0) < 0, shape, named)
            greys.setdefault(look, set()).add(each(trace["marker"].get("color", GREY.paper), at))
    return [look for look, found in greys.items() if len(found) > 1]


def each(values: Any, at: int) -> Any:
    """Return an attribute of one bar; all bars may share one value."""
    return values[at] if isinstance(values, list) else values


GREY_PAGE = Room(theme=GREY)


@every(("address", "view"), VIEWS)
def test_a_view_can_be_printed_without_colour(address: str, view: str) -> None:
    sheet = opened(address, view, "grey")

    assert [one.key for one in parts(sheet.sheet) if isinstance(one, Drawing) and hues(one.data)] == []
    for key, shown in pictures(sheet).items():
        spec = shown.picture.figure(GREY_PAGE).to_dict()
        assert hues(spec) == [], key
        assert not any(map(left_to_plotly, spec["data"])), key
        assert lines_alike(spec["data"]) == [], key
        assert bars_alike(spec) == [], key
        assert too_light(spec["layout"]) == [], key
        # Chromium writes a letter with a stroke as a Type 3 font into a PDF, which publishers refuse.
        assert not [text for _, text in strings(spec) if "<span" in text and "stroke" in text], key
