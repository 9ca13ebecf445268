"""Long work beside short: trainings and measurements give way to requests that somebody waits for.

A process has one interpreter, which its threads take turns at. Beside a training that never rests, an answer
of some hundredths of a second takes twice as long, and a training does not rest unless told to.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition, local
from typing import TypeVar

T = TypeVar("T")

LEAST, MOST = 0.002, 0.25
"""Least and greatest seconds of rest between two parts of long work.

The shorter rest lets a waiting thread get the interpreter; after the longer one work goes on, however many
are waiting.
"""

_changed = Condition()
_answers: list[object] = []
_mine = local()


@contextmanager
def serving_request() -> Iterator[None]:
    """Mark this thread as answering a request that somebody waits for."""
    mark = _mine.mark = object()
    _add(mark)
    try:
        yield
    finally:
        _remove(mark)
        _mine.mark = None


def give_way() -> None:
    """Rest while others are answering, for at most `MOST` seconds."""
    time.sleep(LEAST)
    with _changed:
        _changed.wait_for(lambda: not _answers, timeout=MOST)


def yield_to_requests(parts: Iterable[T]) -> Iterator[T]:
    """Yield the parts, each after pending answers; an answer in parts keeps no other long work waiting."""
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
