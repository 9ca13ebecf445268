"""A finished figure in another shape: its panels fill the room, and its letters have a least size.

For a lecture a figure fills the window, whatever it was drawn for: cells become wider than high, curves
longer, and words stay as they are.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import quote, unquote

from viz.parts.digits import with_digits
from viz.parts.figure import Figure, Spec
from viz.parts.note_room import with_room
from viz.parts.paper import WHOLE, Paper, Span, paper
from viz.parts.slanted import lowered
from viz.parts.thinned import thinned, thinned_bars
from viz.text import em_width

USUAL_HEIGHT, USUAL_TYPE = 450, 12
"""Pixels of a figure that says no height, and of type that says no size, by Plotly's defaults."""

LINE = 1.2
"""How high a line of type is, in em."""

FEWEST_THINNED = 6
"""From how many words on every second one can be left out."""

LOWEST_PANEL = 90
"""Pixels of height below which no panel is pressed, if only curves are in it."""

DOT = re.compile(r"circle([^<>]*?) r='([\d.]+)'")
LOWEST_WRITTEN = 0.78
"""To what share of its height a panel can be pressed that has words in it, in boxes drawn for them."""

MARKUP, INLINE = re.compile("<[^<>]*>"), re.compile(r"font-size:\s*([\d.]+)px")


@dataclass(frozen=True)
class Natural:
    """How large a figure was drawn, in pixels; without a width it takes what it gets.

    It can be pressed to the height `least`: lower, its lines would stand on each other.
    """

    width: float | None
    height: float
    least: float


def natural(figure: Figure, *, least_type: float, thins: bool = False) -> Natural:
    """The size of a figure whose letters are to be `least_type` pixels high at least.

    If it `thins`, every second one of the words beside rows may be left out.
    """
    spec = figure.to_dict()
    layout = spec["layout"]
    height = float(layout.get("height") or USUAL_HEIGHT)
    width = layout.get("width")
    spans = [_span(axis, name) for name, axis in _axes(layout, "y")]
    inside = _inside(layout, height, "tb")
    tall = inside * sum(last - first for first, last in paper(spans, 1, 1).panels)
    shares = [_pressed(spec, name, axis, inside, least_type, thins) for name, axis in _axes(layout, "y")]
    least = height - tall * (1 - min(1.0, max(shares, default=1.0)))
    return Natural(None if width is None else float(width), height, least)


def stretched(figure: Figure, width: float, height: float, *, least_type: float) -> Figure:
    """The figure with this size in pixels, and no letter smaller than `least_type`; the one given stays."""
    spec = figure.to_dict()
    before = spec["layout"]
    layout = _with_type(before, least_type)
    size = {"x": (before.get("width") or width, width), "y": (before.get("height") or USUAL_HEIGHT, height)}
    across, upwards = (_paper(before, letter, *size[letter]) for letter in "xy")
    for letter, moved in (("x", across), ("y", upwards)):
        _move_axes(layout, letter, moved)
        for kind in ("annotations", "shapes", "images"):
            layout[kind] = [_moved(one, letter, moved) for one in layout.get(kind, [])]
    layout = lowered(layout, before, upwards.after)
    layout["margin"] = with_room(layout, across.after)
    layout["images"] = [_with_round_dots(one, across.growth, upwards.growth) for one in layout["images"]]
    layout["shapes"] = [_round(one, before, size) for one in layout["shapes"]]
    traces = [_with_bar(_with_type(trace, least_type), across, upwards) for trace in spec.get("data", [])]
    traces = [{**trace, "constraintext": "none"} if trace.get("type") == "bar" else trace for trace in traces]
    traces = [with_digits(trace, layout, (across.after, upwards.after), least_type) for trace in traces]
    traces = [thinned_bars(trace, layout, across.after) for trace in traces]
    layout |= {"width": round(width), "height": round(height), "autosize": False}
    return Figure({"data": traces, "layout": _with_whole_title(layout, width, least_type)})


