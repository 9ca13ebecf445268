"""Quantities are short, and right where the unit changes."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.covering import each
from words import (
    decimal,
    distance,
    fraction,
    magnitude,
    magnitudes,
    memory,
    one_decimal,
    p_equals,
    part_of,
    per_cent,
    per_cents,
    probability,
    quantity,
    seconds,
    thousandths,
)

WRITTEN: dict[Callable[[float], str], dict[float, str]] = {
    decimal: {
        0: "0", 5e-5: "0.00005", np.float32(2.5e-4): "0.00025", 0.004963: "0.005", 3.14: "3.1",
        12345: "12000",
    },
    seconds: {
        0: "0 µs", 5e-7: "0.5 µs", 1.234e-5: "12.3 µs", 9.994e-4: "999 µs", 9.996e-4: "1 ms",
        1e-3: "1 ms", 0.0123: "12.3 ms", 0.9994: "999 ms", 0.9996: "1 s", 0.9999: "1 s", 1: "1 s",
        12.34: "12.3 s", 99.96: "100 s", 1234: "1,230 s",
    },
    quantity: {
        0: "0", 1: "1", 169: "169", 1000: "1,000", 9_999: "9,999", 9_999.4: "9,999", 9_999.6: "10 k",
        10_000: "10 k", 123_456: "123 k", 999_499: "999 k", 999_500: "1 M", 10**6: "1 M", 2**20: "1.05 M",
        2**22: "4.19 M", 999_999_999: "1 G", 10**9: "1 G", 2.5e12: "2,500 G",
    },
    memory: {
        0: "0 B", 676: "676 B", 999: "999 B", 1000: "1 kB", 1024: "1.02 kB", 999_499: "999 kB",
        999_500: "1 MB", 4 * 2048**2: "16.8 MB", 10**9: "1 GB", 10**12: "1,000 GB",
    },
    distance: {
        0: "0", 6.6e-16: "7·10⁻¹⁶", 9.6e-16: "1·10⁻¹⁵", 0.0049: "5·10⁻³", 0.005: "0.01", 0.049: "0.05",
        0.42: "0.42", 2.5: "2.50",
    },
    per_cent: {
        0: "0 %", 1e-9: "<0.1 %", 0.00049: "<0.1 %", 0.0005: "0.1 %", 0.004: "0.4 %", 0.0094: "0.9 %",
        0.0096: "1 %", 0.124: "12 %", 0.995: "99.5 %", 0.99961: ">99.9 %", 1.0: "100 %",
    },
    magnitude: {
        0: "0", 1e-5: "10⁻⁵", 2.34e-5: "2.3·10⁻⁵", 0.0423: "0.042", 0.5: "0.5", 3.141: "3.14",
        97.35: "97.3", 128.4: "128", 9999: "9,999", 10_000: "10⁴", 7.84e6: "7.8·10⁶",
    },
    probability: {
        1: "1.000", 0.8551: "0.855", 0.0005: "0.001", 0.0004: "<0.001", 0: "0",
    },
    p_equals: {
        0.0004: "p < 0.001", 0.25: "p = 0.250", 1: "p = 1.000",
    },
    thousandths: {
        0: "0.000", 0.46: "0.460", 0.0123: "0.012", 0.0042: "0.0042", 7.8e-6: "7.8·10⁻⁶", 2: "2.000",
    },
}  # fmt: skip
"""How quantities are written, at both sides of every change of unit, digits or sign."""


@pytest.mark.parametrize("write", WRITTEN)
def test_a_quantity_is_written_as_people_write_it(write: Callable[[float], str]) -> None:
    assert {amount: write(amount) for amount in WRITTEN[write]} == WRITTEN[write]


@each("digits", [1.0, 9.9949, 9.9951, 9.9999])
def test_nothing_is_ever_written_with_an_exponent(digits: float) -> None:
    assert not any("e" in seconds(digits * 10.0**exponent) for exponent in range(-7, 9))
    for write in (quantity, memory):
        assert not any("e" in write(digits * 10.0**exponent) for exponent in range(13))


def test_the_ticks_of_one_axis_are_written_alike() -> None:
    assert magnitudes([1, 10, 1000]) == ["1", "10", "1,000"]
    assert magnitudes([10, 1000, 1e5]) == ["10", "10³", "10⁵"]
    assert magnitudes([1e-4, 0.01, 1, 2, 20, 200]) == ["10⁻⁴", "10⁻²", "1", "2", "20", "2·10²"]


def test_a_share_is_a_fraction_where_it_is_one_of_a_whole_number() -> None:
    shares = (0.25, 2**-8, 2 ** (-8 / 3), 1.0, np.float32(0.1))
    assert [fraction(float(share)) for share in shares] == ["1/4", "1/256", "0.157", "1", "1/10"]


@each(
    ("shares", "written"),
    [
        ([0.0661, 0.0359, 0.898], ["6.6 %", "3.6 %", "89.8 %"]),
        ([0.5, 0.25, 0.25], ["50 %", "25 %", "25 %"]),
        ([1 / 3, 1 / 3, 1 / 3], ["33.4 %", "33.3 %", "33.3 %"]),
        ([0.115, 0.234, 0.2, 0.115, 0.336], ["11.5 %", "23.4 %", "20.0 %", "11.5 %", "33.6 %"]),
        ([0.0661, 0.0359, 0.5], ["7 %", "4 %", "50 %"]),
        ([0.995, 0.0049996, 0.0000004], ["99.5 %", "0.5 %", "<0.1 %"]),
        ([float("nan"), 0.5, 0.5], ["", "50 %", "50 %"]),
    ],
)
def test_a_few_parts_of_a_whole_add_up_to_100(shares: list[float], written: list[str]) -> None:
    assert per_cents(shares) == written


@each("seed", range(5))
def test_any_parts_of_a_whole_add_up(seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.ones(5)) * 0.9 + 0.02
    total = sum(float(said.removesuffix(" %")) for said in per_cents(shares.tolist()))
    assert total == pytest.approx(100)


def test_many_parts_of_a_whole_are_written_in_whole_numbers() -> None:
    assert set(per_cents([1 / 7] * 7)) == {"14 %"}


def test_nats_have_one_decimal_and_missing_values_are_empty() -> None:
    assert one_decimal([0, 0.049, 0.05, 0.44, 12.346, float("nan")]) == ["0", "0", "0.1", "0.4", "12.3", ""]


@each(
    ("part", "whole", "said"),
    [
        (0, 1, "no word"),
        (1, 1, "the only word"),
        (0, 3, "none of 3 words"),
        (2, 3, "2 of 3 words"),
        (2, 2, "both words"),
        (3, 3, "all 3 words"),
        (2048, 2048, "all 2,048 words"),
        (1500, 2048, "1,500 of 2,048 words"),
    ],
)
def test_as_many_as_there_are_are_all(part: int, whole: int, said: str) -> None:
    assert part_of(part, whole, "word") == said
