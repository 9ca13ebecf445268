"""Limits on phones and projectors."""

from dataclasses import dataclass, field

from access import limits
from access.buckets import AddressRateLimiter, Buckets


@dataclass(frozen=True)
class Limits:
    """Limits of one process.

    An `AddressRateLimiter` gives an address one bucket for new browsers and one for known ones.
    """

    guesses: AddressRateLimiter = field(default_factory=lambda: AddressRateLimiter(limits.GUESSES))
    """Wrong letters."""
    arrivals: AddressRateLimiter = field(default_factory=lambda: AddressRateLimiter(limits.ARRIVALS))
    """Browsers that enter a room for the first time."""
    requests: AddressRateLimiter = field(default_factory=lambda: AddressRateLimiter(limits.PHONES))
    """All requests."""
    opened: AddressRateLimiter = field(default_factory=lambda: AddressRateLimiter(limits.ROOMS))
    """Rooms that a browser and its address open."""
    answers: Buckets = field(default_factory=lambda: Buckets(*limits.ANSWERS.browser))
    """Answers of one browser."""
    looks: Buckets = field(default_factory=lambda: Buckets(*limits.LOOKS.browser))
    """Requests of one browser for news."""
