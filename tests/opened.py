"""Plotly's validation of every kind of trace and setting in the figures of tests."""

import json
from collections.abc import Hashable, Mapping
from typing import Any

import pytest

from viz.layout.canvas import Canvas
from viz.layout.figure import Figure

FREE = {"text", "hovertext", "hovertemplate", "ticktext", "name", "customdata", "meta", "x", "y", "bdata"}
"""Attributes for any text, and the bytes of an array."""

_taken: set[Hashable] = set()


@pytest.fixture(autouse=True)
def open_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise Plotly's error about a figure in the test that first draws it.

    The figure of a page stays unvalidated, as in the app: a second figure of the same dict is validated.
    """
    finish = Canvas.finished

    def finished(drawn: Canvas) -> Figure:
        figure = finish(drawn)
        assert_taken_by_plotly(figure.to_dict())
        return figure

    monkeypatch.setattr(Canvas, "finished", finished)


def assert_taken_by_plotly(spec: Mapping[str, Any]) -> None:
    """Fail if Plotly finds an error in a figure; parts of an accepted kind are not validated again."""
    traces = [(kind_of(one), one) for one in spec["data"]]
    settings = [(kind_of({name: one}), name) for name, one in spec["layout"].items()]
    new = {
        "data": [one for kind, one in traces if kind not in _taken],
        "layout": {name: spec["layout"][name] for kind, name in settings if kind not in _taken},
    }
    if new["data"] or new["layout"]:
        assert Figure(json.loads(json.dumps(new))).layout is not None
        _taken.update(kind for kind, _ in (*traces, *settings))


def kind_of(part: Any, name: str = "") -> Hashable:
    """Return all that Plotly's validation may depend on: attributes, their words, the sizes of numbers.

    Of a number it is whether it is whole, below 0, at most 1 or above; of a list it is its content.
    """
    if isinstance(part, Mapping):
        return frozenset((key, kind_of(value, key)) for key, value in part.items())
    if isinstance(part, list):
        return frozenset(kind_of(value, name) for value in part)
    if isinstance(part, bool) or part is None:
        return part, "as it is"
    if isinstance(part, int | float):
        return type(part).__name__, part < 0, part <= 0, part <= 1
    return "words" if name in FREE else part
