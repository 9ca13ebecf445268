"""Numbers in a formula: three decimals, and a power of ten where these would be zeros."""

from tests.covering import each
from viz.latex import decimal, power


@each(
    ("number", "places", "shown"),
    [
        (0.0, 3, "0.000"),
        (-0.0, 3, "0.000"),
        (1.23456, 3, "1.235"),
        (-0.0005001, 3, "-0.001"),
        (0.000499, 3, r"4.99 \cdot 10^{-4}"),
        (-8.137e-7, 3, r"-8.14 \cdot 10^{-7}"),
        (0.004, 2, r"4.0 \cdot 10^{-3}"),
        (0.04, 2, "0.04"),
    ],
)
def test_nothing_but_zero_is_written_as_zero(number: float, places: int, shown: str) -> None:
    assert decimal(number, places) == shown


def test_a_large_number_has_a_power_of_ten() -> None:
    assert power(7_104_357.0) == r"7.10 \cdot 10^{6}"
