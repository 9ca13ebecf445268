"""The cases that a test needs: independent switches add up, and need not be multiplied."""

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any

import pytest


def covering(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return as few settings as possible that have every value of every switch.

    Switches with two values change after one setting, after two, after four, so that no two of them change
    together, and a mix-up of two switches is noticed.
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
    """Return the first case of each kind in every run; the others are `long`, for the reason given."""
    met: set[Hashable] = set()
    shared_out = []
    for case in cases:
        marks = [pytest.mark.long(long)] if kind(*case) in met else []
        met.add(kind(*case))
        shared_out.append(pytest.param(*case, marks=marks))
    return shared_out


Test = Callable[..., None]


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run the cases of `pytest.mark.parametrize` in one test, if a case takes less time than a test.

    The error names the first case that fails; the later ones run when it is mended.
    """
    asked = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    given = [case if len(asked) > 1 else (case,) for case in cases]
    assert given, "without a case nothing is tested"

    def decorate(test: Test) -> Test:
        @wraps(test)
        def every(**others: Any) -> None:
            for case in given:
                named = dict(zip(asked, case, strict=True))
                try:
                    test(**named, **others)
                except BaseException as error:
                    error.add_note(f"where {named}")
                    raise

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in asked]
        assert len(left) == len(signature.parameters) - len(asked), f"{test.__name__} does not take {names}"
        every.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return every

    return decorate
