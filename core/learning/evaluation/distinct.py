"""Tests of which none is met twice: so many answers are then to so many questions."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def distinct(drawn: Iterable[T], *, by: Callable[[T], Hashable]) -> Iterator[T]:
    """What is drawn, without whatever has the same key as something before it."""
    met: set[Hashable] = set()
    for each in drawn:
        key = by(each)
        if key not in met:
            met.add(key)
            yield each
