"""What a session alone has measured or trained, for who saves a picture of it: a link does not hold it.

It is kept in this process for a while under a token that nobody guesses, which only the page of the session
is told.
"""

from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

from pages.contract.measurement import NOTHING, Measured, Measurement

MOST = 64
"""Sessions whose last measurement or training is kept, the latest ones. One is some kilobytes large."""


HELD = "."
"""The sign between the token of a session and the name under which a panel holds what it has found."""


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
        self._held: OrderedDict[str, Seen] = OrderedDict()

    def keep(self, token: str, seen: Seen) -> None:
        """Keep it in place of what the token had before."""
        with self._lock:
            self._put(self._kept, token, seen)

    def find(self, token: str) -> Seen | None:
        """What is kept under a token; None where that is gone, or is with another process.

        A token with a dot and a name behind it keeps what it finds first: a training goes on while somebody
        saves several files of it, and all of them show the same step.
        """
        with self._lock:
            session, _, name = token.partition(HELD)
            found = self._held.get(token) or self._kept.get(session)
            if found is not None and name:
                self._put(self._held, token, found)
            return found

    def _put(self, kept: OrderedDict[str, Seen], token: str, seen: Seen) -> None:
        kept[token] = seen
        kept.move_to_end(token)
        while len(kept) > self._most:
            kept.popitem(last=False)


SEEN = Store()
"""What the sessions of this process have seen."""
