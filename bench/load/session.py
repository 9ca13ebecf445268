"""One student: opens a link, does one thing after the other, leaves, and perhaps comes back."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from websockets.exceptions import WebSocketException

from bench.load.asking import Asking, LostError, connected
from bench.load.journey import Act, Journey
from bench.load.records import Records
from bench.load.tab import Tab
from bench.load.visit import Visitor

IDLE = 30
"""Seconds that somebody does nothing for."""
NOTICES = (0.3, 0.8)
"""Seconds after the first picture at which a page has measured its own width."""
PAUSE = (0.4, 1.0)
"""Seconds that somebody pauses between two words: longer than the quarter of a second the app waits for."""
COMES_BACK = (0, 2)
"""Seconds after which a page that was left, or lost, is opened again."""


@dataclass(frozen=True)
class Pace:
    """How a class behaves: seconds between two acts on the average, when it began, and when all stop."""

    between: float
    begun: float
    end: float

    def is_over(self) -> bool:
        """Whether nobody begins anything any more."""
        return time.perf_counter() >= self.end


class Session:
    """A student with a browser. `files` are what it fetches on its first visit; None leaves them all out."""

    def __init__(
        self, visitor: Visitor, journey: Journey, records: Records, *, files: Sequence[str] | None
    ) -> None:
        self._visitor, self._journey, self._records, self._files = visitor, journey, records, files

    async def run(self, pace: Pace) -> None:
        """Open, act until the pace says that it is over, leave. What goes wrong is in the records."""
        while not pace.is_over():
            try:
                await self._visit(pace)
            except LostError as reason:
                self._records.lost[str(reason)] += 1
            except (OSError, EOFError, WebSocketException, ExceptionGroup) as error:
                self._records.lost[_named(error)] += 1
            if not pace.is_over():
                await asyncio.sleep(self._journey.random.uniform(*COMES_BACK))

    async def _visit(self, pace: Pace) -> None:
        path, query = self._journey.link()
        tab = Tab(self._visitor.server.origin, path, urlencode(query))
        begun = time.perf_counter()
        if self._files is not None:
            await self._visitor.fetch_all(path, self._files)
        async with connected(self._visitor) as socket:
            page = Asking(socket, tab, self._records, pace.begun)
            await page.ask(Act("open", tab.open()), begun=begun)
            await self._tell_room(page)
            await self._act(page, pace)

    async def _tell_room(self, page: Asking) -> None:
        if self._journey.room not in (0, page.tab.room):
            await asyncio.sleep(self._journey.random.uniform(*NOTICES))
            await page.ask(Act("width", page.tab.tell_room(self._journey.room)))

    async def _act(self, page: Asking, pace: Pace) -> None:
        """One act after the other; who had to wait longer than until the next goes on at once."""
        due = time.perf_counter() + self._gap(pace)
        while True:
            await page.wait(min(due, pace.end))
            if pace.is_over():
                return
            due = max(due + self._gap(pace), time.perf_counter())
            act = self._journey.next(page.tab)
            if act.kind == "leave":
                self._records.n_left += 1
                return
            if act.kind == "idle":
                self._records.n_idle += 1
                due += IDLE
            else:
                await page.ask(act)
            if act.kind == "typing":
                due = time.perf_counter() + self._journey.random.uniform(*PAUSE)

    def _gap(self, pace: Pace) -> float:
        """From half to one and a half times the time between two acts."""
        return pace.between * self._journey.random.uniform(0.5, 1.5)


def _named(error: BaseException) -> str:
    """The innermost reason, by its kind: messages have ports and times in them, which no two share."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    said = str(error) if isinstance(error, OSError) and not error.errno else ""
    return f"{type(error).__name__} {said}".strip()
