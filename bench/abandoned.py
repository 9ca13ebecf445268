"""Memory of a server after many sessions that were opened and abandoned.

`python -m bench.abandoned 10000` starts a separate server on this machine, prints its memory on the way and
stops by itself. A third of the visitors wait for the whole page, a third leave at its first message, and the
others break off without a word while the server computes.
"""

import argparse
import asyncio
import re
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from bench.load.tab import Answer, Tab
from bench.processes import cpu_milliseconds, megabytes
from tests.browser.server import LONGEST_START, Server, serving

AT_ONCE = 4
"""Number of sessions open at once; with more the waiting of the server would be measured."""
LONGEST = 300
"""Seconds that an answer may take, on a busy machine too."""
PATIENCE = 60
"""Seconds within which the last sessions have to be gone; a server usually notices at once."""
PARTS = 10
"""Number of parts into which the sessions are divided."""
SENTENCES = ("the cat saw the dog", "Zuko met Maria and Maria praised", "the students studied the")

_ACTIVE = re.compile(r"^active_sessions (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class ServerState:
    """The server after a number of sessions: its memory in MB, and the sessions that it counts as open."""

    n_sessions: int
    megabytes: float
    n_active: int


def abandoned(
    server: Server, n_sessions: int, measure: Callable[[int], float] = megabytes
) -> Iterator[ServerState]:
    """Open and abandon sessions; measure the server before, and after each tenth of the sessions.

    `measure` returns the memory in MB of a process and its descendants.
    """
    done = 0
    for part in range(PARTS + 1):
        upto = n_sessions * part // PARTS
        asyncio.run(_open_and_abandon(server, range(done, upto)))
        done = upto
        yield ServerState(done, measure(server.process.pid), n_active(server))


def socket(server: Server) -> connect:
    """Open the websocket of a page, as a browser does."""
    return connect(
        f"{server.address.replace('http', 'ws', 1)}/_stcore/stream",
        origin=Origin(server.address),
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        close_timeout=1,
        ping_interval=None,
        proxy=None,
    )


async def answered(stream: ClientConnection, tab: Tab, message: bytes) -> Answer:
    """Send a message of a tab and return the whole answer to it. Raises TimeoutError."""
    await stream.send(message)
    async with asyncio.timeout(LONGEST):
        while (answer := tab.receive(bytes(await stream.recv()))) is None:  # type: ignore[arg-type]
            pass
    return answer


def n_active(server: Server) -> int:
    """Return the number of sessions that the server counts as open."""
    with urllib.request.urlopen(
        f"{server.address}/_stcore/metrics?families=active_sessions", timeout=LONGEST_START
    ) as answer:
        found = _ACTIVE.search(answer.read().decode())
    if found is None:
        raise RuntimeError("the server does not say how many sessions are open")
    return int(found[1])


async def until_none_is_active(server: Server) -> None:
    """Wait until the server has noticed that everybody has left; raises TimeoutError otherwise."""
    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(n_active, server):
            await asyncio.sleep(0.2)


async def _open_and_abandon(server: Server, numbers: range) -> None:
    waiting = iter(numbers)

    async def one_after_the_other() -> None:
        for number in waiting:
            await _visit(server, number)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(one_after_the_other())
    await until_none_is_active(server)


async def _visit(server: Server, number: int) -> None:
    query = urlencode({"text": SENTENCES[number % len(SENTENCES)], "view": "heads"})
    tab = Tab(server.address, "explorer", query)
    async with socket(server) as stream:
        if number % 3 == 0:
            answer = await answered(stream, tab, tab.open())
            assert not answer.problems, answer.problems
            return
        await stream.send(tab.open())
        if number % 3 == 1:
            await stream.recv()
        else:
            stream.transport.abort()


def main() -> None:
    """Print the memory of the server as sessions come and go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sessions", nargs="?", type=int, default=10_000)
    asked = parser.parse_args()
    with serving() as server:
        print("sessions     MB   open", flush=True)
        for seen in abandoned(server, asked.sessions):
            print(f"{seen.n_sessions:8,} {seen.megabytes:6.0f} {seen.n_active:6}", flush=True)
        print(f"{cpu_milliseconds(server.process.pid) / asked.sessions:.0f} ms of processor time each")


if __name__ == "__main__":
    main()
