"""The store of keys and values: its bars, its cells, its result, and text that stays text."""

from typing import Any

import numpy as np

from tests.covering import each
from viz.layout.canvas import MARKUP
from viz.lookup import MOST_DIMENSIONS, MOST_KEYS, SoftLookup, drawn_keys
from viz.room import Room
from viz.text import em_width

WORDS = ("Zuko", "made", "his")
WEIGHTS = np.array([0.2, 0.1, 0.7])
VALUES = np.array([[1.0, -2.0], [0.5, 0.25], [-1.0, 3.0]])
RESULTS = {"output": WEIGHTS @ VALUES, "mean": VALUES.mean(axis=0)}


def drawn(
    weights: Any = WEIGHTS, values: Any = VALUES, words: Any = WORDS, results: Any = RESULTS, **room: Any
) -> Any:
    known = {"weights": weights, "values": values, "words": words, "results": results}
    return SoftLookup(title="S", temperature="0.5", **known).figure(Room(**room))


def test_every_key_has_its_weight_as_a_bar() -> None:
    bars = drawn().data[0]
    np.testing.assert_array_equal(bars.x, [*WEIGHTS, np.nan, np.nan])
    assert [MARKUP.sub("", one) for one in bars.text if one] == ["0.20", "0.10", "0.70"]
    assert tuple(drawn().layout.xaxis.range) == (0, 1)


def test_values_and_results_are_rows_of_cells_on_one_scale() -> None:
    _, *strips = drawn().data
    cells = np.vstack([strip.z for strip in strips])
    np.testing.assert_allclose(cells, np.vstack([VALUES, *RESULTS.values()]), atol=1e-6)
    assert {(strip.zmin, strip.zmax) for strip in strips} == {(-3.0, 3.0)}
    assert [(strip.y0, strip.dy, len(strip.z)) for strip in strips] == [(0, 1, 3), (3.5, 1, 2)]
    assert list(drawn().layout.yaxis.tickvals) == [0, 1, 2, 3.5, 4.5]
    assert "1.7" in strips[1].text[0][1]


def test_of_many_keys_those_with_the_largest_weights_are_drawn_in_their_order() -> None:
    weights = np.linspace(0, 1, 17)[::-1].copy()
    weights[16] = 2.0
    assert drawn_keys(weights) == [*range(MOST_KEYS - 1), 16]
    names = [f"w{i}" for i in range(17)]
    figure = drawn(weights, np.ones((17, 30)), names, {"output": np.ones(30)})
    assert figure.data[1].z.shape == (MOST_KEYS, MOST_DIMENSIONS)
    assert figure.layout.yaxis.ticktext[MOST_KEYS - 1] == "w16"


@each(
    ("room", "n", "said"),
    [
        ({"width": 350}, 4, "value, 4 of 11"),
        ({"width": 980}, 11, "value of the key"),
        ({"width": 352, "height": 358, "fills": True, "smallest_type": 10.5}, 4, "value, 4 of 11"),
    ],
)
def test_as_many_dimensions_are_drawn_as_have_room_and_nothing_touches(
    room: dict[str, Any], n: int, said: str
) -> None:
    figure = drawn(values=np.ones((3, 11)), results={"output": np.ones(11)}, **room)
    assert figure.data[1].z.shape == (3, n)
    width, across = figure.layout.width, figure.layout.xaxis2.domain
    assert width * (across[1] - across[0]) / n >= em_width("−1.00") * figure.data[1].textfont.size * 0.9
    free = (across[0] - figure.layout.xaxis.domain[1]) * width
    assert free >= em_width("1.00") * figure.data[0].textfont.size + 4
    first, second = figure.layout.annotations[:2]
    assert first.x * width + em_width(first.text) * first.font.size <= second.x * width
    assert second.x * width + em_width(second.text) * second.font.size <= width
    assert second.text == said
    names = max(map(em_width, figure.layout.yaxis.ticktext)) * figure.layout.yaxis.tickfont.size
    assert names + 5 <= figure.layout.xaxis.domain[0] * width
