"""Token buckets by name, in the memory of this process alone."""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

MOST_NAMES = 20_000
"""Names that are remembered; of more, the least recently used are forgotten."""


class Buckets:
    """Token buckets: each name has `at_once` tokens, which are refilled with `per_second`."""

    def __init__(
        self, at_once: float, per_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once, self._per_second, self._clock = at_once, per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, name: str) -> bool:
        """Take a token; return False if there is none."""
        with self._lock:
            left, now = self._now(name)
            is_there = left >= 1
            self._left[name] = (left - is_there, now)
            self._left.move_to_end(name)
            while len(self._left) > MOST_NAMES:
                self._left.popitem(last=False)
            return is_there

    def has(self, name: str) -> bool:
        """Return whether there is a token."""
        with self._lock:
            return self._now(name)[0] >= 1

    def _now(self, name: str) -> tuple[float, float]:
        now = self._clock()
        left, then = self._left.get(name, (self._at_once, now))
        return min(self._at_once, left + (now - then) * self._per_second), now
