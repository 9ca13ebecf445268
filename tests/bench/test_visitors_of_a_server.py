"""A server that runs, and who visits it: a class that acts, and some who leave or never listen.

What the generator says of a class holds for today's app; who is rude costs others nothing, and leaves nothing
behind.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import pytest

from bench.abandoned import abandoned, n_active, until_none_is_active
from bench.load.crowd import crowd
from bench.load.journey import Plan
from bench.load.records import Measured
from bench.load.tab import Tab
from bench.load.target import Target, on_this_machine
from bench.load.visit import Visitor
from bench.processes import anonymous_megabytes
from tests.browser.server import ROOT, Server, serving
from tests.coroutines import awaited

MOST_EACH = 0.3
"""Megabytes that a session may leave behind at most once the server is warm; a page of this app has one.

For two minutes it leaves a tenth, in case its visitor comes back.
"""

MOST_UNREAD = 64
"""Megabytes that a server may keep for somebody who does not read: 500 messages, few of them figures."""

REQUESTS = 120
"""More pages than the system keeps for somebody who does not read, and than are queued for them besides."""

SOON = {"STREAMLIT_SERVER_WEBSOCKET_PING_INTERVAL": "10"}
"""Seconds after which a server asks a visitor for a sign, and which it waits for it; 30 by itself."""

COLLECTS = {"PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).with_name('collecting')}"}
"""Has a server collect garbage on a signal: by itself Python lets a quarter of its objects become garbage."""

GIVEN_BACK = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""What glibc is asked, so that memory tells of sessions.

By itself it takes and gives back up to 26 MB at any look: more than 15 sessions take that are a leak.
"""

PLAN = Plan(opening=1, acting=3, between=0.4, mix="plain", seed=3)

on_a_server = pytest.mark.long(
    "starts a server of its own: that app and Streamlit speak as the generator does, and bear the rude"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(settings=SOON | GIVEN_BACK | COLLECTS) as one:
        yield one


@pytest.fixture
def target(server: Server) -> Target:
    return replace(on_this_machine(server.address), pid=server.process.pid)


@dataclass(frozen=True)
class WithoutGarbage(Target):
    """A server that collects its garbage before its own memory is measured."""

    log_of: Callable[[], str] = field(default=str, compare=False)

    def megabytes(self) -> float:
        """Megabytes of its objects; TimeoutError if the server does not collect."""
        assert self.pid is not None
        before = self.log_of().count("collected")
        os.kill(self.pid, signal.SIGUSR1)
        awaited(self._collected(before))
        return anonymous_megabytes(self.pid)

    async def _collected(self, before: int) -> None:
        async with asyncio.timeout(60):
            while self.log_of().count("collected") == before:
                await asyncio.sleep(0.1)


@on_a_server
def test_abandoned_sessions_are_gone_and_the_memory_stays_level(server: Server, target: Target) -> None:
    collecting = WithoutGarbage(target.port, pid=target.pid, log_of=server.log)
    looks = awaited(asyncio.to_thread(list, abandoned(collecting, 150)))

    assert [seen.n_active for seen in looks] == [0] * len(looks)
    # What sessions leave behind grows with each of them, at every look; what is taken once is no leak.
    each = [
        (after.megabytes - before.megabytes) / (after.n_sessions - before.n_sessions)
        for before, after in pairwise(looks[len(looks) // 2 :])
    ]
    assert median(each) < MOST_EACH
    assert "Uncaught app execution" not in server.log()


@on_a_server
def test_somebody_who_never_reads_is_cut_off_and_others_are_answered(target: Target) -> None:
    awaited(answered(target))
    before = target.megabytes()

    grown = awaited(never_reading(target)) - before

    assert grown < MOST_UNREAD
    assert n_active(target) == 0


@on_a_server
def test_three_students_open_pages_and_act_and_what_they_do_changes_the_page(
    server: Server, target: Target
) -> None:
    one = acted(target, PLAN)
    assert "Uncaught app execution" not in server.log()
    records = one.records
    assert (records.errors, records.lost) == ({}, {})
    assert records.unchanged.total() <= len(records.acts) / 10  # some views do not depend on every switch
    assert len(records.milliseconds("open")) == 3
    assert len({act.kind for act in records.acts}) > 2, "pages are opened, and acted on in several ways"
    assert all(act.n_messages > 10 and act.n_changed > 0 for act in records.acts if act.kind == "open")
    assert one.cpu > 0


def test_a_server_that_is_not_there_is_a_session_lost_and_the_run_ends() -> None:
    one = acted(Target(9), Plan(opening=1, acting=1, between=1))
    assert one.records.lost.total() > 0
    assert one.records.acts == []


def acted(target: Target, plan: Plan) -> Measured:
    """Three students who do what `plan` says, without the files that browsers fetch besides."""
    return awaited(crowd(target, 3, plan, []))


async def never_reading(target: Target) -> float:
    """Ask for one page after the other and read none; the memory of the server when it has had enough."""
    async with Visitor(target).socket() as socket:
        for number in range(REQUESTS):
            await socket.send(opening(target, f"Zuko met {'the cat ' * number}"))
            await asyncio.sleep(0.1)
        await answered(target)
        await until_none_is_active(target)
        return target.megabytes()


async def answered(target: Target) -> None:
    """Somebody else opens a page and gets all of it."""
    tab = Tab(target.address)
    async with Visitor(target).socket() as socket:
        await socket.send(tab.open())
        async with asyncio.timeout(300):  # behind all that nobody reads, on a busy machine too
            while (answer := tab.receive(bytes(await socket.recv()))) is None:  # type: ignore[arg-type]
                pass
    assert answer.problems == []


def opening(target: Target, text: str) -> bytes:
    return Tab(target.address, "", urlencode({"text": text, "view": "heads"})).open()
