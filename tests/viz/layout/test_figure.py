"""A figure is one dict on its way to the browser, and a go.Figure like any other for everybody else."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from tests.covering import each
from viz.layout.canvas import Canvas, canvas
from viz.layout.figure import LISTED, Figure, packed, trace_of
from viz.theme import LIGHT

DTYPES = (np.uint8, np.int16, np.int32, np.int64, np.float32, np.float64)


def sketch() -> Canvas:
    """One trace, one note, one shape, one image."""
    drawn = canvas(340, 120, LIGHT)
    matrix = np.arange(15, dtype=np.float32).reshape(3, 5)
    drawn.add_trace(trace_of("heatmap", z=matrix, x=np.arange(5), text=None, hovertext=[["a"] * 5] * 3))
    drawn.note("a note", np.float32(170), 60, size=15)
    drawn.shape(type="line", x0=0, x1=1, y0=0, y1=np.int64(2))
    drawn.image(source="data:image/svg+xml,", x=0, y=0)
    return drawn


def shut() -> Figure:
    return sketch().finished()


def sent(figure: Any) -> dict[str, Any]:
    """Return the figure as the browser gets it."""
    spec: dict[str, Any] = json.loads(plotly.io.to_json(figure, validate=False))
    return spec


def same_by_plotly(drawn: Canvas) -> go.Figure:
    """Return the same figure made by Plotly's constructor, from unpacked arrays."""
    return go.Figure({"data": drawn.data, "layout": drawn.layout})


def test_the_browser_gets_the_same_json_as_from_plotlys_constructor() -> None:
    ours, theirs = sent(sketch().finished().to_dict()), sent(same_by_plotly(sketch()))
    theirs["layout"].pop("template")
    by_plotly, by_us = theirs["data"][0].pop("x"), ours["data"][0].pop("x")
    assert ours == theirs
    # A row of numbers comes as a list: see `packed`.
    assert [by_us, _read(by_plotly)] == [[0, 1, 2, 3, 4]] * 2


def _read(spec: dict[str, str]) -> list[float]:
    figure = Figure({"data": [{"type": "scatter", "y": spec}], "layout": {}})
    values: list[float] = figure.data[0].y.tolist()
    return values


@each("dtype", DTYPES)
def test_numbers_survive_packing(dtype: type) -> None:
    array = np.array([[1, 2, 3], [5, 7, 11]], dtype=dtype)
    z = Figure(packed({"data": [{"type": "heatmap", "z": array}], "layout": {}})).data[0].z
    np.testing.assert_array_equal(z, array)
    assert z.dtype.itemsize <= array.dtype.itemsize


@each("number", [2**31, -(2**31) - 1, 2**53, 2**31 - 1])
def test_a_whole_number_too_long_for_32_bits_survives_packing(number: int) -> None:
    (y,) = Figure(packed({"data": [{"type": "scatter", "y": np.array([number])}], "layout": {}})).data[0].y
    assert y == number


def test_an_array_that_cannot_be_packed_becomes_a_list() -> None:
    part = {"text": np.array(["a", "b"], dtype=object), "seen": np.array([True]), "none": np.zeros(0)}
    assert packed(part) == {"text": ["a", "b"], "seen": [True], "none": []}


def test_a_row_of_numbers_is_a_list_unless_it_is_long() -> None:
    short = np.arange(LISTED, dtype=np.float32)
    assert packed(short) == short.tolist()
    assert packed(np.array([0.5, np.nan, np.inf])) == [0.5, None, None]
    for array in (np.arange(LISTED + 1), short.reshape(2, -1)):
        assert "bdata" in packed(array)


@pytest.mark.parametrize(
    "numbers", [[0.5, np.nan], [1, 2], np.arange(LISTED + 1)], ids=["gap", "whole", "long"]
)
def test_an_opened_figure_has_its_numbers_as_arrays(numbers: Any) -> None:
    """Also when it comes from where figures are kept, as text."""
    spec = packed({"data": [{"type": "scatter", "y": np.array(numbers), "text": ["a"]}]})
    for figure in (Figure(spec), Figure(json.loads(json.dumps(spec)))):
        opened = figure.data[0].y
        assert opened.dtype.kind == np.array(numbers).dtype.kind
        np.testing.assert_array_equal(opened, numbers)


def test_a_figure_opened_has_no_template_but_its_own() -> None:
    plotly.io.templates.default, before = "plotly_dark", plotly.io.templates.default
    try:
        assert shut().layout.template.layout.to_plotly_json() == {}
    finally:
        plotly.io.templates.default = before


def test_asking_for_a_part_opens_a_figure_and_leaves_its_dict_alone() -> None:
    figure = shut()
    spec, before = figure.to_dict(), json.dumps(figure.to_dict())
    figure.update_layout(height=77)
    figure.data[0].update(z=[[1]])
    assert json.dumps(spec) == before
    assert sent(figure)["layout"]["height"] == figure.layout.height == 77
    assert isinstance(figure, go.Figure)
