"""Queue of orders for files: short ones first, addresses in turn, and more than can wait are refused."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from core.priority import give_way
from core.store import STORE, Store
from figures.files import File

AT_ONCE = 2
"""Files that are made at once: while the browser draws one, the sheet of the next is computed."""

WAITING = 64
"""Orders that wait at most. A second each: who came last waits for a minute."""

OF_ADDRESS, OF_BROWSER = 32, 12
"""The same of an address and of a browser, with those in the making."""

PASSED = 8
"""Short orders that are made before a long one although it waited: then it has its turn."""

KEPT_FOR = 60.0
"""Seconds in which the same order is answered again without work: first its preview, then its file."""

LARGEST = 4 * 2**20
"""Bytes of a file that is kept; an archive is asked for once."""


class FullError(Exception):
    """So many are waiting that nobody more is let in."""


class GoneError(Exception):
    """Whoever waited has left."""


class Kept:
    """Files that were made a moment ago, among the other results of the process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, store: Store = STORE) -> None:
        self._clock, self._store = clock, store
        self._until: OrderedDict[Hashable, float] = OrderedDict()

    def get(self, order: Hashable) -> File | None:
        """Return the file of an order, if it is still there."""
        self._sweep()
        found: File | None = self._store.get((self, order))
        return found

    def put(self, order: Hashable, file: File) -> None:
        """Keep a file for a while."""
        self._sweep()
        if len(file.content) <= LARGEST:
            self._until[order] = self._clock() + KEPT_FOR
            self._until.move_to_end(order)
            self._store.put((self, order), file)

    def _sweep(self) -> None:
        while self._until and next(iter(self._until.values())) <= self._clock():
            order, _ = self._until.popitem(last=False)
            self._store.remove((self, order))


class Asker(NamedTuple):
    """The address that an order comes from, and the browser there."""

    address: str = ""
    browser: str = ""


@dataclass(eq=False)
class _Waiting:
    """An order that waits for its turn or has it."""

    asker: Asker
    is_long: bool
    turn: asyncio.Future[None]
    passed: int = 0
    """Short orders that began although this one was waiting."""

    @property
    def lines(self) -> tuple[Hashable, Hashable]:
        """The lines in which it waits: of its address and of its browser, one for each length."""
        return (self.asker.address, self.is_long), (self.asker, self.is_long)


NOBODY = Asker()
"""Who asks if nobody is told from others."""


class Queue:
    """Makes files in threads of its own, those of visitors who only look at pages come first.

    One place is kept for short orders: a long one is in the making in one place at most, and waits behind
    short ones, `PASSED` of them at most. An address has one order of each length in the making. Addresses
    take turns, and so do the browsers of an address.
    """

    def __init__(
        self,
        kept: Kept | None = None,
        *,
        at_once: int = AT_ONCE,
        waiting: int = WAITING,
        of_address: int = OF_ADDRESS,
        of_browser: int = OF_BROWSER,
    ) -> None:
        self._kept, self._at_once, self._most = kept or Kept(), at_once, at_once + waiting
        self._of_address, self._of_browser = of_address, of_browser
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="figures")
        self._waiting: list[_Waiting] = []
        self._making: list[_Waiting] = []
        self._number = count()
        self._served: dict[Hashable, int] = {}
        """When each line came or had a file last: a number that grows."""

    async def file(
        self,
        order: Hashable,
        make: Callable[[], File],
        is_gone: Callable[[], Awaitable[bool]],
        *,
        asker: Asker = NOBODY,
        is_long: bool = False,
    ) -> File:
        """The file of an order, which `make` makes.

        Raises FullError where too many wait, GoneError where whoever waited is gone when the turn comes,
        and what `make` raises.
        """
        found = self._kept.get(order)
        if found is not None:
            return found
        one = self._let_in(asker, is_long=is_long)
        try:
            await one.turn
            return self._kept.get(order) or await self._made(order, make, is_gone)
        finally:
            self._leave(one)

    def _let_in(self, asker: Asker, *, is_long: bool) -> _Waiting:
        here = [*self._waiting, *self._making]
        of_address = [one for one in here if one.asker.address == asker.address]
        of_browser = [one for one in of_address if one.asker == asker]
        if (
            len(here) >= self._most
            or len(of_address) >= self._of_address
            or len(of_browser) >= self._of_browser
        ):
            raise FullError
        one = _Waiting(asker, is_long, asyncio.get_running_loop().create_future())
        self._served = {line: next(self._number) for line in one.lines} | self._served
        self._waiting.append(one)
        self._begin()
        return one

    def _begin(self) -> None:
        """Give their turn to as many as there are places for."""
        while len(self._making) < self._at_once and (one := self._next()) is not None:
            self._waiting.remove(one)
            self._making.append(one)
            if not one.is_long:
                for other in self._waiting:
                    other.passed += other.is_long
            one.turn.set_result(None)

    def _next(self) -> _Waiting | None:
        """Return which of those who wait is the next; None if none may begin."""
        may = [one for one in self._waiting if self._may_begin(one) and not one.turn.cancelled()]
        due = [one for one in may if one.is_long and one.passed >= PASSED]
        found = due or [one for one in may if not one.is_long] or may
        return min(found, key=self._rank, default=None)

    def _may_begin(self, one: _Waiting) -> bool:
        alike = [other for other in self._making if other.is_long == one.is_long]
        has_place = not one.is_long or len(alike) < max(1, self._at_once - 1)
        return has_place and all(other.asker.address != one.asker.address for other in alike)

    def _rank(self, one: _Waiting) -> list[int]:
        """Return when the lines of an order were served last."""
        return [self._served[line] for line in one.lines]

    def _leave(self, one: _Waiting) -> None:
        if one in self._waiting:
            self._waiting.remove(one)
        else:
            self._making.remove(one)
            self._served |= {line: next(self._number) for line in one.lines}
        here = {line for other in (*self._waiting, *self._making) for line in other.lines}
        self._served = {line: number for line, number in self._served.items() if line in here}
        self._begin()

    async def _made(
        self, order: Hashable, make: Callable[[], File], is_gone: Callable[[], Awaitable[bool]]
    ) -> File:
        if await is_gone():
            raise GoneError
        file = await asyncio.get_running_loop().run_in_executor(self._threads, _after_others, make)
        self._kept.put(order, file)
        return file


def _after_others(make: Callable[[], File]) -> File:
    give_way()
    return make()
