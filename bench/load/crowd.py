"""A class of students: they open a link one after the other, act, leave, and may return."""

import asyncio
import gc
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from random import Random
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import WebSocketException

from bench.load.journey import Act, Journey, Plan
from bench.load.page import LONGEST_ANSWER, LostError, Page
from bench.load.records import Measured, Records
from bench.load.tab import Tab
from bench.load.target import Target
from bench.load.visit import CONNECTIONS, Visitor

NOTICES = (0.3, 0.8)
"""Seconds after the first picture when a page has measured its width."""
COMES_BACK = (0, 2)
"""Seconds after which an abandoned or lost page is opened again."""


class Session:
    """A student with a browser, from `begun` to `end`.

    `files` are fetched on the browser's first visit; None skips them.
    """

    def __init__(
        self,
        visitor: Visitor,
        journey: Journey,
        records: Records,
        *,
        files: Sequence[str] | None,
        begun: float,
        end: float,
    ) -> None:
        self._visitor, self._journey, self._records, self._files = visitor, journey, records, files
        self._begun, self._end = begun, end

    async def run(self) -> None:
        """Open, act until the end, leave. Errors are in the records."""
        while not self._is_over():
            try:
                await self._visit()
            except LostError as reason:
                self._records.lost[str(reason)] += 1
            except (OSError, HTTPException, WebSocketException) as error:
                self._records.lost[_named(error)] += 1
            if not self._is_over():
                await asyncio.sleep(self._journey.random.uniform(*COMES_BACK))

    async def _visit(self) -> None:
        path, query = self._journey.link()
        tab = Tab(self._visitor.target.address, path, urlencode(query))
        begun = time.perf_counter()
        if self._files is not None:
            await self._visitor.fetch_all(path, self._files)
        async with self._visitor.socket() as socket:
            page = Page(socket, tab, self._records, self._begun)
            await page.ask(Act("open", tab.open()), begun=begun)
            if self._journey.room not in (0, tab.room):
                await asyncio.sleep(self._journey.random.uniform(*NOTICES))
                await page.ask(Act("width", tab.tell_room(self._journey.room)))
            await self._act(page)

    async def _act(self, page: Page) -> None:
        """Act repeatedly; after an answer slower than the pause, the next act follows at once."""
        due, act = time.perf_counter() + self._journey.pause(), Act("")
        while act.kind != "leave":
            await page.wait(min(due, self._end))
            if self._is_over():
                return
            now, act = time.perf_counter(), self._journey.next(page.tab)
            if act.message:
                await page.ask(act)
            due = max(due + self._journey.pause(), now)

    def _is_over(self) -> bool:
        return time.perf_counter() >= self._end


async def crowd(target: Target, n_sessions: int, plan: Plan, files: Sequence[str] | None) -> Measured:
    """Let `n_sessions` students act by `plan`. It always ends: nobody waits longer than for one answer."""
    gc.freeze()  # the generator shares the processors: permanent objects need not be scanned
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(CONNECTIONS * n_sessions + 1))
    records, begun = Records(), time.perf_counter()
    cpu, own, memory = target.cpu(), time.process_time(), target.megabytes()
    end = begun + plan.opening + plan.acting

    async def arrive(number: int) -> None:
        journey = Journey(Random(f"{plan.seed} {number}"), plan)
        session = Session(Visitor(target), journey, records, files=files, begun=begun, end=end)
        await asyncio.sleep(plan.opening * number / n_sessions)
        await session.run()

    async def memory_at_the_end() -> float:
        """Measure the memory in MB just before everybody leaves."""
        await asyncio.sleep(plan.opening + plan.acting - 1)
        return target.megabytes()

    at_the_end = asyncio.create_task(memory_at_the_end())
    seconds = plan.opening + plan.acting + 2 * LONGEST_ANSWER
    await until_all_have_left([arrive(number) for number in range(n_sessions)], records, seconds=seconds)
    return Measured(
        n_sessions=n_sessions,
        memory_before=memory,
        memory_after=await at_the_end,
        seconds=time.perf_counter() - begun,
        records=records,
        cpu=target.cpu() - cpu,
        cpu_generator=1000 * (time.process_time() - own),
    )


async def until_all_have_left(
    sessions: Sequence[Coroutine[Any, Any, None]], records: Records, *, seconds: float
) -> None:
    """Run the sessions, and end those that overrun `seconds`, as lost."""
    ended, hanging = await asyncio.wait([asyncio.create_task(one) for one in sessions], timeout=seconds)
    for task in hanging:
        task.cancel()
        records.lost["has not ended by itself"] += 1
    await asyncio.gather(*hanging, return_exceptions=True)
    for task in ended:
        task.result()  # an error of the generator is raised here, and not counted as the server's


def _named(error: Exception) -> str:
    """Return the kind of an error; its message has ports and times, which differ every time."""
    said = str(error) if isinstance(error, OSError) and not error.errno else ""
    return f"{type(error).__name__} {said}".strip()
