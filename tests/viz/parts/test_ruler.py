"""An axis of quantities places its values and writes no ticks that touch."""

import numpy as np
import pytest

from tests.covering import each
from viz.parts.ruler import SMALLEST_TITLE, TITLE, Ruler, ruler
from viz.text import em_width
from viz.theme import LIGHT

DOUBLING = {2**power: str(2**power) for power in range(3, 12)}
EVEN = {at: str(at) for at in (0, 64, 128, 192, 256)}


def positions(here: Ruler, ticks: list[float], length: float) -> list[float]:
    """Pixels of ticks on an axis as long as this, from the range that Plotly is given."""
    low, high = here.axis(ticks, "", LIGHT)["range"]
    return [(here.at(tick) - low) / (high - low) * length for tick in ticks]


def test_a_logarithmic_axis_is_measured_in_powers_of_ten() -> None:
    here = ruler({1: "1", 1000: "1 k"}, [], log=True)
    axis = here.axis([1, 1000], "", LIGHT)
    assert axis["type"] == "log"
    assert axis["range"] == pytest.approx((-0.09, 3.09))
    assert here.at(100) == pytest.approx(2)
    assert here.share(10) == pytest.approx(1 / 3)


@each("length", [40, 100, 200, 260, 400, 1000])
@each("size", [12, 30, 50])
def test_written_ticks_do_not_touch_and_the_last_is_among_them(length: float, size: float) -> None:
    here = ruler(DOUBLING, [], log=True)
    written = here.written(length, [size] * 9)
    places = positions(here, written, length)
    assert written[-1] == 2048
    assert np.diff(places).min(initial=np.inf) >= size - 1e-9


def test_as_many_ticks_are_written_as_fit() -> None:
    here = ruler(DOUBLING, [], log=True)
    assert here.written(1000, [30] * 9) == list(DOUBLING)
    assert here.written(200, [30] * 9) == [8, 32, 128, 512, 2048]
    assert here.written(10, [30] * 9) == [2048]


def test_the_first_of_uneven_ticks_takes_the_place_of_those_that_it_would_touch() -> None:
    groups = {5.2: "4–6", 8: "7–9", 12: "10–13", 16: "14–18", 21: "19–24", 29: "25–34"}
    here = ruler(groups, [], log=True)
    assert here.written(220, [50] * 6) == [5.2, 8, 16, 29], "one step more, where it has room"
    assert here.written(200, [50] * 6) == [5.2, 16, 29]
    assert here.written(40, [50] * 6) == [29]


def test_a_title_longer_than_its_axis_is_set_in_a_smaller_type() -> None:
    title, here = "words read after the one that decides", ruler(EVEN, [], log=False)
    sizes = [here.axis([0], title, LIGHT, longest=room)["title"]["font"]["size"] for room in (900, 255, 20)]
    assert sizes[0] == TITLE
    assert SMALLEST_TITLE < sizes[1] < TITLE
    assert em_width(title) * sizes[1] <= 255
    assert sizes[2] == SMALLEST_TITLE
