"""A clock that goes on when it is told to."""


class Clock:
    """The time is `now`."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """What time it is."""
        return self.now
