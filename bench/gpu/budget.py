"""The time budget of a run of the checks, counted from its start."""

import os
import threading
from collections.abc import Callable
from time import monotonic

UNFINISHED = 3
"""Exit status of a run that was ended at its limit during a computation."""

SPARE = 10.0
"""Seconds before the limit when nothing new begins, and a running computation is ended."""


class Budget:
    """Time left in a run; `clock` counts seconds."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds - SPARE

    @property
    def left(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._end - self._clock())


def end_at_limit(budget: Budget, last_words: Callable[[], None]) -> None:
    """Call `last_words` and end this process once the time is used up, even during a computation."""

    def end() -> None:
        try:
            last_words()
        finally:
            os._exit(UNFINISHED)

    timer = threading.Timer(budget.left, end)
    timer.daemon = True
    timer.start()
