"""A figure is drawn once for all equal requests, and no visitor sees another's changes."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from viz.layout import figure_cache as module
from viz.layout.canvas import Canvas, canvas
from viz.layout.figure import trace_of
from viz.layout.figure_cache import cached_figure, keep_figures_in
from viz.matrices import HeadMatrix
from viz.room import Room
from viz.theme import DARK, LIGHT


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Canvas]:
    """The sketches that were finished, one after the other."""
    found: list[Canvas] = []
    finish = Canvas.finished

    def finished(drawn: Canvas) -> Any:
        found.append(drawn)
        return finish(drawn)

    monkeypatch.setattr(Canvas, "finished", finished)
    return found


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch) -> dict[bytes, bytes]:
    """The cache of figures, empty before every test."""
    kept: dict[bytes, bytes] = {}

    def recall(key: bytes, draw: Callable[[], bytes]) -> bytes:
        return kept[key] if key in kept else kept.setdefault(key, draw())

    monkeypatch.setattr(module, "_recall", recall)
    return kept


def pattern() -> np.ndarray:
    """Weights without another owner."""
    return np.tril(np.arange(1, 10, dtype=np.float32).reshape(3, 3)) / 20


def asked(**look: Any) -> go.Figure:
    """Return a matrix with new arguments, as for another visitor."""
    room = Room(**{name: look.pop(name) for name in ("theme", "width") if name in look})
    given = {"title": "head 1", **look}
    return HeadMatrix(pattern=pattern(), words=[*["the", "cat", "the"]], **given).figure(room)


def test_equal_values_give_the_same_figure_without_drawing(drawn: list[Canvas]) -> None:
    first, second = asked(), asked()
    assert len(drawn) == 1
    assert first is not second
    assert first.to_dict() == second.to_dict()


@pytest.mark.parametrize(
    "look",
    [
        {"title": "head 2"},
        {"theme": DARK},
        {"selected": (1, 0)},
        {"width": 200},
        {"allowed": pattern() > 0.1},
    ],
)
def test_another_value_is_another_figure(look: dict[str, Any], drawn: list[Canvas]) -> None:
    assert asked().to_dict() != asked(**look).to_dict()
    assert len(drawn) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.ones((2, 3)), np.ones((3, 2))),
        (np.zeros(2, dtype=np.float32), np.zeros(2, dtype=np.int32)),
        (pd.DataFrame({"a": [2], "b": [3]}), pd.DataFrame({"b": [2], "a": [3]})),
    ],
    ids=["shape", "kind of number", "names of columns"],
)
def test_the_same_bytes_that_mean_something_else_are_another_figure(one: Any, other: Any) -> None:
    @cached_figure
    def told(numbers: Any) -> go.Figure:
        figure = canvas(340, 50, LIGHT)
        figure.add_trace(trace_of("scatter", text=[repr(numbers)]))
        return figure.finished()

    texts = [told(numbers).data[0].text for numbers in (one, other)]
    assert texts == [(repr(one),), (repr(other),)]


def test_an_argument_without_a_value_is_drawn_every_time(drawn: list[Canvas]) -> None:
    @cached_figure
    def told(table: pd.DataFrame, say: Any) -> go.Figure:
        figure = canvas(340, 50, LIGHT)
        figure.add_trace(trace_of("scatter", text=[say(value) for value in table["x"]]))
        return figure.finished()

    table = pd.DataFrame({"x": [2, 3]})
    texts = [told(table, lambda x, n=n: str(n * x)).data[0].text for n in (5, 7)]
    assert [list(text) for text in texts] == [["10", "15"], ["14", "21"]]
    told(table, str)
    told(table.copy(), str)
    assert len(drawn) == 3


def test_figures_are_kept_in_the_given_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_recall", None)  # which comes back after the test
    kept: dict[bytes, bytes] = {}
    keep_figures_in(lambda key, draw: kept.setdefault(key, draw()))
    figure = asked().to_dict()
    assert [json.loads(spec) for spec in kept.values()] == [json.loads(json.dumps(figure))]


def test_parallel_requests_get_their_own_figures() -> None:
    titles = [f"head {at % 5}" for at in range(60)]
    with ThreadPoolExecutor(6) as visitors:
        figures = list(visitors.map(lambda title: asked(title=title), titles))
    assert [figure.to_dict() for figure in figures] == [asked(title=title).to_dict() for title in titles]
