"""Every figure that a test draws is opened: Plotly compares all of it with what it may be."""

import json
from typing import Any

import pytest

from viz.parts.figure import Figure
from viz.parts.kept import STORE
from viz.parts.sketch import Sketch

FREE = {"text", "hovertext", "customdata", "ticktext", "name", "x", "y"}
"""Attributes that take any text, where it is not the text of a switch."""

ALIKE: set[str] = set()
"""The outlines of the figures in which Plotly has found nothing wrong."""


@pytest.fixture(autouse=True)
def open_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plotly's error about a figure becomes that of whoever drew it, and every test draws its own.

    What a page shows stays shut, as it is in the app: another one of the same dict is opened. That takes as
    long as drawing it, and most figures differ from others in their words and numbers alone: those are not.
    """
    STORE.clear()
    finish = Sketch.finished

    def finished(sketch: Sketch) -> Figure:
        figure = finish(sketch)
        like = json.dumps(outline(figure.to_dict()))
        if like not in ALIKE:
            assert Figure(json.loads(json.dumps(figure.to_dict()))).layout is not None
            ALIKE.add(like)
        return figure

    monkeypatch.setattr(Sketch, "finished", finished)


def outline(part: Any, name: str = "") -> Any:
    """A part of a figure without what Plotly takes whatever it says: free text, and how large a number is.

    Numbers keep what limits are about: their sign, and whether they exceed 1. Of a list is left what differs.
    """
    if isinstance(part, dict):
        return {key: outline(value, key) for key, value in part.items() if key != "bdata"}
    if isinstance(part, list):
        found = {json.dumps(outline(one, name), sort_keys=True) for one in part}
        return sorted(found)
    if isinstance(part, str):
        return "" if name in FREE else part
    if isinstance(part, bool) or not isinstance(part, int | float):
        return part
    return [part < 0, part > 1, part == int(part)] if abs(part) < 1e300 else str(part)
