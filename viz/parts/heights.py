"""The paper of a figure made higher or lower: what hangs on it moves, and keeps its pixels."""

from collections.abc import Callable
from typing import Any

from viz.parts.figure import Figure, Spec

Place = Callable[[float], float]
"""Where a height on the paper lies on the paper after; its edges are 0 and 1."""

PLACED = {"annotations": ("y",), "shapes": ("y0", "y1"), "images": ("y",)}
"""What stands on the paper, and the names of its heights."""


def replaced(spec: Spec, height: float, place: Place, *, bars: Place) -> Figure:
    """The figure `height` pixels high with everything at its `place`, and colour bars at that of `bars`."""
    layout = {**spec["layout"], "height": height}
    for name, axis in layout.items():
        if name.startswith("yaxis") and "domain" in axis:
            layout[name] = {**axis, "domain": [place(end) for end in axis["domain"]]}
    for kind, names in PLACED.items():
        if kind in layout:
            layout[kind] = [_moved(one, names, place) for one in layout[kind]]
    traces = [
        {**trace, "colorbar": {**bar, "y": bars(bar["y"])}} if (bar := trace.get("colorbar")) else trace
        for trace in spec["data"]
    ]
    return Figure({"data": traces, "layout": layout})


def _moved(one: dict[str, Any], names: tuple[str, ...], place: Place) -> dict[str, Any]:
    if one.get("yref") != "paper":
        return one
    assert one.get("ysizemode") != "pixel", "beside what is drawn in shares of the paper"
    return {**one, **{name: place(one[name]) for name in names if name in one}}
