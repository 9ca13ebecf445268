"""Results that one session alone has measured or trained, for files of its pictures: no link has them.

This process keeps them for a while under an unguessable token, known only to the page of the session.
"""

from threading import Lock
from typing import Any, NamedTuple

from cachetools import LRUCache

from pages.contract.measurement import NOTHING, Measurement, MeasurementResult

MOST = 64
"""Number of sessions whose last results are kept, the latest ones. Each takes some kilobytes."""


HELD = "."
"""Sign between the token of a session and the name under which a panel freezes the results."""


class SessionResults(NamedTuple):
    """Last measurement of a session, and the last shown state of its running process."""

    measured: MeasurementResult = NOTHING
    live: Any = None

    def measure(self, what: Measurement) -> MeasurementResult:
        """Return what was measured by the session's own button, or what all visitors share."""
        return what.shared() if what.is_shared else self.measured


class SessionResultsStore:
    """Results of sessions by their tokens. Threads may share it."""

    def __init__(self, most: int = MOST) -> None:
        self._lock = Lock()
        self._kept: LRUCache[str, SessionResults] = LRUCache(most)
        self._held: LRUCache[str, SessionResults] = LRUCache(most)

    def keep(self, token: str, seen: SessionResults) -> None:
        """Keep the results in place of the former ones of the token."""
        with self._lock:
            self._kept[token] = seen

    def find(self, token: str) -> SessionResults | None:
        """Return the results of a token; None if they are gone, or with another process.

        A token with a dot and a name behind it keeps the first results it finds: a training goes on while
        somebody saves several files of it, and all of them show the same step.
        """
        with self._lock:
            session, _, name = token.partition(HELD)
            found = self._held.get(token) or self._kept.get(session)
            if found is not None and name:
                self._held[token] = found
            return found


SESSION_RESULTS = SessionResultsStore()
