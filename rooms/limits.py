"""How often phones may ask. A lecture hall is one address: limits of an address are for more than a hall."""

from dataclasses import dataclass, field

from rooms.buckets import Buckets

MOST_BYTES = 2048
"""Of a body: sixteen bars are four hundred bytes."""


@dataclass(frozen=True)
class Limits:
    """Buckets of one process, by address or by browser.

    Whoever guesses letters has 20 guesses and then one in 20 s: 560 in the three hours of a room, of 104,976
    codes. That finds a room that is alone on the server with 0.5 %, and one of a hundred with 41 %, from each
    address and in each process. Who has the cookie of a room or the key of its QR code guesses nothing, and
    is not kept waiting by those who do.
    """

    guesses: Buckets = field(default_factory=lambda: Buckets(20, 1 / 20))
    """Letters that lead nowhere, and tokens that lead no room, by address."""
    arrivals: Buckets = field(default_factory=lambda: Buckets(600, 2))
    """Browsers that come new into a room, by address."""
    requests: Buckets = field(default_factory=lambda: Buckets(3000, 600))
    """Everything, by address: 400 phones ask 200 times a second."""
    answers: Buckets = field(default_factory=lambda: Buckets(10, 1))
    """Answers of one browser."""
    looks: Buckets = field(default_factory=lambda: Buckets(20, 2))
    """How one browser asks whether there is something new: it does so every 2 s."""
