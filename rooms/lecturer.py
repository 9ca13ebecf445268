"""The lecturers' key: an operator sets it, and a browser that has sent it opens rooms past the limits."""

import hmac
from collections.abc import Mapping

from rooms.room import hashed

SETTING = "ATTENTION_LAB_LECTURER_KEY"
COOKIE = "attention_lab_lecturer"

LASTS = 12 * 60 * 60
"""Seconds for which a browser keeps the cookie: tomorrow the hall's computer may have another user."""

SHORTEST, LONGEST = 16, 200
"""The fewest and the most characters of a key: sixteen random ones cannot be guessed."""


def lecturer_key(environment: Mapping[str, str]) -> str:
    """Return the key that an operator has set; empty if there is none.

    Raises ValueError, which does not quote the key, if it is too short, too long or not plain ASCII.
    """
    key = environment.get(SETTING, "")
    is_plain = all("!" <= character <= "~" for character in key)
    if key and not (SHORTEST <= len(key) <= LONGEST and is_plain):
        raise ValueError(
            f"{SETTING} must have {SHORTEST} to {LONGEST} ASCII letters, digits and signs, without spaces; "
            f"this one has {len(key)} characters{'' if is_plain else ', some of another kind'}"
        )
    return key


def is_right(key: str, given: str) -> bool:
    """Return whether `given` is the key; without a key nothing is right."""
    return bool(key) and hmac.compare_digest(key.encode(), given.encode("utf-8", "replace"))


def cookie_of(key: str, secret: str) -> str:
    """Return the cookie that proves the key; another key or another secret makes it invalid."""
    return hashed(secret, "lecturer", key)


def is_lecturer(key: str, secret: str, cookie: str) -> bool:
    """Return whether a browser has sent the key before."""
    return is_right(cookie_of(key, secret), cookie) if key else False
