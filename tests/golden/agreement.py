"""Texts that agree but for rounding: another processor may change the last digit of a computed number."""

import re
from itertools import zip_longest

NUMBER = re.compile(r"(\d+(?:,\d{3})*\.\d+|\d+(?= %)|\d+\.\d+(?=e))")
"""Numbers that are measured: decimals and per cents. A whole number such as that of a head is a word."""

ONE_UNIT = 1.0001
"""One unit of the last shown digit, and room for binary fractions."""


def agree(text: str, kept: str) -> bool:
    """Return whether two texts have the same words, and numbers within one unit of their last digit."""
    return all(
        one is not None and other is not None and _agree(one, other, is_number=bool(at % 2))
        for at, (one, other) in enumerate(zip_longest(NUMBER.split(text), NUMBER.split(kept)))
    )


def _agree(one: str, other: str, *, is_number: bool) -> bool:
    if not is_number or one == other:
        return one == other
    decimals = len(one.partition(".")[2])
    apart = abs(float(one.replace(",", "")) - float(other.replace(",", "")))
    return decimals == len(other.partition(".")[2]) and apart <= ONE_UNIT * 10**-decimals
