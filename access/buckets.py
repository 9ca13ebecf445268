"""Token buckets for browsers and their addresses, in the memory of this process alone."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from access.limits import Shared

MOST_NAMES = 20_000
"""Largest number of names that are remembered; beyond it the least recently used are forgotten."""


@dataclass(frozen=True)
class Client:
    """An address and a browser there; `browser` is empty if it sends no cookie of this server."""

    address: str
    browser: str = ""
    is_known: bool = False


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


class AddressRateLimiter:
    """Allowance of each address, which its browsers share.

    A browser takes a token of its own bucket and one of its address. An address has separate, equal buckets
    for new and for known browsers, so that a program that makes new cookies takes nothing from known
    browsers. Browsers without a cookie count as one new browser.
    """

    def __init__(self, limit: Shared, clock: Callable[[], float] = time.monotonic) -> None:
        self._browsers = Buckets(*limit.browser, clock)
        self._new, self._known = Buckets(*limit.address, clock), Buckets(*limit.address, clock)

    def has(self, client: Client) -> bool:
        """Return whether `take` would give a token."""
        return self._browsers.has(_name(client)) and self._pool(client).has(client.address)

    def take(self, client: Client) -> bool:
        """Take a token of the browser and one of its address; return False if either has none."""
        return (
            self.has(client)
            and self._browsers.take(_name(client))
            and self._pool(client).take(client.address)
        )

    def _pool(self, client: Client) -> Buckets:
        return self._known if client.is_known else self._new


def _name(client: Client) -> str:
    return client.browser or f"without a cookie at {client.address}"
