"""What a session alone has measured or trained, for who saves a picture of it: a link does not hold it.

It is kept in this process for a while under a token that nobody guesses, which only the page of the session
is told. A token and a moment, as in `token.moment`, name what the session had when they were first asked for:
all files that a visitor saves from one panel show the same step of a training.
"""

from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

from pages.contract.measurement import NOTHING, Measured, Measurement

MOST = 64
"""Sessions whose last measurement or training is kept, the latest ones. One is some kilobytes large."""


MOMENTS = 128
"""Moments that are kept, the latest ones."""

LONGEST_MOMENT = 32
"""Characters of the name of a moment."""


def moment_of(token: str) -> str:
    """Return the moment that a token names; empty if it names none."""
    return token.partition(".")[2]


class Seen(NamedTuple):
    """What a session has measured last, and what goes on by itself as it was last shown."""

    measured: Measured = NOTHING
    live: Any = None

    def measure(self, what: Measurement) -> Measured:
        """Return what was measured by the session's own button, or what all visitors share."""
        return what.shared() if what.is_shared else self.measured


class Store:
    """What sessions have seen, by their tokens. Threads may share it."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, Lock()
        self._kept: OrderedDict[str, Seen] = OrderedDict()
        self._moments: OrderedDict[str, Seen] = OrderedDict()

    def keep(self, token: str, seen: Seen) -> None:
        """Keep it in place of what the token had before."""
        with self._lock:
            self._kept[token] = seen
            self._kept.move_to_end(token)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def find(self, token: str) -> Seen | None:
        """What is kept under a token; None where that is gone, or is with another process."""
        moment = moment_of(token)
        with self._lock:
            if not moment or len(moment) > LONGEST_MOMENT:
                return self._kept.get(token)
            found = self._moments.get(token) or self._kept.get(token.partition(".")[0])
            if found is not None:
                self._moments[token] = found
                while len(self._moments) > MOMENTS:
                    self._moments.popitem(last=False)
            return found


SEEN = Store()
"""What the sessions of this process have seen."""
