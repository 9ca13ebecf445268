"""The reply to an act in one burst, so that the browser draws the page once and not once for each part.

Streamlit (1.67) sends every 10 ms what a run has written, and each time the browser redraws the page. The
reply to a switch of the explorer came in four parts, with the picture in the last. Drawing them took the
browser a tenth to a quarter more work than drawing the whole at once.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from access.metrics import Histogram, UpDownCounter
from pages.shell.http import asgi

SESSIONS = UpDownCounter("attention_lab_sessions", "Pages that are open.")
RUN_SECONDS = Histogram(
    "attention_lab_run_seconds", "Seconds from an act of a visitor to the end of its answer."
)

LONGEST = 0.2
"""Greatest time in seconds that the beginning of a reply waits for its end."""


class Burst:
    """The messages of one connection that wait for the end of the run that writes them."""

    def __init__(self, send: Send, clock: Callable[[], float] = time.monotonic) -> None:
        self._send, self._clock = send, clock
        self._began: float | None = None
        self._waiting: list[Message] = []
        self._is_asked = False
        self._turn = asyncio.Lock()
        self._timer: asyncio.Task[None] | None = None

    def hear(self, message: Message) -> None:
        """Hold the reply to an act on a part of a page; a page that opens is better seen piece by piece."""
        with suppress(DecodeError):  # Streamlit reports it
            said = BackMsg.FromString(message.get("bytes") or b"")
            if said.WhichOneof("type") == "rerun_script" and self._began is None:
                self._began = self._clock()
            if said.rerun_script.fragment_id:
                self._is_asked = True

    async def send(self, message: Message) -> None:
        """Send a message in its turn: now, or with those that follow it in its run.

        While the browser reads, the sender waits, so that few messages wait here.
        """
        self._waiting.append(message)
        end = _end(message)
        if end == "run" and self._began is not None:
            RUN_SECONDS.observe(self._clock() - self._began)
            self._began = None
        if end:
            self.stop()
        elif self._is_asked and self._timer is None and not self._turn.locked():
            self._timer = asyncio.create_task(self._send_in_time())
        if self._timer is None:
            await self._send_all()

    def stop(self) -> None:
        """Stop holding messages back."""
        self._is_asked = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _send_in_time(self) -> None:
        await asyncio.sleep(LONGEST)
        self._is_asked, self._timer = False, None
        with suppress(OSError):  # the browser has gone: the next message tells its sender
            await self._send_all()

    async def _send_all(self) -> None:
        async with self._turn:
            while self._waiting:
                await self._send(self._waiting.pop(0))


@asgi
async def answers_in_bursts(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the reply of a part of a page in one burst, if it is ready soon."""
    if scope["type"] != "websocket":
        await app(scope, receive, send)
        return
    burst = Burst(send)

    async def hearing() -> Message:
        message = await receive()
        burst.hear(message)
        return message

    try:
        with SESSIONS:
            await app(scope, hearing, burst.send)
    finally:
        burst.stop()


def _end(message: Message) -> Literal["run", "connection", ""]:
    """Return what ends with a message: its run, the connection, or nothing."""
    payload = message.get("bytes") if message["type"] == "websocket.send" else None
    if not payload:
        return "connection"
    said = ForwardMsg.FromString(payload)
    is_end = said.WhichOneof("type") == "script_finished"
    return "run" if is_end and said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN else ""
