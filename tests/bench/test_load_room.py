"""A hall of the load generator answers as phones do, and what it says of it is what happened."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from bench.load import room
from bench.load.http import Client
from bench.load.room import QUESTION
from bench.load.target import Target
from deploy.health import wait_until
from rooms.documents import Documents
from rooms.http import answering
from rooms.leading import ask
from rooms.limits import Limits
from rooms.sqlite_store import SqliteStore
from tests.ports import free_ports

LONGEST_START = 60


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "rooms.sqlite")


@pytest.fixture(params=["", "/lab"], ids=["at the root", "below a path"])
def target(request: pytest.FixtureRequest, store: SqliteStore) -> Iterator[Target]:
    """A server that answers for rooms alone."""
    rooms, base = answering(lambda: store, Documents("", ""), Limits()), request.param
    app = Starlette(routes=[Mount(base, app=rooms)])
    port = free_ports(1)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    assert wait_until(lambda: server.started, seconds=LONGEST_START, every=0.01)
    yield Target(port, base=base)
    server.should_exit = True
    thread.join()


def test_a_hall_answers_and_nothing_is_lost_or_counted_twice(
    target: Target, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"ENTERING": 0.1, "ANSWERING": 0.1, "ASKS": 0.02}.items():
        monkeypatch.setattr(room, name, seconds)
    led = ask(store, QUESTION, about="", settings={})
    killed = []
    seen, unreceived = asyncio.run(room._hall(target, led, 11, lambda: killed.append(True)))
    kept = Counter(store.answers(led.code, 1))
    assert (unreceived, killed, kept.total()) == (0, [True], 11)
    assert Counter(seen.sent.values()) == kept, "the last answer of each, and that alone"
    assert len(seen.tapped) == 11
    assert len(seen.received) == 13, "two have changed their mind"
    assert seen.counts[-1][1] == 11
    assert len(seen.waits_for_count()) == 11


def test_no_other_machine_is_asked() -> None:
    with pytest.raises(AssertionError, match="this machine alone"):
        asyncio.run(Client("example.org:80").ask("/"))
