"""What a request says of whoever asks, and what is refused at once."""

from typing import Any

import orjson
from starlette.requests import Request

from access.bodies import TooLargeError, read_body
from access.limits import ANSWER
from rooms.room import Room

COOKIE = "room_browser"
"""A random number for each room, which no script reads; the room is in its path."""


class RefusedError(Exception):
    """What was asked is not done, with the status that says why and a sentence for whoever asked."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


def browser_of(request: Request, room: Room) -> str | None:
    """The name of this browser in a room; None where it has no cookie of it."""
    return room.browser(request.cookies.get(COOKIE, ""))


def has_key(request: Request, room: Room) -> bool:
    """Whether somebody has scanned the code of the room."""
    return room.has_key(request.query_params.get("key", ""))


def token_of(request: Request) -> str:
    """What whoever leads a room proves it with."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme == "Bearer" else ""


def check_origin(request: Request) -> None:
    """Refuse what a page of another server sends, and what names no page."""
    host = request.headers.get("host")
    if not host or request.headers.get("origin") not in (f"http://{host}", f"https://{host}"):
        raise RefusedError(403, "Only pages of this server may send this.")


async def body_of(request: Request, most: int = ANSWER.n_bytes) -> dict[str, Any]:
    """The object that was sent as JSON; a larger body is not read to its end."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError(415, "Expected application/json.")
    try:
        said = orjson.loads(await read_body(request, most))
    except TooLargeError as error:
        raise RefusedError(413, f"Expected {most} bytes at most.") from error
    except orjson.JSONDecodeError as error:
        raise RefusedError(400, "Expected JSON.") from error
    if not isinstance(said, dict):
        raise RefusedError(400, "Expected a JSON object.")
    return said
