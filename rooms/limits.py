"""How often phones may ask: limits of a browser, and of an address for more than a lecture hall."""

from dataclasses import dataclass, field

from rooms.browsers import Shares
from rooms.buckets import Buckets

MOST_BYTES = 2048
"""Of a body: sixteen bars are four hundred bytes."""


@dataclass(frozen=True)
class Limits:
    """Limits of one process. An address has each of those of `Shares` twice: for new and for known browsers.

    With many cookies an address has 740 guesses in the three hours of a room, of 104,976 codes. They find a
    room that is alone on the server with 0.7 %, and one of a hundred with 51 %, in each process. One browser
    has 185. Who has the cookie of a room or the key of its QR code guesses nothing.
    """

    guesses: Shares = field(default_factory=lambda: Shares(browser=(5, 1 / 60), address=(100, 1 / 40)))
    """Letters that lead nowhere."""
    arrivals: Shares = field(default_factory=lambda: Shares(browser=(10, 1 / 60), address=(600, 2)))
    """Browsers that come new into a room."""
    requests: Shares = field(default_factory=lambda: Shares(browser=(200, 20), address=(3000, 600)))
    """Everything: 400 phones ask 200 times a second, a projector asks 1.4 times."""
    opened: Shares = field(default_factory=lambda: Shares(browser=(3, 1 / 1200), address=(10, 1 / 800)))
    """Rooms that a browser and its address open: they cannot have all of the server's."""
    answers: Buckets = field(default_factory=lambda: Buckets(10, 1))
    """Answers of one browser."""
    looks: Buckets = field(default_factory=lambda: Buckets(20, 2))
    """How one browser asks whether there is something new: it does so every 2 s."""
