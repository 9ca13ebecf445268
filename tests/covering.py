"""Settings for tests of switches that are independent of each other: they add, and need not be multiplied."""

from collections.abc import Mapping, Sequence
from typing import Any


def covering(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """As few settings as have every value of every switch once at least.

    Switches with two values change after one setting, after two, after four: so that no two of them go
    together, and one that is taken for another shows.
    """
    most = max(map(len, values.values()))
    n_rhythms = (most - 1).bit_length()
    pairs = [name for name, these in values.items() if len(these) == 2]

    def value(name: str, i: int) -> Any:
        these = values[name]
        if name not in pairs:
            return these[i % len(these)]
        later, rhythm = divmod(pairs.index(name), n_rhythms)
        return these[(i // 2**rhythm + later) % 2]

    return [{name: value(name, i) for name in values} for i in range(most)]
