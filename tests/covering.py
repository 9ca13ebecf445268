"""Which cases a test needs: switches that are independent of each other add, and need not be multiplied."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import pytest


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


def first_of_each(kind: Callable[..., Hashable], cases: Iterable[tuple[Any, ...]], *, long: str) -> list[Any]:
    """The first case of each kind in every run; the others are `long`, for the reason given."""
    met: set[Hashable] = set()
    shared_out = []
    for case in cases:
        marks = [pytest.mark.long(long)] if kind(*case) in met else []
        met.add(kind(*case))
        shared_out.append(pytest.param(*case, marks=marks))
    return shared_out
