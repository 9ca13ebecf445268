"""Few files are made at once, few wait, and the same order is not made twice in a moment."""

import asyncio
from collections.abc import Coroutine
from threading import Event
from typing import Any

import pytest

from figures.files import File
from figures.queue import KEPT_FOR, LARGEST, ROOM, FullError, GoneError, Kept, Queue


def a_file(size: int = 3) -> File:
    return File("a.svg", "image/svg+xml", b"a" * size)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_file_is_kept_for_a_minute() -> None:
    clock = Clock()
    kept = Kept(clock)
    kept.put("this", a_file())
    clock.now += KEPT_FOR - 1
    assert kept.get("this") == a_file()
    assert kept.get("that") is None
    clock.now += 1
    assert kept.get("this") is None


def test_of_too_much_the_oldest_goes_and_what_is_too_large_is_not_kept() -> None:
    kept = Kept(Clock())
    kept.put("large", a_file(LARGEST + 1))
    assert kept.get("large") is None
    n = ROOM // LARGEST
    for order in range(n + 1):
        kept.put(order, a_file(LARGEST))
    assert [order for order in range(n + 1) if kept.get(order) is None] == [0]


async def here() -> bool:
    return False


async def gone() -> bool:
    return True


def run(what: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(what)


def test_the_same_order_is_made_once_and_one_that_failed_again() -> None:
    made: list[str] = []

    def make() -> File:
        made.append("once more")
        if len(made) == 1:
            raise ValueError("the first time")
        return a_file()

    async def ask() -> None:
        queue = Queue()
        with pytest.raises(ValueError, match="the first time"):
            await queue.file("this", make, here)
        both = await asyncio.gather(*(queue.file("this", make, here) for _ in range(5)))
        assert both == [a_file()] * 5

    run(ask())
    assert len(made) <= 3, "two at once may begin before either is done"


def test_who_comes_when_all_wait_is_sent_away_and_gets_in_again_later() -> None:
    go_on = Event()

    def make() -> File:
        assert go_on.wait(20)
        return a_file()

    async def ask() -> None:
        queue = Queue(at_once=2, waiting=3)
        waiting = [asyncio.create_task(queue.file(order, make, here)) for order in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(FullError):
            await queue.file("one more", make, here)
        go_on.set()
        assert await asyncio.gather(*waiting) == [a_file()] * 5
        assert await queue.file("one more", make, here) == a_file()

    run(ask())


def test_nothing_is_made_for_who_has_left() -> None:
    made: list[str] = []

    async def ask() -> None:
        with pytest.raises(GoneError):
            await Queue().file("this", lambda: made.append("for nobody") or a_file(), gone)

    run(ask())
    assert made == []


def test_others_who_are_answered_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("figures.queue.give_way", lambda: told.append("way is given"))

    async def ask() -> None:
        await Queue().file("this", lambda: told.append("made") or a_file(), here)

    run(ask())
    assert told == ["way is given", "made"]
