"""Actions of a host: ask a question, in a new room or in an open one."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from access.limits import ROOMS
from rooms.room import MOST_OPEN, MOST_ROUNDS, MOST_WITH_KEY, Room, Round, new_room
from rooms.store import Store

MOST_BYTES = 64 * 1024
"""The most bytes of a question, which can contain typed texts."""

TRIES = 50
"""Codes that are tried before a room is refused."""
UNPREPARED = "The right answer holds only for the prepared switches. With these, no answer counts as right."


class HostError(RuntimeError):
    """The question cannot be asked; the message tells the host why."""


class OpeningError(HostError):
    """A limit is reached that the lecturers' key lifts."""


@dataclass(frozen=True)
class HostSession:
    """The code of a room, and the token of its host."""

    code: str
    token: str


def ask_question(
    store: Store,
    question: Mapping[str, Any],
    *,
    about: str,
    settings: Mapping[str, str],
    sentences: Sequence[str] = (),
    is_prepared: bool = True,
    code: str = "",
    token: str = "",
    may_open: Callable[[], bool] = lambda: True,
    has_key: bool = False,
) -> HostSession:
    """Ask a question in the room of `code` if `token` is its host's, else in a new one if one `may_open`.

    Projector and phones show the `sentences` of the view with it. If the view is not as it was prepared, no
    answer counts as right. A lecturer who `has_key` opens a room past the limits.

    Raises HostError if the question cannot be asked, StoreError if rooms cannot be kept.
    """
    if not is_prepared:
        question = without_right(question)
    if sentences:
        question = {**question, "sentences": list(sentences)}
    plain = orjson.dumps(question, option=orjson.OPT_SERIALIZE_NUMPY)
    if len(plain) > MOST_BYTES:
        raise HostError("This question is too long for phones: shorten it.")
    room = store.room(code) if code else None
    if room is None or room.is_closed or not room.is_led_by(token):
        room, token = _open(store, may_open, has_key=has_key)
    number = 1 + (room.now.number if room.now else 0)
    if number > MOST_ROUNDS:
        raise HostError(f"A room takes at most {MOST_ROUNDS} questions: close it and open another.")
    asked = Round(number=number, about=about, question=orjson.loads(plain), settings=settings)
    if not store.ask(room.code, asked):
        raise HostError("Another window has just closed the room or asked it a question.")
    return HostSession(room.code, token)


def without_right(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the question without a right answer; its solution says why there is none."""
    if question.get("right") is None:
        return question
    mistaken: Mapping[str, Any] = {"mistaken": []} if "mistaken" in question else {}
    return {**question, **mistaken, "right": None, "solution": "", "because": UNPREPARED}


def _open(store: Store, may_open: Callable[[], bool], *, has_key: bool) -> tuple[Room, str]:
    """Open a new room. Raises OpeningError if too many are open."""
    if not (has_key or may_open()):
        minutes = round(1 / ROOMS.browser[1] / 60)
        raise OpeningError(
            f"Many rooms were opened from this browser or network: try again in {minutes} minutes."
        )
    most = MOST_WITH_KEY if has_key else MOST_OPEN
    if store.n_open() >= most:
        raise OpeningError(f"All {most} rooms of this server are in use: one closes within three hours.")
    for _ in range(TRIES):
        room, token = new_room(time.time())
        if store.open(room):
            return room, token
    raise HostError("No letters are free for a room: try again later.")
