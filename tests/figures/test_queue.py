"""Few files are made at once, requests take turns and know their place, and equal requests are made once."""

import asyncio
from collections.abc import Coroutine
from threading import Event
from typing import Any

import pytest

from access.buckets import Client
from core.store import STORE
from figures import queue as queueing
from figures.export import File
from figures.queue import APART, FORGOTTEN, OF_ADDRESS, OF_BROWSER, FullError, Queue


def a_file(size: int = 3) -> File:
    return File("a.svg", b"a" * size)


def run(what: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(what)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a waiting request its place at once."""
    monkeypatch.setattr(queueing, "PATIENCE", 0.0)


class Requests:
    """Requests of a queue that a test finishes, and the names of the begun ones."""

    def __init__(self, **given: int) -> None:
        self.clock = Clock()
        self.queue = Queue(clock=self.clock, **given)
        self.begun: list[str] = []
        self._may_end: dict[str, Event] = {}

    async def ask(self, *names: str) -> list[File | int]:
        """Ask for files: `a1 deck` is a long one of browser 1 at address a, `a1` a short one."""
        found = []
        for name in names:
            asker, _, more = name.partition(" ")
            self._may_end.setdefault(name, Event())
            make, asker = (lambda name=name: self._make(name)), Client(asker[0], asker)
            found.append(await self.queue.file(name, make, asker, is_long=more.startswith("deck")))
            while not {job.request for job in self.queue._making} <= set(self.begun):
                await asyncio.sleep(0.001)
        return found

    def _make(self, name: str) -> File:
        self.begun.append(name)
        assert self._may_end[name].wait(20)
        return a_file()

    async def end(self, name: str) -> None:
        """Finish a file, and collect it."""
        self._may_end[name].set()
        while await self.ask(name) != [a_file()]:
            await asyncio.sleep(0.001)

    async def end_all(self) -> list[str]:
        """Finish all requests as they begin; return their names in the order in which they began."""
        finished: set[str] = set()
        while len(finished) < len(self._may_end):
            for name in [one for one in self.begun if one not in finished]:
                await self.end(name)
                finished.add(name)
            await asyncio.sleep(0.001)
        return self.begun


def test_equal_orders_are_made_once_and_failed_ones_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queueing, "PATIENCE", 20.0)
    made: list[str] = []

    def make() -> File:
        made.append("once more")
        if len(made) == 1:
            raise ValueError("the first time")
        return a_file()

    async def ask() -> None:
        queue = Queue()
        with pytest.raises(ValueError, match="the first time"):
            await queue.file("this", make, Client(""))
        both = await asyncio.gather(*(queue.file("this", make, Client("")) for _ in range(5)))
        assert both == [a_file()] * 5

    run(ask())
    assert len(made) == 2


def test_a_waiting_order_gets_the_number_of_orders_before_it() -> None:
    async def go() -> None:
        requests = Requests(at_once=1)
        assert await requests.ask("a1", "b1", "c1", "d1") == [0, 1, 2, 3]
        await requests.end("a1")
        assert await requests.ask("b1", "c1", "d1") == [0, 1, 2], "asked again, it keeps its place"
        for name in ("b1", "c1", "d1"):
            await requests.end(name)
        assert requests.begun == ["a1", "b1", "c1", "d1"]

    run(go())


def test_a_file_too_large_to_be_kept_is_given_to_the_visitor_who_asks_again() -> None:
    made: list[str] = []

    def make() -> File:
        made.append("once")
        return a_file(queueing.LARGEST + 1)

    async def go() -> None:
        queue = Queue()
        while not isinstance(found := await queue.file("this", make, Client("")), File):
            await asyncio.sleep(0.001)
        assert len(found.content) > queueing.LARGEST
        assert not queue.has("this"), "it is collected"

    run(go())
    assert made == ["once"]


def test_a_file_is_kept_for_a_while_and_then_leaves_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queueing, "PATIENCE", 20.0)
    monkeypatch.setattr(queueing, "KEPT_FOR", 0.01)

    async def go() -> None:
        queue = Queue()
        assert await queue.file("this", a_file, Client("")) == a_file()
        for _ in range(1000):
            if not queue.has("this"):
                break
            await asyncio.sleep(0.001)
        assert STORE.get((queue, "this")) is None

    run(go())


def test_nothing_is_made_for_a_visitor_who_has_left() -> None:
    async def go() -> None:
        requests = Requests(at_once=1)
        await requests.ask("a1", "b1", "c1")
        requests.clock.now += FORGOTTEN + 1
        await requests.ask("c1")
        await requests.end("a1")
        await requests.end("c1")
        assert requests.begun == ["a1", "c1"]
        assert not any(requests.queue.has(name) for name in ("b1",))

    run(go())


def test_an_uncollected_file_is_not_kept() -> None:
    async def go() -> None:
        requests = Requests()
        await requests.ask("a1")
        requests._may_end["a1"].set()
        while requests.queue._making:
            await asyncio.sleep(0.001)
        requests.clock.now += FORGOTTEN + 1
        await requests.ask("b1")
        assert "a1" not in requests.queue._jobs
        await requests.end("b1")

    run(go())


def test_orders_over_the_limit_are_refused_and_accepted_later() -> None:
    async def go() -> None:
        requests = Requests(at_once=2, waiting=3)
        await requests.ask("a1", "b1", "c1", "d1", "e1")
        with pytest.raises(FullError):
            await requests.queue.file("one more", a_file, Client(""))
        await requests.end_all()
        await requests.ask("f1")
        await requests.end("f1")

    run(go())


def test_a_neighbours_short_order_is_made_during_a_long_one() -> None:
    async def go() -> None:
        requests = Requests()
        await requests.ask("a1 deck", "a2 deck", "b1 deck", "a3", "c1")
        for name in ("a3", "c1", "a1 deck", "b1 deck", "a2 deck"):
            await requests.end(name)
        assert requests.begun.index("c1") < requests.begun.index("b1 deck")
        assert requests.begun.index("b1 deck") < requests.begun.index("a2 deck"), "addresses take turns"

    run(go())


@pytest.mark.parametrize("waits", ["z1 deck", "z1"])
def test_a_bounded_number_of_later_orders_pass_an_order(waits: str) -> None:
    async def go() -> None:
        requests = Requests(at_once=1)
        await requests.ask("y1", *(f"z1 {n}" for n in range(2)), waits)
        for turn in range(6 * APART):
            await requests.ask(f"{chr(200 + turn)}1")
            await requests.end(requests.begun[-1])
            if waits in requests.begun:
                break
        assert waits in requests.begun
        assert requests.begun.index(waits) <= 4 * APART
        await requests.end_all()

    run(go())


def test_one_browsers_orders_do_not_delay_its_neighbours() -> None:
    async def go() -> None:
        requests = Requests(at_once=1)
        await requests.ask("a1", *(f"a1 {n}" for n in range(OF_BROWSER - 1)), "a2", "b1")
        begun = await requests.end_all()
        assert begun[:2] == ["a1", "b1"], "another address is the next"
        assert begun.index("a2") <= 6, "another browser at the same address is served soon"

    run(go())


def test_a_flood_from_one_address_leaves_room_for_others() -> None:
    async def go() -> None:
        requests = Requests()
        await requests.ask(*(f"a1 {n}" for n in range(OF_BROWSER)))
        for refused in ("a1 more", "a1 deck"):
            with pytest.raises(FullError):
                await requests.queue.file(refused, a_file, Client("a", "a1"))
        await requests.ask(*(f"a{n} x" for n in range(2, 2 + OF_ADDRESS - OF_BROWSER)))
        with pytest.raises(FullError):
            await requests.queue.file("more", a_file, Client("a", "another"))
        assert await requests.ask("b1") == [2], "the next after the two that are being made"
        begun = await requests.end_all()
        assert begun.index("b1") <= 3

    run(go())


def test_browsers_without_a_cookie_are_limited_as_an_address() -> None:
    async def go() -> None:
        requests = Requests()
        hall = Client("a")
        wait = Event()
        for n in range(OF_ADDRESS):
            await requests.queue.file(f"x{n}", lambda: wait.wait(20) and a_file(), hall)
        with pytest.raises(FullError):
            await requests.queue.file("more", a_file, hall)
        wait.set()

    run(go())
