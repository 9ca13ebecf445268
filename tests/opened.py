"""Every figure that a test draws is opened: Plotly compares all of it with what it may be."""

import json
from functools import cache

import pytest

from viz.parts.figure import Figure
from viz.parts.sketch import Sketch


@pytest.fixture(autouse=True)
def open_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plotly's error about a figure becomes that of whoever drew it first.

    What a page shows stays shut, as it is in the app: another one of the same dict is opened.
    """
    finish = Sketch.finished

    def finished(sketch: Sketch) -> Figure:
        figure = finish(sketch)
        assert_taken_by_plotly(json.dumps(figure.to_dict()))
        return figure

    monkeypatch.setattr(Sketch, "finished", finished)


@cache
def assert_taken_by_plotly(spec: str) -> None:
    """Plotly finds nothing wrong with a figure; of one that it has been asked about it is not asked again."""
    assert Figure(json.loads(spec)).layout is not None
