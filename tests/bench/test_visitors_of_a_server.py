"""A server that runs, and who visits it: a class that acts, and some who leave or never listen.

What the generator says of a class holds for today's app; who is rude costs others nothing, and leaves nothing
behind.
"""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from bench.abandoned import abandoned, n_active, until_none_is_active
from bench.load.address import Address, on_this_machine
from bench.load.asking import connected
from bench.load.browsers import Pictures
from bench.load.crowd import Measured, Plan, crowd
from bench.load.processes import Processes
from bench.load.report import HEADS, row
from bench.load.tab import Tab
from bench.load.visit import Visitor
from tests.browser.server import Server, serving
from tests.coroutines import awaited

MOST_EACH = 0.3
"""Megabytes that a session may leave behind at most once the server is warm; a page of this app has one.

For two minutes it leaves 0.07, in case its visitor comes back, and on a busy machine a tenth.
"""

MOST_UNREAD = 64
"""Megabytes that a server may keep for somebody who does not read: 500 messages, few of them figures."""

REQUESTS = 60

SOON = {"STREAMLIT_SERVER_WEBSOCKET_PING_INTERVAL": "10"}
"""Seconds after which a server asks a visitor for a sign, and which it waits for it; 30 by itself."""

PLAN = Plan(opening=1, acting=3, between=0.4, mix="plain", seed=3)

on_a_server = pytest.mark.long(
    "starts a server of its own: that app and Streamlit speak as the generator does, and bear the rude"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(settings=SOON) as one:
        yield one


@pytest.fixture
def address(server: Server) -> Address:
    return on_this_machine(server.address)


@pytest.fixture
def processes(server: Server) -> Processes:
    return Processes(server.process.pid)


@on_a_server
def test_abandoned_sessions_are_gone_and_the_memory_stays_level(
    server: Server, address: Address, processes: Processes
) -> None:
    looks = awaited(asyncio.to_thread(list, abandoned(address, processes, 150)))

    assert [seen.n_active for seen in looks] == [0] * len(looks)
    warm, last = looks[len(looks) // 2], looks[-1]
    assert last.megabytes - warm.megabytes < MOST_EACH * (last.n_sessions - warm.n_sessions)
    assert "Uncaught app execution" not in server.log()


@on_a_server
def test_somebody_who_never_reads_is_cut_off_and_others_are_answered(
    address: Address, processes: Processes
) -> None:
    awaited(answered(address))
    before = processes.megabytes()

    grown = awaited(never_reading(address, processes)) - before

    assert grown < MOST_UNREAD
    assert n_active(address) == 0


@on_a_server
def test_three_students_open_pages_and_act_and_what_they_do_changes_the_page(
    server: Server, address: Address, processes: Processes
) -> None:
    one = acted(address, PLAN, processes)
    assert "Uncaught app execution" not in server.log()
    records = one.records
    assert (records.errors, records.lost) == ({}, {})
    assert records.unchanged.total() <= len(records.acts) / 10  # some views do not depend on every switch
    assert len(records.milliseconds("open")) == 3
    assert {"toggle", "head", "sentence"} <= {act.kind for act in records.acts}
    assert all(act.n_messages > 10 and act.n_changed > 0 for act in records.acts if act.kind == "open")
    assert one.cpu > 0
    assert len(row(one, Pictures())) == len(HEADS)


def test_a_server_that_is_not_there_is_a_session_lost_and_the_run_ends() -> None:
    one = acted(Address(9), Plan(opening=1, acting=1, between=1))
    assert one.records.lost.total() > 0
    assert one.records.acts == []


def acted(address: Address, plan: Plan, processes: Processes | None = None) -> Measured:
    """Three students who do what `plan` says, without the files that browsers fetch besides."""
    return awaited(crowd(address, 3, plan, processes, []))


async def never_reading(address: Address, processes: Processes) -> float:
    """Ask for one page after the other and read none; the memory of the server when it has had enough."""
    async with connected(Visitor(address, None)) as socket:
        for number in range(REQUESTS):
            await socket.send(opening(address, f"Zuko met {'the cat ' * number}"))
            await asyncio.sleep(0.1)
        await answered(address)
        await until_none_is_active(address)
        return processes.megabytes()


async def answered(address: Address) -> None:
    """Somebody else opens a page and gets all of it."""
    tab = Tab(address.origin)
    async with connected(Visitor(address, None)) as socket:
        await socket.send(tab.open())
        async with asyncio.timeout(60):
            while (answer := tab.receive(bytes(await socket.recv()))) is None:  # type: ignore[arg-type]
                pass
    assert answer.problems == []


def opening(address: Address, text: str) -> bytes:
    return Tab(address.origin, "", urlencode({"text": text, "view": "all heads"})).open()
