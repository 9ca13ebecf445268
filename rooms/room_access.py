"""Access to rooms: the letters alone lead to a room's page, everything else needs a cookie or a token."""

from collections.abc import Callable
from typing import Any

import orjson
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from access.bodies import TooLargeError, read_body
from access.limits import ANSWER
from rooms.limits import Limits
from rooms.room import Room, code_of
from rooms.store import Store

COOKIE = "room_browser"
"""The cookie of a browser in a room, hidden from scripts; its path has the code of the room."""
THREADS = 8
"""The most requests at once that wait for the store, which answers in about a millisecond."""

NO_ROOM = "There is no such room: compare the four letters with the lecturer's screen."
GUESSED = "Too many wrong letters from this browser or network: scan the code, or wait a minute."


class RefusedError(Exception):
    """A request is refused, with an HTTP status and a sentence for the client."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


def browser_of(request: Request, room: Room) -> str | None:
    """Return the name of this browser in a room; None if it has no cookie of the room."""
    return room.browser(request.cookies.get(COOKIE, ""))


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


class RoomAccess:
    """Access to the rooms of a store. A refusal does not tell whether the room exists."""

    def __init__(self, store: Callable[[], Store], limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._threads: CapacityLimiter | None = None

    async def ask(self, do: Callable[[Store], Any]) -> Any:
        """Ask the store in another thread, because it may wait for other processes."""
        self._threads = self._threads or CapacityLimiter(THREADS)
        return await to_thread.run_sync(lambda: do(self._store()), limiter=self._threads)

    async def found(self, request: Request) -> Room:
        """Return the room of the letters, if the client has its cookie or its key or may guess once more.

        Right letters cost nothing. A browser that has guessed too often is refused with right letters too.
        """
        room, key = await self._room(request), request.query_params.get("key", "")
        if room and (browser_of(request, room) is not None or room.has_key(key)):
            return room
        client = request.state.client
        if not self._limits.guesses.has(client):
            raise RefusedError(429, GUESSED)
        if room is None:
            self._limits.guesses.take(client)
            raise RefusedError(404, NO_ROOM)
        return room

    async def visited(self, request: Request) -> tuple[Room, str]:
        """Return the room and the name of the browser in it; without its cookie there is no such room."""
        room = await self._room(request)
        browser = browser_of(request, room) if room else None
        if room is None or browser is None:
            raise RefusedError(404, NO_ROOM)
        return room, browser

    async def led(self, request: Request) -> Room:
        """Return the room of a request from its host; with another token there is no such room."""
        room = await self._room(request)
        if room is None or not room.is_led_by(token_of(request)):
            raise RefusedError(404, NO_ROOM)
        return room

    async def _room(self, request: Request) -> Room | None:
        code = code_of(request.path_params["code"])
        room: Room | None = await self.ask(lambda store: store.room(code)) if code else None
        return room
