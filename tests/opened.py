"""Every figure that a test draws is opened: Plotly compares all of it with what it may be."""

import pytest

from viz.parts.figure import Figure
from viz.parts.kept import STORE
from viz.parts.sketch import Sketch


@pytest.fixture(autouse=True)
def open_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plotly's error about a figure becomes that of whoever drew it, and every test draws its own.

    What a page shows stays shut, as it is in the app: another one of the same dict is opened.
    """
    STORE.clear()
    finish = Sketch.finished

    def finished(sketch: Sketch) -> Figure:
        figure = finish(sketch)
        assert Figure(figure.to_dict()).layout is not None
        return figure

    monkeypatch.setattr(Sketch, "finished", finished)
