"""Token buckets for phones and projectors, with the rates of `access.limits`."""

from dataclasses import dataclass, field

from access import limits
from rooms.browsers import Shares
from rooms.buckets import Buckets


@dataclass(frozen=True)
class Limits:
    """Limits of one process. In each `Shares` an address has two buckets: for new and for known browsers."""

    guesses: Shares = field(default_factory=lambda: Shares.of(limits.GUESSES))
    """Wrong letters."""
    arrivals: Shares = field(default_factory=lambda: Shares.of(limits.ARRIVALS))
    """Browsers that enter a room for the first time."""
    requests: Shares = field(default_factory=lambda: Shares.of(limits.PHONES))
    """All requests."""
    opened: Shares = field(default_factory=lambda: Shares.of(limits.ROOMS))
    """Rooms that a browser and its address open."""
    answers: Buckets = field(default_factory=lambda: Buckets(*limits.ANSWERS.browser))
    """Answers of one browser."""
    looks: Buckets = field(default_factory=lambda: Buckets(*limits.LOOKS.browser))
    """Requests of one browser for news."""
