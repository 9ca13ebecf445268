"""Token buckets of phones and projectors, filled as `access.limits` says."""

from dataclasses import dataclass, field

from access import limits
from rooms.browsers import Shares
from rooms.buckets import Buckets


@dataclass(frozen=True)
class Limits:
    """Limits of one process. An address has those of `Shares` twice: for new and for known browsers."""

    guesses: Shares = field(default_factory=lambda: Shares.of(limits.GUESSES))
    """Letters that lead nowhere."""
    arrivals: Shares = field(default_factory=lambda: Shares.of(limits.ARRIVALS))
    """Browsers that come new into a room."""
    requests: Shares = field(default_factory=lambda: Shares.of(limits.PHONES))
    """All requests."""
    opened: Shares = field(default_factory=lambda: Shares.of(limits.ROOMS))
    """Rooms that a browser and its address open."""
    answers: Buckets = field(default_factory=lambda: Buckets(*limits.ANSWERS.browser))
    """Answers of one browser."""
    looks: Buckets = field(default_factory=lambda: Buckets(*limits.LOOKS.browser))
    """Questions of one browser whether there is something new."""
