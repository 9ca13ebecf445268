"""Access to rooms: the letters alone lead to a room's page, everything else needs a cookie or a token."""

from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from rooms.limits import Limits
from rooms.requests import RefusedError, browser_of, has_key, token_of
from rooms.room import Room, code_of
from rooms.store import Store

THREADS = 8
"""The most requests at once that wait for the store, which answers in about a millisecond."""

NO_ROOM = "There is no such room: compare the four letters with the lecturer's screen."
GUESSED = "Too many wrong letters from this browser or network: scan the code, or wait a minute."


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
        room = await self._room(request)
        if room and (browser_of(request, room) is not None or has_key(request, room)):
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
