"""The store of cached results: one per process, with one bound in bytes for all functions."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from functools import cached_property, wraps
from threading import Condition
from typing import Any, Protocol, TypeVar

import core.memory as memory
from core.arrays import bytes_held
from core.device import choose_device

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

MOST_RESULTS = 2**30
"""Greatest number of bytes of all results, however much memory there is."""

LEAST_RESULTS = 64 * 2**20
"""Bytes of results that are always kept, even if the rest of the process leaves less room, because a class
looks at the same page.
"""

AT_START = 700 * 2**20
"""Bytes of a process without results, used if the system does not say."""

OF_AN_ENTRY = 1024
"""Bytes of an entry besides its result: its key and its places in two tables."""

PAUSE = 1.0
"""Seconds between two returns of freed memory to the system; each takes some milliseconds."""


class MemoryHolder(Protocol):
    """A holder of memory in child processes, such as the browser that draws files."""

    def memory(self) -> int:
        """Return the bytes that its child processes hold."""

    def end_if_idle(self) -> None:
        """Release its memory unless somebody waits for it."""


class ProcessMemory:
    """The measured memory of this process: its bound, and the room it leaves for results."""

    def __init__(
        self,
        bound: Callable[[], int | None] = memory.memory_limit,
        resident: Callable[[], int | None] = memory.resident,
        give_back: Callable[[], None] = memory.give_back,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bound, self._resident, self._give_back, self._clock = bound, resident, give_back, clock
        self._given_back = -PAUSE
        self.neighbours: list[MemoryHolder] = []

    @cached_property
    def bound(self) -> int | None:
        """Bytes that the process and its children may hold. Raises ValueError for a wrong setting."""
        return self._bound()

    def room(self, held: int) -> int:
        """Return the bytes that results may hold; they hold `held` now."""
        left = self.left(held)
        if left is not None and left < max(held, LEAST_RESULTS):
            self.give_back()
            left = self.left(held)
        if left is not None and left < LEAST_RESULTS:
            for neighbour in self.neighbours:
                neighbour.end_if_idle()
            left = self.left(held)
        return MOST_RESULTS if left is None else max(LEAST_RESULTS, min(MOST_RESULTS, left))

    def left(self, held: int) -> int | None:
        """Return the bytes that the bound leaves for results; negative if the rest alone exceeds it."""
        if self.bound is None:
            return None
        resident = self._resident()
        others = AT_START if resident is None else resident - held
        return self.bound - others - sum(neighbour.memory() for neighbour in self.neighbours)

    def resident(self) -> int | None:
        """Return the bytes that the process holds; None if the system does not say."""
        return self._resident()

    def give_back(self) -> None:
        """Return freed memory to the system, unless that has just been done."""
        now = self._clock()
        if now - self._given_back >= PAUSE:
            self._given_back = now
            self._give_back()


class ResultCache:
    """Results by their keys, shared by threads; the least recently used leave when it is full."""

    def __init__(self, process: ProcessMemory) -> None:
        self.process = process
        self.held = 0
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._in_work: set[Hashable] = set()
        self._changed = Condition()

    def take(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of a key, which `make` computes if it is not there."""
        with self._changed:
            while key in self._in_work:
                self._changed.wait()
            if key in self._results:
                return self._found(key)
            self._in_work.add(key)
        try:
            made = make()
            self.put(key, made)
            return made
        finally:
            with self._changed:
                self._in_work.discard(key)
                self._changed.notify_all()

    def get(self, key: Hashable) -> Any:
        with self._changed:
            return self._found(key) if key in self._results else None

    def put(self, key: Hashable, result: Any) -> None:
        """Keep a result, unless it alone exceeds the room."""
        n_bytes = bytes_held(result) + OF_AN_ENTRY
        room = self.process.room(self.held + n_bytes)
        with self._changed:
            self._drop(key)
            if n_bytes <= room:
                self._results[key] = result, n_bytes
                self.held += n_bytes
        self._evict(room)

    def sizes(self) -> dict[str, int]:
        """Return the bytes that are held, by the module of the function that keeps them."""
        found: Counter[str] = Counter()
        with self._changed:
            for key, (_, n_bytes) in self._results.items():
                first = key[0] if isinstance(key, tuple) and key else key
                found[str(getattr(first, "__module__", getattr(first, "__name__", "other")))] += n_bytes
        return dict(found)

    def make_room(self, coming: int = 0) -> None:
        """Drop results until the process is within its bound with `coming` bytes to spare."""
        self._evict(max(LEAST_RESULTS, self.process.room(self.held) - coming))

    def remove(self, key: Hashable) -> None:
        with self._changed:
            self._drop(key)

    def drop(self, is_meant: Callable[[Any], bool]) -> None:
        """Drop the results of all keys that `is_meant` selects."""
        with self._changed:
            for key in [key for key in self._results if is_meant(key)]:
                self._drop(key)

    def _found(self, key: Hashable) -> Any:
        self._results.move_to_end(key)
        return self._results[key][0]

    def _drop(self, key: Hashable) -> None:
        _, n_bytes = self._results.pop(key, (None, 0))
        self.held -= n_bytes

    def _evict(self, room: int) -> None:
        with self._changed:
            if self.held <= room:
                return
            while self.held > room:
                self._drop(next(iter(self._results)))
        self.process.give_back()


STORE = ResultCache(ProcessMemory())


def free_memory() -> int | None:
    """Return the bytes that a model can have if results make room; None if the system does not say."""
    left = STORE.process.left(STORE.held)
    said = [memory.free_memory(), None if left is None else max(0, left - LEAST_RESULTS)]
    return min((one for one in said if one is not None), default=None)


def cached(function: F) -> F:
    """Keep the results of a function in the store, by value and device; results are read-only."""

    @wraps(function)
    def recalled(*args: Any, **named: Any) -> Any:
        key = (function, choose_device(), args, tuple(sorted(named.items())))
        return STORE.take(key, lambda: function(*args, **named))

    recalled.cache_clear = lambda: STORE.drop(lambda key: key[0] is function)  # type: ignore[attr-defined]
    return recalled  # type: ignore[return-value]
