"""All limits of the app: rates, counts at one time, and sizes.

`python -m access.limits` writes their table, `access/README.md`. Rates are token buckets of a process.
An address may be a lecture hall, so its limits allow for more than a hall needs. The limits of nginx are in
`deploy/settings.py`, because an operator chooses them.
"""

from dataclasses import dataclass
from pathlib import Path

KB, MB = 2**10, 2**20

Rate = tuple[float, float]
"""Tokens at once, and further tokens a second."""


@dataclass(frozen=True)
class Shared:
    """Rates of a browser and of all browsers at its address."""

    what: str
    browser: Rate
    address: Rate


@dataclass(frozen=True)
class Single:
    """Rate of a browser alone."""

    what: str
    browser: Rate


@dataclass(frozen=True)
class ConcurrencyLimit:
    """Counts at one time: for a browser, for its address and for a process."""

    what: str
    browser: int
    address: int
    process: int


@dataclass(frozen=True)
class Size:
    """Size of a request's data, counted while it arrives; its header can be wrong."""

    what: str
    n_bytes: int


GUESSES = Shared("wrong letters of a room", browser=(5, 1 / 60), address=(100, 1 / 40))
"""With many cookies an address has 740 guesses in the three hours of a room, among 104,976 codes: 370 by new
browsers and 370 by known ones.

In each process they find a single room with a chance of 0.7 %, and one of a hundred rooms with 51 %. One
browser has 185 guesses. The cookie of a room and the key in its QR code need none.
"""

ARRIVALS = Shared("phones that join a room", browser=(10, 1 / 60), address=(600, 2))

PHONES = Shared("requests of phones and projectors", browser=(200, 20), address=(3000, 600))
"""400 phones ask 200 times a second, a projector asks 1.4 times."""

ROOMS = Shared("rooms that are opened", browser=(3, 1 / 1200), address=(10, 1 / 800))
"""One visitor cannot take all rooms of the server."""

ANSWERS = Single("answers in a room", browser=(10, 1))

LOOKS = Single("requests of a phone for news of its room", browser=(20, 2))
"""A phone asks every 2 s."""

FILES = Shared("new files and previews of figures", browser=(240, 4), address=(1200, 20))
"""More than the server makes in that time: the queue gives each browser its turn."""

FILE_REQUESTS = ConcurrencyLimit("files that wait or are being made", browser=16, address=160, process=256)
"""256 files are some minutes of work."""

MESSAGES = Shared("messages of a page (more are read later)", browser=(200, 10), address=(3000, 100))
"""A key held down in a number field sends 22 in a second, the most that we have seen a browser send."""

COOKIES = Size("all cookies of a request", 16 * KB)
"""A browser also sends the cookies of other apps on the same host."""

ANSWER = Size("an answer of a phone", 2 * KB)
"""Sixteen bars are four hundred bytes."""

QUESTION = Size("a question that a page asks the hall", 200 * KB)
"""A question has 64 KB at most before it is sealed, and its view comes with it."""

PICTURES = Size("the pictures of a lecture that becomes a file", 2 * MB)

RATES: tuple[Shared | Single | ConcurrencyLimit, ...] = (
    *(GUESSES, ARRIVALS, PHONES, ROOMS, ANSWERS, LOOKS),
    *(FILES, FILE_REQUESTS, MESSAGES),
)
SIZES = (COOKIES, ANSWER, QUESTION, PICTURES)

PAGE = Path(__file__).with_name("README.md")
ABOUT = """# Limits

`python -m access.limits` writes this page from `access/limits.py`. Each process counts by itself.
`docs/operations.md` lists the limits of nginx, which an operator sets.
"""


def page() -> str:
    """Return all limits as a page of Markdown with two tables."""
    rows = "".join(f"| {one.what} | {' | '.join(_cells(one))} |\n" for one in RATES)
    sizes = "".join(f"| {one.what} | {_size(one.n_bytes)} |\n" for one in SIZES)
    return (
        f"{ABOUT}\n| in each process | a browser | all browsers of an address |\n|---|---|---|\n{rows}\n"
        f"| size of | at most |\n|---|---|\n{sizes}"
    )


def _cells(limit: Shared | Single | ConcurrencyLimit) -> tuple[str, str]:
    match limit:
        case Shared():
            return _rate(limit.browser), _rate(limit.address)
        case Single():
            return _rate(limit.browser), "–"
        case ConcurrencyLimit():
            return f"{limit.browser}", f"{limit.address}, and {limit.process} of all addresses"


def _rate(rate: Rate) -> str:
    at_once, per_second = rate
    return (
        f"{at_once:,.0f}, then {per_second:,.0f} in a second"
        if per_second >= 1
        else f"{at_once:,.0f}, then 1 in {1 / per_second:,.0f} s"
    )


def _size(n_bytes: int) -> str:
    return f"{n_bytes // MB} MB" if n_bytes >= MB else f"{n_bytes // KB} KB"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
