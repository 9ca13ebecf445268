"""Texts that agree up to rounding: another processor may change the last digit of a computed number."""

import re
from itertools import zip_longest

POWER = r"·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
NUMBER = re.compile(rf"(\d+(?:\.\d+)?{POWER}|\d+(?:,\d{{3}})*\.\d+|\d+(?= %))")
"""Measured numbers: decimals, per cents, powers of ten. Other whole numbers, such as a head's, are words."""

ONE_UNIT = 1.0001
"""One unit of the last shown digit, and room for binary fractions."""

RELATIVE = 1e-4
"""Part of a number by which rounding in single precision may change it, where more digits are shown."""

SMALL = 1e-5
"""Numbers below this are all but 0: they agree within a factor of ten."""

NOISE = 1e-12
"""Numbers below this are rounding errors: all agree."""

AMPLIFIED = ("[steps_chart]",)
"""Pictures whose numbers agree in no digit: an exploding gradient amplifies rounding from step to step."""

DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def agree(text: str, kept: str) -> bool:
    """Return whether two texts have the same words, and numbers within one unit of their last digit."""
    return all(
        one is not None and other is not None and _lines_agree(one, other)
        for one, other in zip_longest(text.splitlines(), kept.splitlines())
    )


def _lines_agree(text: str, kept: str) -> bool:
    if text.startswith(AMPLIFIED):
        return NUMBER.split(text)[::2] == NUMBER.split(kept)[::2]
    return all(
        one is not None and other is not None and _agree(one, other, is_number=bool(at % 2))
        for at, (one, other) in enumerate(zip_longest(NUMBER.split(text), NUMBER.split(kept)))
    )


def _agree(one: str, other: str, *, is_number: bool) -> bool:
    if not is_number or one == other:
        return one == other
    (value, unit), (other_value, other_unit) = _read(one), _read(other)
    largest = max(value, other_value)
    if largest < NOISE:
        return True
    if largest < SMALL:
        return value < 10 * other_value and other_value < 10 * value
    return unit == other_unit and abs(value - other_value) <= max(ONE_UNIT * unit, RELATIVE * largest)


def _read(number: str) -> tuple[float, float]:
    """Return a number and one unit of its last digit."""
    digits, _, power = number.replace(",", "").partition("·10⁻")
    scale = 10.0 ** -int(power.translate(DIGITS) or "0")
    return float(digits) * scale, scale * 10.0 ** -len(digits.partition(".")[2])
