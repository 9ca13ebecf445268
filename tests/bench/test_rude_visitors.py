"""Visitors who leave in mid-sentence or never listen: they cost others nothing, and leave nothing behind."""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from bench.abandoned import abandoned, n_active, until_none_is_active
from bench.load.address import Address, on_this_machine
from bench.load.asking import connected
from bench.load.processes import Processes
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

pytestmark = pytest.mark.long("starts a server of its own: what Streamlit does about visitors who are rude")


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


def test_abandoned_sessions_are_gone_and_the_memory_stays_level(
    server: Server, address: Address, processes: Processes
) -> None:
    looks = awaited(asyncio.to_thread(list, abandoned(address, processes, 150)))

    assert [seen.n_active for seen in looks] == [0] * len(looks)
    warm, last = looks[len(looks) // 2], looks[-1]
    assert last.megabytes - warm.megabytes < MOST_EACH * (last.n_sessions - warm.n_sessions)
    assert "Uncaught app execution" not in server.log()


def test_somebody_who_never_reads_is_cut_off_and_others_are_answered(
    address: Address, processes: Processes
) -> None:
    awaited(answered(address))
    before = processes.megabytes()

    grown = awaited(never_reading(address, processes)) - before

    assert grown < MOST_UNREAD
    assert n_active(address) == 0


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
