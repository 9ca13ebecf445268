"""What each kind of act costs the server, one student alone: processor time, not waiting."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from random import Random
from statistics import mean
from urllib.parse import urlencode

from bench.load.address import Address
from bench.load.asking import Asking, connected
from bench.load.journey import Act, Journey
from bench.load.processes import Processes
from bench.load.records import Records
from bench.load.tab import Tab
from bench.load.visit import Visitor

QUIET = 0.1
"""Seconds after an answer in which the server still tidies up."""
ACTS_OF_A_VISIT = 10
WARM_UPS = 4
"""Visits that are not counted: what is loaded once for all is loaded then."""
KINDS = ("files", "open", "width", "toggle", "head", "sentence", "page")

Cost = tuple[str, float]


async def print_costs(
    address: Address, processes: Processes | None, n_acts: int, files: Sequence[str] | None, seed: int
) -> None:
    """Print milliseconds of processor time for each kind of act: means over visits with `n_acts` in all.

    First with sentences that all of a class have, then with new ones: what is computed once for all, and what
    each student's own costs. Raises ValueError where it is not known which process to ask.
    """
    if processes is None:
        raise ValueError("whose cost? name the process that has started the server with --pid")
    print(f"{'server CPU ms':<26}" + "".join(f"{kind:>12}" for kind in KINDS), flush=True)
    for follows in (True, False):
        spent = defaultdict[str, list[float]](list)
        for visit in range(-WARM_UPS, max(n_acts // ACTS_OF_A_VISIT, 1)):
            journey = Journey(Random(f"{seed} {visit} {follows}"), mix="mixed", follows=follows)
            async for kind, milliseconds in _visit(Visitor(address, None), processes, journey, files):
                if visit >= 0:
                    spent[kind].append(milliseconds)
        whose = "the lecturer's sentences" if follows else "each one's own sentences"
        cells = (f"{mean(some):.0f} ({len(some)})" if (some := spent[kind]) else "–" for kind in KINDS)
        print(f"{whose:<26}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


async def _visit(
    visitor: Visitor, processes: Processes, journey: Journey, files: Sequence[str] | None
) -> AsyncIterator[Cost]:
    """What one visit costs, act by act."""
    path, query = journey.link()
    tab, before = Tab(visitor.server.origin, path, urlencode(query)), processes.cpu()
    if files is not None:
        await visitor.fetch_all(path, files)
        yield "files", processes.cpu() - before
    async with connected(visitor) as socket:
        page = Asking(socket, tab, Records(), time.perf_counter())
        yield await _cost(page, processes, Act("open", tab.open()))
        if journey.room not in (0, tab.room):
            yield await _cost(page, processes, Act("width", tab.tell_room(journey.room)))
        for _ in range(ACTS_OF_A_VISIT):
            act = journey.next(tab)
            if act.message:
                yield await _cost(page, processes, act)


async def _cost(page: Asking, processes: Processes, act: Act) -> Cost:
    before = processes.cpu()
    await page.ask(act)
    await page.wait(time.perf_counter() + QUIET)
    return act.kind, processes.cpu() - before
