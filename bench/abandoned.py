"""Memory of a server after many sessions that were opened and abandoned.

`python -m bench.abandoned 10000` starts a separate server on this machine, prints its memory on the way and
stops by itself. A third of the visitors wait for the whole page, a third leave at its first message, and the
others break off without a word while the server computes.
"""

import argparse
import asyncio
import re
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection

from bench.load.tab import Tab
from bench.load.target import Target, served
from bench.load.visit import Visitor
from tests.browser.server import LONGEST_START

AT_ONCE = 4
"""Number of sessions open at once; with more the waiting of the server would be measured."""
LONGEST = 120
"""Seconds that one session may take."""
PATIENCE = 60
"""Seconds within which the last sessions have to be gone; a server usually notices at once."""
PARTS = 10
"""Number of memory measurements."""
SENTENCES = ("the cat saw the dog", "Zuko met Maria and Maria praised", "the students studied the")

_ACTIVE = re.compile(r"^active_sessions (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class ServerState:
    """The server after a number of sessions: its memory in MB, and the sessions that it counts as open."""

    n_sessions: int
    megabytes: float
    n_active: int


def abandoned(target: Target, n_sessions: int) -> Iterator[ServerState]:
    """Open and abandon sessions; measure the server before, ten times on the way, and at the end."""
    yield _state(0, target)
    done = 0
    for part in range(1, PARTS + 1):
        upto = n_sessions * part // PARTS
        asyncio.run(_open_and_abandon(target, range(done, upto)))
        done = upto
        yield _state(done, target)


def n_active(target: Target) -> int:
    """Return the number of sessions that the server counts as open."""
    with urllib.request.urlopen(
        f"{target.address}/_stcore/metrics?families=active_sessions", timeout=LONGEST_START
    ) as answer:
        found = _ACTIVE.search(answer.read().decode())
    if found is None:
        raise RuntimeError("the server does not say how many sessions are open")
    return int(found[1])


async def until_none_is_active(target: Target) -> None:
    """Wait until the server has noticed that everybody has left; raises TimeoutError otherwise."""
    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(n_active, target):
            await asyncio.sleep(0.2)


async def _open_and_abandon(target: Target, numbers: range) -> None:
    waiting = iter(numbers)

    async def one_after_the_other() -> None:
        for number in waiting:
            async with asyncio.timeout(LONGEST):
                await _visit(target, number)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(one_after_the_other())
    await until_none_is_active(target)


async def _visit(target: Target, number: int) -> None:
    query = urlencode({"text": SENTENCES[number % len(SENTENCES)], "view": "heads"})
    tab = Tab(target.address, "explorer", query)
    async with Visitor(target).socket() as socket:
        await socket.send(tab.open())
        if number % 3 == 0:
            await _whole_page(socket, tab)
        elif number % 3 == 1:
            await socket.recv()
        else:
            socket.transport.abort()


async def _whole_page(socket: ClientConnection, tab: Tab) -> None:
    answer = None
    while answer is None:
        message = await socket.recv()
        assert isinstance(message, bytes), "all messages are binary"
        answer = tab.receive(message)
    assert not answer.problems, answer.problems


def _state(n_sessions: int, target: Target) -> ServerState:
    return ServerState(n_sessions, target.megabytes(), n_active(target))


def main() -> None:
    """Print the memory of the server as sessions come and go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sessions", nargs="?", type=int, default=10_000)
    asked = parser.parse_args()
    with served(1) as target:
        print("sessions     MB   open", flush=True)
        for seen in abandoned(target, asked.sessions):
            print(f"{seen.n_sessions:8,} {seen.megabytes:6.0f} {seen.n_active:6}", flush=True)
        print(f"{target.cpu() / asked.sessions:.0f} ms of processor time each")


if __name__ == "__main__":
    main()
