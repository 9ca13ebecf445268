"""Few files are made at once, few wait, and the same order is not made twice in a moment."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from threading import Event
from typing import Any

import pytest

from figures.files import File
from figures.queue import (
    OF_ADDRESS,
    OF_BROWSER,
    PASSED,
    Asker,
    FullError,
    GoneError,
    Queue,
)


def a_file(size: int = 3) -> File:
    return File("a.svg", "image/svg+xml", b"a" * size)


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


class Orders:
    """Orders of a queue that are finished by hand, and the names of those that have begun."""

    def __init__(self, **given: int) -> None:
        self.queue = Queue(**given)
        self.begun: list[str] = []
        self.finished: list[str] = []
        self._may_end: dict[str, Event] = {}
        self._tasks: dict[str, asyncio.Task[File]] = {}

    async def ask(self, *names: str) -> None:
        """Ask for files: `a1 deck` is a long one of browser 1 at address a, `a1` a short one."""
        for name in names:
            asker, _, more = name.partition(" ")
            self._may_end[name] = Event()
            what = self.queue.file(
                name,
                partial(self._make, name),
                partial(self._begin, name),
                asker=Asker(asker[0], asker),
                is_long=more.startswith("deck"),
            )
            self._tasks[name] = asyncio.create_task(what)
            await asyncio.sleep(0)

    async def _begin(self, name: str) -> bool:
        self.begun.append(name)
        return False

    def _make(self, name: str) -> File:
        assert self._may_end[name].wait(20)
        return a_file()

    async def end(self, *names: str) -> None:
        """Finish files, in this order."""
        for name in names:
            self._may_end[name].set()
            await self._tasks[name]
            self.finished.append(name)

    async def leave(self, *names: str) -> None:
        """Cancel orders at one moment."""
        for name in names:
            self._tasks[name].cancel()
            self._may_end[name].set()
        ended = await asyncio.gather(*(self._tasks[name] for name in names), return_exceptions=True)
        assert [type(error) for error in ended] == [asyncio.CancelledError] * len(names)

    async def until(self, *names: str) -> None:
        """Wait until these have begun, in this order; no other order has its turn."""
        while len(self.begun) < len(names):
            await asyncio.sleep(0)
        assert self.begun == list(names)
        assert len(self.queue._making) == len(names) - len(self.finished)

    async def end_all(self) -> None:
        """Finish whatever has begun until all are."""
        while len(self.finished) < len(self._tasks):
            for name in [name for name in self.begun if name not in self.finished]:
                await self.end(name)
            await asyncio.sleep(0.005)


def test_a_short_order_of_a_neighbour_is_done_while_a_long_one_is_in_the_making() -> None:
    async def go() -> None:
        orders = Orders()
        await orders.ask("a1 deck", "a2 deck", "b1 deck", "a3", "c1")
        await orders.until("a1 deck", "a3")
        await orders.end("a3", "c1", "a1 deck", "b1 deck", "a2 deck")
        assert orders.begun == ["a1 deck", "a3", "c1", "b1 deck", "a2 deck"], "addresses take turns"

    run(go())


def test_a_long_order_waits_for_a_bounded_number_of_short_ones() -> None:
    async def go() -> None:
        orders = Orders(at_once=1)
        await orders.ask("a1", "z1 deck")
        for turn in range(PASSED + 1):
            await orders.ask(f"a1 {turn}", f"b{turn} {turn}")
        await orders.end_all()
        assert orders.begun.index("z1 deck") == 1 + PASSED
        assert len(orders.begun) == 2 + 2 * (PASSED + 1)

    run(go())


def test_one_address_or_browser_does_not_keep_another_waiting_for_all_of_its_orders() -> None:
    async def go() -> None:
        orders = Orders(at_once=1)
        await orders.ask("a1", *(f"a1 {n}" for n in range(5)), "a2", "b1")
        await orders.end_all()
        assert orders.begun == ["a1", "b1", "a2", *(f"a1 {n}" for n in range(5))]

    run(go())


def test_who_floods_is_refused_and_its_neighbours_are_not() -> None:
    async def go() -> None:
        orders = Orders()
        await orders.ask(*(f"a1 {n}" for n in range(OF_BROWSER)))
        for refused in ("a1 more", "a1 deck"):
            with pytest.raises(FullError):
                await orders.queue.file(refused, a_file, here, asker=Asker("a", "a1"))
        await orders.ask("a2", "b1")
        await orders.ask(*(f"a{n} x" for n in range(3, 3 + OF_ADDRESS - OF_BROWSER - 1)))
        with pytest.raises(FullError):
            await orders.queue.file("more", a_file, here, asker=Asker("a", "another"))
        await orders.ask("b2")
        await orders.end_all()

    run(go())


def test_orders_that_are_cancelled_leave_their_places_to_others() -> None:
    async def go() -> None:
        orders = Orders(at_once=1)
        await orders.ask("a1", "b1", "c1", "d1")
        await orders.leave("a1", "b1")
        await orders.end("c1", "d1")
        assert orders.begun == ["a1", "c1", "d1"]
        assert await orders.queue.file("d", a_file, here) == a_file()
        assert orders.queue._served == {}, "nobody is remembered"

    run(go())
