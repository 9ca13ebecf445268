"""An axis of quantities reaches the ends of its data, fits them, and writes no ticks that touch."""

import numpy as np
import pytest

from tests.covering import each
from viz.layout.ruler import TICK, Ruler, Say, across, upright
from viz.text import em_width
from viz.theme import LIGHT
from words import magnitude, memory, per_cent, seconds, two_decimals

DOUBLING = [2.0**power for power in range(3, 12)]
GROUPS = {5.0: "4–6", 8.0: "7–9", 11.5: "10–13", 16.0: "14–18", 21.5: "19–24", 29.5: "25–34"}


def places(ruler: Ruler) -> list[float]:
    """Pixels of the ticks, from the range that Plotly is given."""
    low, high = ruler.axis(LIGHT)["range"]
    return [(ruler.at(tick) - low) / (high - low) * ruler.length for tick in ruler.ticks]


def assert_apart(ruler: Ruler) -> None:
    """Fail if two texts of an axis across touch."""
    halves = [em_width(text) * ruler.type_size / 2 for text in ruler.ticks.values()]
    gaps = np.diff(places(ruler))
    assert all(gap > one + other for gap, one, other in zip(gaps, halves, halves[1:], strict=False))


@each("log", [False, True])
@each("length", [90, 180, 330])
@each(
    "values",
    [(4.2, 6.9), (0.02, 8000), (3e-17, 12), (0.98, 31.7), (15, 256), (2.5, 2.5), (1e-4, 2e-4), (1, 7)],
)
def test_an_upright_axis_reaches_its_values_and_little_beyond(
    values: tuple[float, float], length: float, log: bool
) -> None:
    ruler = upright(values, magnitude, length, log=log)
    ends = [ruler.pixels(value) for value in values]
    assert min(ends) >= 0
    assert max(ends) <= length
    assert 2 <= len(ruler.ticks) <= 7
    assert np.diff(places(ruler)).min() >= 1.3 * TICK
    if len(set(values)) == 2 and length > 90 and (log or values[0] > values[1] / 2):
        assert max(ends) - min(ends) >= length / 2, "a lone corner of the axis is used"


def test_an_axis_begins_at_zero_if_that_is_near() -> None:
    assert upright([15, 256], magnitude, 200).low == 0
    assert upright([-256, -15], magnitude, 200).high == 0
    assert upright([200, 256], magnitude, 200).low == 200


def test_the_ends_of_the_axis_are_pixels_of_the_range_that_plotly_has() -> None:
    ruler = upright([1, 1000], magnitude, 300, log=True)
    assert (ruler.low, ruler.high) == (1, 1000)
    assert places(ruler) == pytest.approx([ruler.pixels(tick) for tick in ruler.ticks])
    assert ruler.at(100) == 2


@each(
    ("values", "say", "log", "texts"),
    [
        ((0.0, 1.0), per_cent, False, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]),
        ((2e-5, 0.08), seconds, True, ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]),
        (
            (384, 197e3),
            memory,
            True,
            [
                "300\u00a0B",
                "1\u00a0kB",
                "3\u00a0kB",
                "10\u00a0kB",
                "30\u00a0kB",
                "100\u00a0kB",
                "300\u00a0kB",
            ],
        ),
        ((0.0, 1.9), two_decimals, False, ["0", "0.4", "0.8", "1.2", "1.6", "2"]),
        ((0.0, 0.002), two_decimals, False, ["0", "4·10⁻⁴", "8·10⁻⁴", "0.0012", "0.0016", "0.002"]),
        ((4.2, 6.9), magnitude, True, ["4", "4.5", "5", "5.5", "6", "6.5", "7"]),
        ((2e-4, 30), magnitude, True, ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1", "10", "10²"]),
    ],
)
def test_ticks_are_written_in_the_unit_of_the_values(
    values: tuple[float, float], say: Say, log: bool, texts: list[str]
) -> None:
    assert list(upright(values, say, 260, log=log).ticks.values()) == texts


@each("length", [90, 180, 330, 600])
@each("values", [(3e-17, 12), (2e-9, 40), (1e-12, 1e5), (7e-8, 0.3)])
def test_decades_are_counted_from_one(values: tuple[float, float], length: float) -> None:
    ruler = upright(values, magnitude, length, log=True)
    powers = np.rint(np.log10(list(ruler.ticks)))
    (step,) = set(np.diff(powers))
    assert not (powers % step).any()
    decades = np.log10([ruler.low, *values, ruler.high])
    assert np.diff(decades)[[0, 2]].max() < 1.1, "no more than a decade is empty"


@each("length", [120, 200, 260, 400, 1000])
@each("last", [7, 13, 59, 256, 3000])
def test_an_axis_across_has_a_tick_at_each_end_of_its_data(last: int, length: float) -> None:
    ruler = across(range(1, last + 1), length)
    assert next(iter(ruler.ticks)) == 1
    assert list(ruler.ticks)[-1] == last
    assert all(tick.is_integer() for tick in ruler.ticks)
    assert_apart(ruler)


def test_ends_that_are_no_whole_numbers_lie_between_ticks() -> None:
    ruler = across([8.5, 24.5, 232.5], 400)
    assert (ruler.low, ruler.high) == (0, 250)
    assert list(ruler.ticks.values()) == ["0", "50", "100", "150", "200", "250"]


def test_measured_places_of_a_logarithmic_axis_have_a_tick_each_while_they_fit() -> None:
    assert list(across(DOUBLING, 800, log=True).ticks) == DOUBLING
    few = across(DOUBLING, 200, log=True)
    assert next(iter(few.ticks)) == 8
    assert list(few.ticks)[-1] == 2048
    assert 3 < len(few.ticks) < 9
    assert_apart(few)


@each("length", [100, 200, 280, 330, 500, 900])
def test_all_names_of_places_are_written_if_they_fit_in_small_type(length: float) -> None:
    ruler = across(GROUPS, length, log=True, names=GROUPS, smallest=12)
    assert_apart(ruler)
    assert 12 <= ruler.type_size <= TICK
    fits = not_touching(length)
    assert (len(ruler.ticks) == len(GROUPS)) == fits
    assert ruler.type_size == TICK or length < 400, "not smaller than necessary"
    assert {ruler.ticks[at] for at in ruler.ticks} <= set(GROUPS.values())
    assert {5.0, 29.5} <= set(ruler.ticks)


def not_touching(length: float) -> bool:
    """Return whether all groups fit on an axis in the smallest type."""
    log = np.log10(list(GROUPS))
    gaps = np.diff(log) / (log[-1] - log[0]) * (length - 18)
    halves = [(em_width(text) + 0.25) * 12 / 2 for text in GROUPS.values()]
    return all(gap >= one + other for gap, one, other in zip(gaps, halves, halves[1:], strict=False))


@each("log", [False, True])
def test_one_place_and_no_place_make_an_axis_too(log: bool) -> None:
    for values in ([3.0], []):
        low, high = across(values, 300, log=log).axis(LIGHT)["range"]
        assert low < high
