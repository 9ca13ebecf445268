"""The store of keys and values: its bars, its cells, what comes of it, and text that stays text."""

from typing import Any

import numpy as np
import pytest

from viz.lookup import MOST_DIMENSIONS, MOST_KEYS, drawn_keys, lookup
from viz.text import em_width
from viz.theme import DARK, LIGHT

WORDS = ("Zuko", "made", "his")
WEIGHTS = np.array([0.2, 0.1, 0.7])
VALUES = np.array([[1.0, -2.0], [0.5, 0.25], [-1.0, 3.0]])
RESULTS = {"output": WEIGHTS @ VALUES, "mean": VALUES.mean(axis=0)}


def drawn(**more: Any) -> Any:
    return lookup(
        WEIGHTS, VALUES, WORDS, RESULTS, query="“<b>”", temperature="0.5", theme=LIGHT, **more
    ).figure()


def test_every_key_has_its_weight_as_a_bar() -> None:
    bars = drawn().data[0]
    np.testing.assert_array_equal(bars.x, WEIGHTS)
    assert list(bars.text) == ["0.20", "0.10", "0.70"]
    assert tuple(drawn().layout.xaxis.range) == (0, 1)


def test_values_and_results_are_rows_of_cells_on_one_scale() -> None:
    _, *strips = drawn().data
    cells = np.vstack([strip.z for strip in strips])
    np.testing.assert_allclose(cells, np.vstack([VALUES, *RESULTS.values()]), atol=1e-6)
    assert {(strip.zmin, strip.zmax) for strip in strips} == {(-3.0, 3.0)}
    places = [strip.y[0] for strip in strips]
    assert places == [0, 1, 2, 3.5, 4.5]
    assert list(drawn().layout.yaxis.tickvals) == places
    assert "1.7" in strips[3].text[0][1]


def test_of_many_keys_those_with_the_largest_weights_are_drawn_in_their_order() -> None:
    weights = np.linspace(0, 1, 17)[::-1].copy()
    weights[16] = 2.0
    assert drawn_keys(weights) == [*range(MOST_KEYS - 1), 16]
    names = [f"w{i}" for i in range(17)]
    output = {"output": np.ones(11)}
    figure = lookup(
        weights, np.ones((17, 11)), names, output, query="“<b>”", temperature="1", theme=DARK
    ).figure()
    assert len(figure.data) == 1 + MOST_KEYS + 1
    assert figure.data[1].z.shape == (1, MOST_DIMENSIONS)
    assert figure.layout.yaxis.ticktext[MOST_KEYS - 1] == "w16"


@pytest.mark.parametrize(("size", "n"), [(340, 4), (480, 6), (980, 6)])
def test_a_narrow_figure_has_as_many_dimensions_as_its_cells_have_room_for(size: int, n: int) -> None:
    figure = lookup(
        WEIGHTS,
        np.ones((3, 11)),
        WORDS,
        {"output": np.ones(11)},
        query="“a”",
        temperature="1",
        theme=LIGHT,
        size=size,
    ).figure()
    assert figure.data[1].z.shape == (1, n)
    margin, across = figure.layout.margin, figure.layout.xaxis2.domain
    inner = size - margin.l - margin.r
    assert inner * (across[1] - across[0]) / n >= em_width("1.00") * figure.data[1].textfont.size
    free = (across[0] - figure.layout.xaxis.domain[1]) * inner
    assert free >= em_width("1.00") * figure.data[0].textfont.size + 4
    first, second = figure.layout.annotations[:2]
    assert first.x * inner + em_width(first.text) * first.font.size <= second.x * inner
    assert second.x * inner + em_width(second.text) * second.font.size <= inner
