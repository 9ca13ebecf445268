"""Matrices whose digits make way, with room below them for the colour bar that takes their place."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from viz.parts.canvas import BAR_LINE
from viz.parts.figure import Figure, Spec
from viz.parts.heights import replaced
from viz.stretched import stretched

SAME_LINE = 0.5
"""Pixels by which what stands on the line of a bar may be above it."""


def barred(figure: Figure, width: float, height: float, *, least_type: float) -> Figure:
    """The figure with room for the bars that appear once it is `stretched` to this size; the one given stays.

    A bar that stands above its cells has room there.
    """
    spec = figure.to_dict()
    kept = [at for at, trace in enumerate(spec.get("data", [])) if keeps_bar(trace)]
    if not kept:
        return figure
    after = stretched(figure, width, height, least_type=least_type).to_dict()["data"]
    shown = [spec["data"][at] for at in kept if after[at].get("showscale")]
    tops = sorted({_top(spec, trace) for trace in shown if _is_below(spec, trace)})
    return _with_room(spec, tops) if tops else figure


def keeps_bar(trace: Mapping[str, Any]) -> bool:
    """Whether a trace has a colour bar for the case that its digits make way."""
    return "colorbar" in trace and "texttemplate" in trace and not trace.get("showscale", True)


def _is_below(spec: Spec, trace: Mapping[str, Any]) -> bool:
    axis = spec["layout"].get(f"yaxis{str(trace.get('yaxis', 'y'))[1:]}", {})
    return bool(trace["colorbar"]["y"] < axis.get("domain", (0.0, 1.0))[0])


def _top(spec: Spec, trace: Mapping[str, Any]) -> int:
    """Whole pixels from the upper edge of the paper to the bar."""
    return round((1 - trace["colorbar"]["y"]) * spec["layout"]["height"])


def _with_room(spec: Spec, tops: list[int]) -> Figure:
    """A line below each of `tops`, in pixels from above: what stood there or lower comes after it."""
    before = spec["layout"]["height"]
    height = before + BAR_LINE * len(tops)

    def place(share: float, *, is_bar: bool = False) -> float:
        down = (1 - share) * before
        lines = sum(top <= down + SAME_LINE * (-1 if is_bar else 1) - is_bar for top in tops)
        return 1 - (down + BAR_LINE * lines) / height

    return replaced(spec, height, place, bars=partial(place, is_bar=True))
