"""Changed entries of a head's matrices, as a link spells them."""

import math
import re

from core.measures.stages.stage import CHANGEABLE, Change

LARGEST_VALUE = 1000

MOST_CHANGES = 8

_WRITTEN = re.compile(r"([a-z]+)\.(\d{1,4})\.(\d{1,4})\.(-?\d{1,4}(?:\.\d{1,6})?)", re.ASCII)


def parse(text: str) -> Change:
    """Read a change such as `q.2.1.-0.5`: the matrix, its row and column counted from 1, and the value.

    Raises ValueError with the possible values.
    """
    written = _WRITTEN.fullmatch(text)
    if written is None or written[1] not in CHANGEABLE:
        raise ValueError(
            f"a change is written like q.2.1.-0.5: one of {', '.join(CHANGEABLE)}, row, column and value"
        )
    value = float(written[4])
    if not math.isfinite(value) or abs(value) > LARGEST_VALUE:
        raise ValueError(f"a value lies between -{LARGEST_VALUE} and {LARGEST_VALUE}, got {written[4]}")
    row, column = int(written[2]) - 1, int(written[3]) - 1
    if row < 0 or column < 0:
        raise ValueError("rows and columns are counted from 1")
    return Change(written[1], row, column, value)


def spelt(change: Change) -> str:
    """Spell a change for a link."""
    value = f"{change.value:.6f}".rstrip("0").rstrip(".")
    return f"{change.matrix}.{change.row + 1}.{change.column + 1}.{'0' if value == '-0' else value}"
