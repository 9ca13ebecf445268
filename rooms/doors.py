"""Who is let into a room, and how often: the letters alone lead to its page, all else needs a proof."""

from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from rooms.limits import Limits
from rooms.requests import RefusedError, address_of, browser_of, has_key, token_of
from rooms.room import Room, code_of
from rooms.store import Store

THREADS = 8
"""Requests that wait for the store at once: it answers in about a millisecond."""

NO_ROOM = "There is no such room: compare the four letters with those on the wall."
GUESSED = "Too many wrong letters from this network: scan the code, or wait a minute."


class Doors:
    """The doors of all rooms of a store. What is refused looks the same whether there is a room or not."""

    def __init__(self, store: Callable[[], Store], limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._threads: CapacityLimiter | None = None

    async def ask(self, do: Callable[[Store], Any]) -> Any:
        """Ask the store in another thread: it may have to wait for other processes."""
        self._threads = self._threads or CapacityLimiter(THREADS)
        return await to_thread.run_sync(lambda: do(self._store()), limiter=self._threads)

    async def found(self, request: Request) -> Room:
        """The room of the letters, for whoever has its cookie or its key, or guesses with the others."""
        return await self._room(
            request, lambda room: browser_of(request, room) is not None or has_key(request, room), only=False
        )

    async def visited(self, request: Request) -> tuple[Room, str]:
        """The room and the name of the browser in it; who has no cookie of it learns of no room."""
        room = await self._room(request, lambda room: browser_of(request, room) is not None, only=True)
        return room, str(browser_of(request, room))

    async def led(self, request: Request) -> Room:
        """The room that whoever asks leads; with another token there is none."""
        return await self._room(request, lambda room: room.is_led_by(token_of(request)), only=True)

    async def _room(self, request: Request, is_known: Callable[[Room], bool], *, only: bool) -> Room:
        """The room of the letters. Who is not known there may guess some, but enters none where `only`."""
        code, address = code_of(request.path_params["code"]), address_of(request)
        room: Room | None = await self.ask(lambda store: store.room(code)) if code else None
        if room is not None and is_known(room):
            return room
        if not self._limits.guesses.has(address):
            raise RefusedError(429, GUESSED)
        if room is None or only:
            self._limits.guesses.take(address)
            raise RefusedError(404, NO_ROOM)
        return room
