"""A room: its four letters, its host, and the rounds of its questions."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LETTERS = "BCDFGHJKLMNPRSTWXZ"
"""Letters that do not look alike on a projector; without vowels they spell no word."""

N_LETTERS = 4

LASTS = 3 * 60 * 60
"""Seconds after which a room ends by itself and is deleted."""

MOST_OPEN = 100
"""The most rooms at once without the lecturers' key: then one code in a thousand leads to a room."""

MOST_WITH_KEY = 2 * MOST_OPEN
"""The most rooms at once for lecturers with the key, so that strangers cannot take all rooms."""

MOST_ROUNDS, MOST_BROWSERS = 60, 2000
"""The most rounds of a room, and the most browsers of a round: more than a lecture and a hall need."""

_CODE = re.compile(f"[{LETTERS}]{{{N_LETTERS}}}")
_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Round:
    """A question, asked once. `about` names its place among all views, `settings` the view's settings.

    The hall sees only the free words that the lecturer has `approved`.
    """

    number: int
    about: str
    question: Mapping[str, Any]
    settings: Mapping[str, str]
    is_revealed: bool = False
    approved: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Room:
    """Data of a room; `rounds` are in their order, and the last one is being asked.

    `secret` never leaves the server: the host and the browsers are stored only as hashes with it.
    """

    code: str
    secret: str
    owner: str
    ends: float
    is_closed: bool = False
    rounds: tuple[Round, ...] = ()

    @property
    def now(self) -> Round | None:
        """The last round, which is open or revealed; None before the first."""
        return self.rounds[-1] if self.rounds else None

    def is_led_by(self, token: str) -> bool:
        """Return whether this is the token of the host."""
        return hmac.compare_digest(self.owner, hashed(self.secret, "owner", token))

    @property
    def key(self) -> str:
        """The key in the QR code, which tells phones that scan it from clients that guess letters."""
        return hashed(self.secret, "key", self.code)[:10]

    def has_key(self, key: str) -> bool:
        """Return whether this is the key in the QR code."""
        return hmac.compare_digest(self.key.encode(), key.encode())

    def new_cookie(self) -> str:
        """Return a cookie that identifies a browser: a random number, and a proof that this room made it."""
        number = secrets.token_hex(16)
        return f"{number}.{self._proof(number)}"

    def browser(self, cookie: str) -> str | None:
        """Return the name under which a browser's answer is kept; None for a cookie of another room."""
        found = _COOKIE.fullmatch(cookie)
        if found is None or not hmac.compare_digest(self._proof(found[1]), found[2]):
            return None
        return hashed(self.secret, "answer", found[1])[:32]

    def _proof(self, number: str) -> str:
        return hashed(self.secret, "browser", number)[:32]


def new_room(now: float) -> tuple[Room, str]:
    """Return a room that begins now, and the secret token of its host."""
    secret, token = secrets.token_hex(16), secrets.token_urlsafe(32)
    code = "".join(secrets.choice(LETTERS) for _ in range(N_LETTERS))
    return Room(code=code, secret=secret, owner=hashed(secret, "owner", token), ends=now + LASTS), token


def code_of(text: str) -> str | None:
    """Return typed letters in capitals; None if they are not four letters of a code."""
    typed = text.strip().upper()
    return typed if _CODE.fullmatch(typed) else None


def hashed(secret: str, what: str, value: str) -> str:
    """Return the hash of a value, which differs in every room and does not reveal the value."""
    return hmac.new(secret.encode(), f"{what} {value}".encode(), hashlib.sha256).hexdigest()
