"""An open page: asks the server for one answer after the other, and notes how long each took."""

import asyncio
import time
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from bench.load.journey import Act
from bench.load.records import Record, Records
from bench.load.tab import Answer, Tab
from bench.load.visit import Visitor

LONGEST_ANSWER = 60
"""Seconds; an answer that takes longer counts as none, and the session as lost."""
SEEN_CHANGES = ("toggle", "sentence")
"""Acts after which something on the page has to be another."""


class LostError(Exception):
    """The session is over, for the reason that is given."""


class Asking:
    """A tab with its socket. What is measured goes into `records`, in seconds since `zero`."""

    def __init__(self, socket: ClientConnection, tab: Tab, records: Records, zero: float) -> None:
        self.tab = tab
        self._socket, self._records, self._zero = socket, records, zero

    async def ask(self, act: Act, *, begun: float | None = None) -> Record:
        """Send what `act` says and wait for the last message of the answer; LostError where none comes.

        The time counts from sending, or from `begun` where something belongs to it that came before.
        """
        sent = time.perf_counter() if begun is None else begun
        await self._socket.send(act.message)
        try:
            async with asyncio.timeout(LONGEST_ANSWER):
                answer = await self._answer()
        except TimeoutError:
            raise LostError(f"{act.kind}: no answer in {LONGEST_ANSWER} s") from None
        return self._note(act, answer, sent)

    async def wait(self, until: float) -> None:
        """Until then read what comes unasked, and let the parts of the page that have a timer ask."""
        while (left := until - time.perf_counter()) > 0:
            if self.tab.timers:
                fragment, interval = next(iter(self.tab.timers.items()))
                await asyncio.sleep(min(left, interval))
                if interval < left:
                    await self.ask(Act("timer", self.tab.tick(fragment)))
            else:
                with suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        self.tab.receive(await self._read())

    async def _answer(self) -> Answer:
        while (answer := self.tab.receive(await self._read())) is None:
            pass
        return answer

    async def _read(self) -> bytes:
        message = await self._socket.recv()
        if isinstance(message, str):
            raise LostError("a message in text, where all are binary")
        return message

    def _note(self, act: Act, answer: Answer, sent: float) -> Record:
        milliseconds = 1000 * (time.perf_counter() - sent)
        record = Record(
            act.kind,
            sent - self._zero,
            milliseconds,
            answer.n_messages,
            answer.n_bytes,
            answer.n_changed,
        )
        self._records.acts.append(record)
        self._records.errors.update(f"{act.kind}: {problem}" for problem in answer.problems)
        if act.kind in SEEN_CHANGES and not answer.n_changed:
            self._records.unchanged[f"{act.kind} of {act.what} on {self.tab.place()}"] += 1
        return record


def connected(visitor: Visitor) -> connect:
    """The socket of a page, as that visitor's browser opens it."""
    return connect(
        f"ws://{visitor.server.host}/_stcore/stream",
        host="127.0.0.1",
        port=visitor.server.port,
        local_addr=visitor.local,
        origin=Origin(visitor.server.origin),
        subprotocols=[Subprotocol("streamlit")],
        additional_headers=visitor.headers,
        max_size=None,
        open_timeout=LONGEST_ANSWER,
        close_timeout=1,
        ping_interval=None,
        proxy=None,
    )