def _axes(layout: Mapping[str, Any], letter: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The axes of a direction by the names that traces know them by."""
    for name, axis in layout.items():
        if name.startswith(f"{letter}axis"):
            yield letter + name.removeprefix(f"{letter}axis"), axis


def _span(axis: Mapping[str, Any], name: str) -> Span:
    first, last = axis.get("domain", WHOLE)
    return float(first), float(last)


def _inside(layout: Mapping[str, Any], whole: float, sides: str) -> float:
    """Pixels between two margins."""
    margin = layout.get("margin", {})
    return max(1.0, whole - sum(margin.get(side, 80) for side in sides))


def _paper(layout: Mapping[str, Any], letter: str, before: float, after: float) -> Paper:
    sides = "lr" if letter == "x" else "tb"
    used = [axis for axis in _axes(layout, letter) if axis[1].get("domain") or axis[0] == letter]
    spans = [_span(axis, name) for name, axis in used]
    return paper(spans, _inside(layout, before, sides), _inside(layout, after, sides))


def _move_axes(layout: dict[str, Any], letter: str, moved: Paper) -> None:
    for name, axis in _axes(layout, letter):
        if "domain" in axis:
            domain = [min(max(moved.place(end), 0.0), 1.0) for end in axis["domain"]]
            axis = {**axis, "domain": domain}
        layout[f"{letter}axis{name[1:]}"] = thinned(axis, letter, moved.after)


def _moved(one: Mapping[str, Any], letter: str, moved: Paper) -> dict[str, Any]:
    """An annotation, a shape or an image where it stands on the paper, not on axes of its own."""
    if one.get(f"{letter}ref") != "paper":
        return dict(one)
    if one.get(f"{letter}sizemode") == "pixel":
        anchor = f"{letter}anchor"
        return {**one, anchor: moved.place(one[anchor])}
    ends = {key: moved.place(one[key]) for key in (letter, f"{letter}0", f"{letter}1") if key in one}
    size = f"size{letter}"
    grown = (
        {size: moved.place(one[letter] + one[size]) - ends[letter]} if size in one and letter in one else {}
    )
    return {**one, **ends, **grown}


def _round(shape: dict[str, Any], layout: Mapping[str, Any], size: Mapping[str, Any]) -> dict[str, Any]:
    """A circle as a circle of the size that it had, where axes are drawn longer."""
    if shape.get("type") != "circle" or "xsizemode" in shape:
        return shape
    for letter in "xy":
        ref = str(shape.get(f"{letter}ref", letter))
        axis = layout.get(f"{letter}axis{ref[1:]}", {})
        if "range" not in axis:
            return shape
        first, last = _span(axis, ref)
        pixels = (last - first) * _inside(layout, size[letter][0], "lr" if letter == "x" else "tb")
        ends = shape[f"{letter}0"], shape[f"{letter}1"]
        half = abs(ends[1] - ends[0]) / 2 * pixels / abs(axis["range"][1] - axis["range"][0])
        middle = {f"{letter}anchor": sum(ends) / 2, f"{letter}0": -half, f"{letter}1": half}
        shape = {**shape, f"{letter}sizemode": "pixel", **middle}
    return shape


def _with_round_dots(image: dict[str, Any], wider: float, higher: float) -> dict[str, Any]:
    """A drawing below cells whose dots stay round where it is stretched with them."""

    def round_dot(said: re.Match[str]) -> str:
        return f"ellipse{said[1]} rx='{float(said[2]) / wider:g}' ry='{float(said[2]) / higher:g}'"

    head, is_svg, drawing = str(image["source"]).partition("svg+xml,")
    return (
        {**image, "source": head + is_svg + quote(DOT.sub(round_dot, unquote(drawing)))} if is_svg else image
    )


def _with_bar(trace: dict[str, Any], across: Paper, upwards: Paper) -> dict[str, Any]:
    bar = trace.get("colorbar")
    if not bar:
        return trace
    place = {
        letter: moved.place(bar[letter]) for letter, moved in (("x", across), ("y", upwards)) if letter in bar
    }
    return {**trace, "colorbar": {**bar, **place}}


def _with_type(part: Any, least: float, name: str = "") -> Any:
    """A part of a figure, copied, whose type is of the least size; arrays and lists of numbers are shared."""
    if isinstance(part, dict):
        copied = {key: _with_type(value, least, key) for key, value in part.items()}
        if name.lower().endswith("font") and "size" in copied:
            copied["size"] = _at_least(copied["size"], least)
        return copied
    if isinstance(part, list) and any(isinstance(one, dict | list | str) for one in part):
        return [_with_type(one, least) for one in part]
    if isinstance(part, str) and "font-size" in part:
        return INLINE.sub(lambda said: f"font-size:{max(float(said[1]), least):g}px", part)
    return part


def _at_least(size: Any, least: float) -> Any:
    return [max(one, least) for one in size] if isinstance(size, list) else max(size, least)


def _with_whole_title(layout: dict[str, Any], width: float, least: float) -> dict[str, Any]:
    """The title in full where a narrower figure had to cut it, if there is room now."""
    whole = layout.pop("meta", {}).get("title")
    title = layout.get("title", {})
    if not whole or not title:
        return layout
    size = min(title["font"]["size"], (width - 16) / em_width(MARKUP.sub("", whole)))
    if size < least:
        return layout  # the shorter one is larger
    return {**layout, "title": {**title, "text": f"<b>{whole}</b>", "font": {**title["font"], "size": size}}}


def _pressed(
    spec: Spec, name: str, axis: Mapping[str, Any], inside: float, least: float, thins: bool
) -> float:
    """To what share of its length an upright axis can be pressed before lines on it touch."""
    first, last = _span(axis, name)
    length = max(1.0, (last - first) * inside)
    shares = [LOWEST_PANEL / length, LOWEST_WRITTEN if _has_writing(spec, name) else 0.0]
    if "range" in axis:
        pixels = length / (abs(float(axis["range"][1]) - float(axis["range"][0])) or 1.0)
        shares += [high / (apart * pixels) for high, apart in _lines(spec, name, axis, least, thins)]
    return min(1.0, max(shares))


def _has_writing(spec: Spec, name: str) -> bool:
    """Whether something is written between the ends of an axis, where it fits as it was drawn."""
    notes = any(one.get("yref") == name for one in spec["layout"].get("annotations", []))
    return notes or any(
        "text" in trace.get("mode", "") for trace in spec.get("data", []) if trace.get("yaxis", "y") == name
    )


def _lines(
    spec: Spec, name: str, axis: Mapping[str, Any], least: float, thins: bool
) -> Iterator[tuple[float, float]]:
    """How high lines along an axis are in pixels, and how far apart in its units."""
    ticks = axis.get("tickvals")
    if (
        axis.get("ticktext")
        and axis.get("showticklabels", True)
        and isinstance(ticks, list)
        and len(ticks) > 1
    ):
        is_thinned = thins and len(ticks) >= FEWEST_THINNED
        yield _high(axis.get("tickfont"), least) / (2 if is_thinned else 1), _least_apart(ticks)
    for trace in spec.get("data", []):
        is_matrix = trace.get("yaxis", "y") == name and trace.get("type") == "heatmap"
        if is_matrix and "texttemplate" in trace and not thins:
            yield _high(trace.get("textfont"), least), float(trace.get("dy", 1))
    bars = [one for one in spec.get("data", []) if _is_written_bar(one, name)]
    if bars and isinstance(bars[0].get("y"), list):
        high = _high(bars[0].get("textfont"), least) * len(bars)
        yield high, _least_apart([at for at in bars[0]["y"] if isinstance(at, int | float)])


def _is_written_bar(trace: Mapping[str, Any], name: str) -> bool:
    """Whether a trace of bars that lie, on this axis, has something written beside each."""
    lies = trace.get("type") == "bar" and trace.get("orientation") == "h"
    return lies and "text" in trace and trace.get("yaxis", "y") == name


def _high(font: Mapping[str, Any] | None, least: float) -> float:
    return LINE * max(least, _size(font))


def _size(font: Mapping[str, Any] | None) -> float:
    size = (font or {}).get("size", USUAL_TYPE)
    return float(max(size) if isinstance(size, list) else size)


def _least_apart(places: list[float]) -> float:
    at = sorted(map(float, places))
    return min((b - a for a, b in pairwise(at) if b > a), default=1.0)
