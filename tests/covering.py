"""Settings for tests of switches that are independent of each other: they add, and need not be multiplied."""

from collections.abc import Mapping, Sequence
from typing import Any


def covering(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """As few settings as have every value of every switch once at least, and each differs in all it can.

    A switch that is forgotten, or taken for another, shows in every one of them.
    """
    most = max(map(len, values.values()))
    return [{name: these[i % len(these)] for name, these in values.items()} for i in range(most)]
