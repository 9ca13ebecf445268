"""Queue of requests for files: browsers and addresses take turns, and a waiting request knows its place."""

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import inf

from access.buckets import Client
from access.limits import FILE_REQUESTS
from core.priority import give_way
from core.store import STORE
from figures.export import File

AT_ONCE = 2
"""Files made at once: while the browser draws one, the sheet of the next is computed."""

WAITING, OF_ADDRESS, OF_BROWSER = FILE_REQUESTS.process, FILE_REQUESTS.address, FILE_REQUESTS.browser
"""The most requests that wait in all, and that an address and a browser have waiting or in the making.

Browsers that send no cookie share one limit with all others at their address.
"""

APART, APART_OF_ADDRESS = 8, 2
"""Turns between two requests of a browser, and of an address. A long request comes `APART` turns later."""

PATIENCE = 1.0
"""Seconds after which the visitor of a waiting request gets its place."""

FORGOTTEN = 5.0
"""Seconds after which a request is dropped unless its visitor asks again."""

KEPT_FOR = 60.0
"""Seconds for which a file is kept for the same request: first for its preview, then for its download."""

LARGEST = 4 * 2**20
"""Bytes of the largest file that is kept; an archive is asked for once."""


class FullError(Exception):
    """Too many requests wait, so no more are accepted."""


@dataclass(eq=False)
class _Job:
    """A request that waits, is being made, or is made and not yet collected."""

    request: Hashable
    make: Callable[[], File]
    asker: Client
    is_long: bool
    turn: float
    done: asyncio.Future[File]
    wanted_until: float = inf


class Queue:
    """Makes files in separate threads; visitors who look at pages come first.

    The request with the lowest turn is next. Requests of one browser are some turns apart, those of one
    address fewer, so that one visitor cannot keep the others waiting. With each file the turns of new
    requests grow by at least one, so only a bounded number of later requests overtake a request.
    One place is kept for short requests. Visitors who want the same file at the same time share one request.
    """

    def __init__(
        self, *, at_once: int = AT_ONCE, waiting: int = WAITING, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once, self._most, self._clock = at_once, at_once + waiting, clock
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="figures")
        self._jobs: dict[Hashable, _Job] = {}
        self._waiting: list[_Job] = []
        self._making: list[_Job] = []
        self._now = 0.0
        """The turn that is served."""
        self._next_turns: dict[Hashable, float] = {}
        """The first free turn of each browser and each address."""

    def __len__(self) -> int:
        """Return how many requests wait or are in the making."""
        return len(self._waiting) + len(self._making)

    def has(self, request: Hashable) -> bool:
        """Return whether the file of a request is there already, or the request waits."""
        return request in self._jobs or STORE.get((self, request)) is not None

    def has_room(self, asker: Client) -> bool:
        """Return whether one more request of a browser and its address may wait."""
        here = [one.asker for one in (*self._waiting, *self._making)]
        beside = [one.browser for one in here if one.address == asker.address]
        of_browser = beside.count(asker.browser) if asker.browser else 0
        return len(here) < self._most and len(beside) < OF_ADDRESS and of_browser < OF_BROWSER

    async def file(
        self, request: Hashable, make: Callable[[], File], asker: Client, *, is_long: bool = False
    ) -> File | int:
        """Return the file of a request, or after `PATIENCE` the number of requests before it.

        The request then keeps its place and is asked for again. Raises FullError if too many wait, and the
        errors of `make`.
        """
        found: File | None = STORE.get((self, request))
        if found is not None:
            return found
        job = self._jobs.get(request) or self._let_in(request, make, asker, is_long=is_long)
        job.wanted_until = self._clock() + PATIENCE + FORGOTTEN
        await asyncio.wait({job.done}, timeout=PATIENCE)
        if not job.done.done():
            return self._place(job)
        self._forget(job)
        return job.done.result()

    def _let_in(self, request: Hashable, make: Callable[[], File], asker: Client, *, is_long: bool) -> _Job:
        if not self.has_room(asker):
            raise FullError
        is_idle = not self._waiting and not self._making
        of_line = {line: n for line, n in self._next_turns.items() if n > self._now and not is_idle}
        address, browser = asker.address, (asker.address, asker.browser)
        free = of_line.get(address, self._now)
        turn = max(free, of_line.get(browser, self._now))
        self._next_turns = {**of_line, browser: turn + APART, address: free + APART_OF_ADDRESS}
        done = asyncio.get_running_loop().create_future()
        job = self._jobs[request] = _Job(request, make, asker, is_long, turn + APART * is_long, done)
        self._waiting.append(job)
        self._begin()
        return job

    def _begin(self) -> None:
        """Drop requests that no visitor waits for, and begin a request for each free place."""
        for old in list(self._jobs.values()):
            if old not in self._making and old.wanted_until < self._clock():
                self._forget(old)
        while len(self._making) < self._at_once and (job := self._next()) is not None:
            self._waiting.remove(job)
            self._making.append(job)
            self._now = max(self._now + 1, job.turn - APART * job.is_long)
            loop = asyncio.get_running_loop()
            making = loop.run_in_executor(self._threads, _after_others, job.make)
            making.add_done_callback(partial(self._end, job))

    def _next(self) -> _Job | None:
        n_long = sum(one.is_long for one in self._making)
        may = [one for one in self._waiting if not one.is_long or n_long < max(1, self._at_once - 1)]
        return min(may, key=lambda one: one.turn, default=None)

    def _place(self, job: _Job) -> int:
        """Return the number of requests before this one; 0 if it is being made."""
        if job in self._making:
            return 0
        line = sorted(self._waiting, key=lambda one: one.turn)
        return len(self._making) + (line.index(job) if job in line else len(line))

    def _forget(self, job: _Job) -> None:
        if self._jobs.get(job.request) is job:
            del self._jobs[job.request]
        if job in self._waiting:
            self._waiting.remove(job)

    def _end(self, job: _Job, made: asyncio.Future[File]) -> None:
        self._making.remove(job)
        if made.cancelled():  # the server stops
            return
        loop = asyncio.get_running_loop()
        if (error := made.exception()) is None:
            if len(made.result().content) <= LARGEST:
                STORE.put((self, job.request), made.result())
                loop.call_later(KEPT_FOR, STORE.remove, (self, job.request))
            job.done.set_result(made.result())
        else:  # every visitor who asked for it gets it
            job.done.set_exception(error)
            job.done.exception()
        self._begin()
        loop.call_later(PATIENCE + FORGOTTEN + 1, self._begin)  # drops forgotten requests


def _after_others(make: Callable[[], File]) -> File:
    give_way()
    return make()
