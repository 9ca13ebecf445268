"""A room: four letters, who may lead it, and the rounds that are asked in it."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

LETTERS = "BCDFGHJKLMNPRSTWXZ"
"""No two that look alike on a projector, and no vowels: they spell no word, good or bad."""

N_LETTERS = 4
N_CODES = len(LETTERS) ** N_LETTERS
"""104,976."""

LASTS = 3 * 60 * 60
"""Seconds after which a room ends by itself and is deleted."""

MOST_OPEN = 100
"""Rooms of a server at once: of the codes one in a thousand then leads somewhere."""

MOST_WITH_KEY = 2 * MOST_OPEN
"""Rooms of a server at once that lecturers with a key may open: strangers cannot have taken all of them."""

MOST_ROUNDS, MOST_BROWSERS = 60, 2000
"""Of a room, and of a round: more than a lecture asks, and more than a hall holds."""

_CODE = re.compile(f"[{LETTERS}]{{{N_LETTERS}}}")
_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Round:
    """A question, asked once. `about` names its place among all views, `settings` how that was set then.

    Of free words the hall sees those that the lecturer has `approved`.
    """

    number: int
    about: str
    question: Mapping[str, Any]
    settings: Mapping[str, str]
    is_revealed: bool = False
    approved: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Room:
    """What is known of a room; `rounds` are in their order, and the last one is being asked.

    `secret` never leaves the server: who leads and who has answered is kept only hashed with it.
    """

    code: str
    secret: str
    owner: str
    ends: float
    is_closed: bool = False
    rounds: tuple[Round, ...] = ()

    @property
    def now(self) -> Round | None:
        """The round that is being asked, or was asked last."""
        return self.rounds[-1] if self.rounds else None

    def is_led_by(self, token: str) -> bool:
        """Whether this is the token of whoever opened the room."""
        return hmac.compare_digest(self.owner, hashed(self.secret, "owner", token))

    @property
    def key(self) -> str:
        """Stands in the code that phones scan: who scans is told from who guesses letters."""
        return hashed(self.secret, "key", self.code)[:10]

    def has_key(self, key: str) -> bool:
        """Whether this is what stands in the code."""
        return hmac.compare_digest(self.key.encode(), key.encode())

    def new_cookie(self) -> str:
        """What a browser is told from others by: a random number, and a proof that it comes from here."""
        number = secrets.token_hex(16)
        return f"{number}.{self._proof(number)}"

    def browser(self, cookie: str) -> str | None:
        """The name under which a browser's answer is kept; None for a cookie that is not of this room."""
        found = _COOKIE.fullmatch(cookie)
        if found is None or not hmac.compare_digest(self._proof(found[1]), found[2]):
            return None
        return hashed(self.secret, "answer", found[1])[:32]

    def _proof(self, number: str) -> str:
        return hashed(self.secret, "browser", number)[:32]


def new_room(now: float) -> tuple[Room, str]:
    """A room that begins now, and the token of whoever leads it, which nobody else is told."""
    secret, token = secrets.token_hex(16), secrets.token_urlsafe(32)
    code = "".join(secrets.choice(LETTERS) for _ in range(N_LETTERS))
    return Room(code=code, secret=secret, owner=hashed(secret, "owner", token), ends=now + LASTS), token


def another_code(room: Room) -> Room:
    """The same room with other letters, where its own are taken."""
    return replace(room, code="".join(secrets.choice(LETTERS) for _ in range(N_LETTERS)))


def code_of(text: str) -> str | None:
    """Four letters as they may be typed, in capitals; None for anything else."""
    typed = text.strip().upper()
    return typed if _CODE.fullmatch(typed) else None


def hashed(secret: str, what: str, value: str) -> str:
    """A value that cannot be told from its hash, and hashes differently in every room."""
    return hmac.new(secret.encode(), f"{what} {value}".encode(), hashlib.sha256).hexdigest()
