"""The queue of those who want a file: a few are served at once, some wait, and more are sent away."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

from core.priority import give_way
from figures.files import File

AT_ONCE = 2
"""Files that are made at once: while the browser draws one, the sheet of the next is computed."""

WAITING = 24
"""Orders that wait at most. A second each: who came last waits for a quarter of a minute."""

KEPT_FOR = 60.0
"""Seconds in which the same order is answered again without work: first its preview, then its file."""

ROOM = 32 * 2**20
"""Bytes of all files that are kept."""

LARGEST = 4 * 2**20
"""Bytes of a file that is kept; an archive is asked for once."""


class FullError(Exception):
    """So many are waiting that nobody more is let in."""


class GoneError(Exception):
    """Whoever waited has left."""


class Kept:
    """Files that were made a moment ago."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._files: OrderedDict[Hashable, tuple[float, File]] = OrderedDict()

    def get(self, order: Hashable) -> File | None:
        """The file of an order, if it is still there."""
        self._sweep()
        found = self._files.get(order)
        return None if found is None else found[1]

    def put(self, order: Hashable, file: File) -> None:
        """Keep a file for a while."""
        if len(file.content) > LARGEST:
            return
        self._files.pop(order, None)
        self._files[order] = (self._clock() + KEPT_FOR, file)
        self._sweep()

    def _sweep(self) -> None:
        while self._files:
            until, _ = next(iter(self._files.values()))
            taken = sum(len(file.content) for _, file in self._files.values())
            if until > self._clock() and taken <= ROOM:
                return
            self._files.popitem(last=False)


class Queue:
    """Makes files in threads of its own, those of visitors who only look at pages come first."""

    def __init__(self, kept: Kept | None = None, *, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._kept, self._most = kept or Kept(), at_once + waiting
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="figures")
        self._turns = asyncio.Semaphore(at_once)
        self._here = 0

    async def file(
        self, order: Hashable, make: Callable[[], File], is_gone: Callable[[], Awaitable[bool]]
    ) -> File:
        """The file of an order, which `make` makes.

        Raises FullError where too many wait, GoneError where whoever waited is gone when the turn comes,
        and what `make` raises.
        """
        found = self._kept.get(order)
        if found is not None:
            return found
        if self._here >= self._most:
            raise FullError
        self._here += 1
        try:
            async with self._turns:
                return self._kept.get(order) or await self._made(order, make, is_gone)
        finally:
            self._here -= 1

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
