"""A clock that a test sets."""


class Clock:
    """A clock that shows `now`."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the time."""
        return self.now
