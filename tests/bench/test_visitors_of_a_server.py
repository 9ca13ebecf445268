"""A server of the app answers the users of the load generator, and bears visitors who leave or never read."""

import asyncio
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest

from bench.abandoned import abandoned, answered, n_active, socket, until_none_is_active
from bench.load import acts
from bench.load.tab import Answer, Tab
from bench.processes import PROC, megabytes, with_descendants
from tests.bench.test_load_users import generated
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

N_ACTS = 4
"""Acts of each kind of a student."""

on_a_server = pytest.mark.long(
    "starts a server of its own: that app and Streamlit speak as the generator does, and bear the rude"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(settings=SOON | GIVEN_BACK | COLLECTS) as one:
        yield one


def anonymous_megabytes(pid: int) -> float:
    """Return the memory without mapped files: their shares depend on other processes, and show no leak."""
    lines: list[str] = []
    for one in with_descendants(pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # it may have ended
            lines += (PROC / str(one) / "smaps_rollup").read_text("utf-8").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon:")) / 1024


def without_garbage(server: Server) -> Callable[[int], float]:
    """What measures the megabytes of a server's objects, after it has collected its garbage."""

    async def collected(before: int) -> None:
        async with asyncio.timeout(60):
            while server.log().count("collected") == before:
                await asyncio.sleep(0.1)

    def measure(pid: int) -> float:
        before = server.log().count("collected")
        os.kill(pid, signal.SIGUSR1)
        awaited(collected(before))
        return anonymous_megabytes(pid)

    return measure


@on_a_server
def test_abandoned_sessions_are_gone_and_the_memory_stays_level(server: Server) -> None:
    looks = awaited(asyncio.to_thread(list, abandoned(server, 600, without_garbage(server))))

    assert [seen.n_active for seen in looks] == [0] * len(looks)
    # Memory taken once is no leak. Between two looks it changes by up to 40 MB, so many are compared.
    warm, last = looks[len(looks) // 2], looks[-1]
    assert (last.megabytes - warm.megabytes) / (last.n_sessions - warm.n_sessions) < MOST_EACH
    assert "Uncaught app execution" not in server.log()


@on_a_server
def test_somebody_who_never_reads_is_cut_off_and_others_are_answered(server: Server) -> None:
    awaited(visited(server))
    before = megabytes(server.process.pid)

    grown = awaited(never_reading(server)) - before

    assert grown < MOST_UNREAD
    assert n_active(server) == 0


@on_a_server
def test_every_act_of_a_student_changes_the_page(server: Server) -> None:
    found = awaited(acted(server))
    assert "Uncaught app execution" not in server.log()
    assert found.keys() == {"open", "width", "toggle", "head", "type_sentence", "turn"}
    assert [one.problems for answers in found.values() for one in answers if one.problems] == []
    # Acts are drawn at random, and a view does not depend on every switch.
    changed = [one.n_changed > 0 for answers in found.values() for one in answers]
    assert sum(changed) > len(changed) / 2


@on_a_server
@pytest.mark.parametrize(("user", "kinds"), [("Student", {"open"}), ("Trainee", {"open", "start", "begun"})])
def test_users_of_locust_are_answered_by_the_app(
    user: str, kinds: set[str], server: Server, tmp_path: Path
) -> None:
    stats, said = awaited(generated(server.address, user, tmp_path, users=2, seconds=20, files=""))
    assert sum(one["num_failures"] for one in stats.values()) == 0, said
    assert {name for name, one in stats.items() if one["num_requests"]} > kinds


async def acted(server: Server) -> dict[str, list[Answer]]:
    """The answers to a student's acts of each kind, one after the other."""
    tab, found = Tab(server.address, "explorer"), defaultdict[str, list[Answer]](list)
    async with socket(server) as stream:

        async def asked(kind: str, message: bytes) -> None:
            found[kind].append(await answered(stream, tab, message))

        await asked("open", tab.open())
        await asked("width", tab.tell_width(340))
        for draw in (*(acts.head, acts.type_sentence, acts.toggle) * N_ACTS, acts.turn):
            if message := draw(tab):  # a view need not have heads
                await asked(draw.__name__, message)
    return found


async def never_reading(server: Server) -> float:
    """Ask for one page after the other and read none; the memory of the server when it has had enough."""
    async with socket(server) as stream:
        for number in range(REQUESTS):
            await stream.send(opening(server, f"Zuko met {'the cat ' * number}"))
            await asyncio.sleep(0.1)
        await visited(server)
        await until_none_is_active(server)
        return megabytes(server.process.pid)


async def visited(server: Server) -> None:
    """Somebody else opens a page and gets all of it."""
    tab = Tab(server.address)
    async with socket(server) as stream:
        assert (await answered(stream, tab, tab.open())).problems == []


def opening(server: Server, text: str) -> bytes:
    return Tab(server.address, "", urlencode({"text": text, "view": "heads"})).open()
