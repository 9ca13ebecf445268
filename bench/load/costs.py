"""Server costs of each kind of act, with one student alone: processor time, not waiting."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from random import Random
from statistics import mean
from urllib.parse import urlencode

from bench.load.journey import Act, Journey, Plan
from bench.load.page import Page
from bench.load.records import Records
from bench.load.report import table
from bench.load.tab import Tab
from bench.load.target import Target
from bench.load.visit import Visitor

QUIET = 0.1
"""Seconds after an answer in which the server still cleans up."""
ACTS_OF_A_VISIT = 10
WARM_UPS = 4
"""Visits that are not counted, in which shared data is loaded."""
KINDS = ("files", "open", "width", "toggle", "head", "sentence", "page")


async def print_costs(target: Target, n_acts: int, files: Sequence[str] | None, seed: int) -> None:
    """Print milliseconds of processor time for each kind of act: means over visits with `n_acts` in all.

    First with the sentences of the whole class, then with new ones: shared costs, and costs of each student.
    """
    rows = []
    for whose, plan in (("the lecturer's", Plan(follows=True)), ("each one's own", Plan())):
        spent = defaultdict[str, list[float]](list)
        for visit in range(-WARM_UPS, max(n_acts // ACTS_OF_A_VISIT, 1)):
            journey = Journey(Random(f"{seed} {visit} {plan.follows}"), plan)
            async for kind, milliseconds in _visit(target, journey, files):
                if visit >= 0:
                    spent[kind].append(milliseconds)
        cells = {kind: f"{mean(some):.0f} ({len(some)})" if (some := spent[kind]) else "–" for kind in KINDS}
        rows.append({"server CPU ms, sentences": whose, **cells})
    print(table(rows), flush=True)


async def _visit(
    target: Target, journey: Journey, files: Sequence[str] | None
) -> AsyncIterator[tuple[str, float]]:
    """Yield the costs of one visit, act by act."""
    path, query = journey.link()
    visitor, tab, before = Visitor(target), Tab(target.address, path, urlencode(query)), target.cpu()
    if files is not None:
        await visitor.fetch_all(path, files)
        yield "files", target.cpu() - before
    async with visitor.socket() as socket:
        page = Page(socket, tab, Records())

        async def cost(act: Act) -> tuple[str, float]:
            before = target.cpu()
            await page.ask(act)
            await page.wait(time.perf_counter() + QUIET)
            return act.kind, target.cpu() - before

        yield await cost(Act("open", tab.open()))
        if journey.room not in (0, tab.room):
            yield await cost(Act("width", tab.tell_room(journey.room)))
        for _ in range(ACTS_OF_A_VISIT):
            if (act := journey.next(tab)).message:
                yield await cost(act)
