"""The pace of a browser's messages: a page that sends more than a person causes is read more slowly.

A message reruns the page, which starts a thread. Streamlit (1.67) handles all messages of a page before any
other task runs. A health check waited for 57 s while 20 pages sent 37 messages a second each. With one
message for each turn it waited for a second at most. No message is lost: unread messages wait in the network,
so their sender waits too.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from access.limits import MESSAGES

NO_TEXTS: Message = {"type": "websocket.disconnect", "code": 1003}
"""Stands in for a text: Streamlit's pages send bytes, and its server would log an error for anything else."""


class Pace:
    """A bucket of `at_once` tokens, refilled with `per_second`; tokens can be taken in advance."""

    def __init__(
        self, at_once: float, per_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once, self._per_second, self._clock = at_once, per_second, clock
        self._left, self._then = at_once, clock()

    def delay(self) -> float:
        """Take a token and return the seconds until it is available."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._then) * self._per_second) - 1
        self._then = now
        return max(0.0, -self._left / self._per_second)


class PacedMessages:
    """Middleware that reads the messages of websockets no faster than their paces."""

    def __init__(
        self,
        app: ASGIApp,
        pace: Callable[..., Pace] = Pace,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._app, self._pace, self._sleep = app, pace, sleep
        self._turn = asyncio.Lock()
        self._addresses: WeakValueDictionary[str, Pace] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address, _ = scope.get("client") or ("", 0)
        own = self._pace(*MESSAGES.browser)
        shared = self._addresses.get(address) or self._pace(*MESSAGES.address)
        self._addresses[address] = shared

        async def paced() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and message.get("bytes") is None:
                return NO_TEXTS
            if message["type"] == "websocket.receive":
                # Its own pace first: a page that waits takes no tokens from other pages of its address.
                for pace in (own, shared):
                    if delay := pace.delay():
                        await self._sleep(delay)
                async with self._turn:
                    await self._sleep(0)
            return message

        await self._app(scope, paced, send)
