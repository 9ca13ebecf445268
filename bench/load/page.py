"""An open page: asks the server for one answer after the other, and records the times."""

import asyncio
import time
from contextlib import suppress

from websockets.asyncio.client import ClientConnection

from bench.load.journey import Act
from bench.load.records import Record, Records
from bench.load.tab import Answer, Tab

LONGEST_ANSWER = 60
"""Seconds after which an answer counts as missing, and the session as lost."""
SEEN_CHANGES = ("toggle", "sentence")
"""Acts after which something on the page has to change."""


class LostError(Exception):
    """The session is over, with the reason."""


class Page:
    """A tab with its socket. Measurements go into `records`, in seconds since `zero`."""

    def __init__(self, socket: ClientConnection, tab: Tab, records: Records, zero: float = 0) -> None:
        self.tab = tab
        self._socket, self._records, self._zero = socket, records, zero

    async def ask(self, act: Act, *, begun: float | None = None) -> Answer:
        """Send `act` and wait for the last message of the answer; raises LostError without one.

        The time counts from sending, or from `begun` if the act started earlier.
        """
        sent = time.perf_counter() if begun is None else begun
        await self._socket.send(act.message)
        answer = None
        try:
            async with asyncio.timeout(LONGEST_ANSWER):
                while answer is None:
                    answer = await self._receive()
        except TimeoutError:
            raise LostError(f"{act.kind}: no answer in {LONGEST_ANSWER} s") from None
        self._note(act, answer, sent)
        return answer

    async def wait(self, until: float) -> None:
        """Read unrequested messages until then, and let the page's timers ask."""
        while (left := until - time.perf_counter()) > 0:
            if self.tab.timers:
                fragment, interval = next(iter(self.tab.timers.items()))
                await asyncio.sleep(min(left, interval))
                if interval < left:
                    await self.ask(Act("timer", self.tab.tick(fragment)))
            else:
                with suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        await self._receive()

    async def _receive(self) -> Answer | None:
        message = await self._socket.recv()
        if isinstance(message, str):
            raise LostError("a message in text, where all are binary")
        return self.tab.receive(message)

    def _note(self, act: Act, answer: Answer, sent: float) -> None:
        took = 1000 * (time.perf_counter() - sent)
        size = answer.n_messages, answer.n_bytes, answer.n_changed
        self._records.acts.append(Record(act.kind, sent - self._zero, took, *size))
        self._records.errors.update(f"{act.kind}: {problem}" for problem in answer.problems)
        if act.kind in SEEN_CHANGES and not answer.n_changed:
            self._records.unchanged[f"{act.kind} of {act.what} on {self.tab.place()}"] += 1
