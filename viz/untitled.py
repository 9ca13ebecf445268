"""A figure without its headline, for a sheet that has one: the line that it stood on goes too."""

from viz.parts.canvas import HEADLINE_LINE
from viz.parts.figure import Figure, Spec
from viz.parts.heights import replaced

HEADED = ("title", "meta")
"""The headline, and what it says in full where there is no room for that."""


def untitled(figure: Figure) -> Figure:
    """The figure without its headline, if it has one, and so much lower; the one given stays."""
    spec = figure.to_dict()
    if "title" not in spec["layout"]:
        return figure
    layout = {name: value for name, value in spec["layout"].items() if name not in HEADED}
    margin, before = layout["margin"], layout["height"]
    height = before - HEADLINE_LINE
    if margin["t"]:
        lower = {**margin, "t": margin["t"] - HEADLINE_LINE}
        return Figure({**spec, "layout": {**layout, "margin": lower, "height": height}})
    return _without_line({**spec, "layout": layout}, before, height)


def _without_line(spec: Spec, before: float, height: float) -> Figure:
    """The figure without its uppermost pixels, whose paper is all of it."""

    def place(share: float) -> float:
        return share * before / height

    return replaced(spec, height, place, bars=place)
