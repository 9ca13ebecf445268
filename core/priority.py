"""Long work beside short: a training or a measurement lets answers come first that somebody waits for.

A process has one interpreter, which its threads take turns at. Beside a training that never rests an answer
of some hundredths of a second takes twice as long, and no training rests by itself.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition, local
from typing import TypeVar

T = TypeVar("T")

LEAST, MOST = 0.002, 0.25
"""Seconds of rest between two parts of long work, at least and at most: in the shorter one whoever waits for
the interpreter gets it, and after the longer one the work goes on, however many are waiting."""

_changed = Condition()
_answers: list[object] = []
_mine = local()


@contextmanager
def answering() -> Iterator[None]:
    """What this thread does in here is an answer that somebody waits for."""
    mark = _mine.mark = object()
    _add(mark)
    try:
        yield
    finally:
        _remove(mark)
        _mine.mark = None


def give_way() -> None:
    """Rest, while others are answering; not for longer than `MOST` seconds."""
    time.sleep(LEAST)
    with _changed:
        _changed.wait_for(lambda: not _answers, timeout=MOST)


def yield_to_requests(parts: Iterable[T]) -> Iterator[T]:
    """Yield the parts, each after those who answer; an answer in parts keeps no other long work waiting."""
    mark = getattr(_mine, "mark", None)
    if mark is not None:
        _remove(mark)
    try:
        for part in parts:
            yield part
            give_way()
    finally:
        if mark is not None:
            _add(mark)


def _add(mark: object) -> None:
    with _changed:
        _answers.append(mark)


def _remove(mark: object) -> None:
    with _changed:
        if mark in _answers:
            _answers.remove(mark)
        _changed.notify_all()
