"""Token buckets for phones and projectors, with the rates of `access.limits`."""

from dataclasses import dataclass, field

from access import limits
from rooms.browsers import SharedRateLimiter
from rooms.buckets import Buckets


@dataclass(frozen=True)
class Limits:
    """Limits of one process.

    A `SharedRateLimiter` gives an address one bucket for new browsers and one for known ones.
    """

    guesses: SharedRateLimiter = field(default_factory=lambda: SharedRateLimiter.of(limits.GUESSES))
    """Wrong letters."""
    arrivals: SharedRateLimiter = field(default_factory=lambda: SharedRateLimiter.of(limits.ARRIVALS))
    """Browsers that enter a room for the first time."""
    requests: SharedRateLimiter = field(default_factory=lambda: SharedRateLimiter.of(limits.PHONES))
    """All requests."""
    opened: SharedRateLimiter = field(default_factory=lambda: SharedRateLimiter.of(limits.ROOMS))
    """Rooms that a browser and its address open."""
    answers: Buckets = field(default_factory=lambda: Buckets(*limits.ANSWERS.browser))
    """Answers of one browser."""
    looks: Buckets = field(default_factory=lambda: Buckets(*limits.LOOKS.browser))
    """Requests of one browser for news."""
