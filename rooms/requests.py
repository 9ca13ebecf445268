"""The identity of a request's client, and checks that refuse a request at once."""

from typing import Any

import orjson
from starlette.requests import Request

from access.bodies import TooLargeError, read_body
from access.limits import ANSWER
from rooms.room import Room

COOKIE = "room_browser"
"""The cookie of a browser in a room, hidden from scripts; its path has the room."""


class RefusedError(Exception):
    """A request is refused, with an HTTP status and a sentence for the client."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


def browser_of(request: Request, room: Room) -> str | None:
    """Return the name of this browser in a room; None if it has no cookie of the room."""
    return room.browser(request.cookies.get(COOKIE, ""))


def has_key(request: Request, room: Room) -> bool:
    """Return whether the request has the key from the QR code of the room."""
    return room.has_key(request.query_params.get("key", ""))


def token_of(request: Request) -> str:
    """Return the host's bearer token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme == "Bearer" else ""


def check_origin(request: Request) -> None:
    """Refuse requests from pages of other servers, and requests without an origin."""
    host = request.headers.get("host")
    if not host or request.headers.get("origin") not in (f"http://{host}", f"https://{host}"):
        raise RefusedError(403, "Only pages of this server may send this.")


async def body_of(request: Request, most: int = ANSWER.n_bytes) -> dict[str, Any]:
    """Return the JSON object of a request; a body of more than `most` bytes is not read to its end."""
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
