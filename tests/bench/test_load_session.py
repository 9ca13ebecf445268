"""A session of the load generator fetches, opens, acts and measures, in front of a server made up for it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from bench.load import page
from bench.load.crowd import Session
from bench.load.journey import Journey, Plan
from bench.load.records import Records
from bench.load.target import Target
from bench.load.visit import BEFORE_THE_SOCKET, Visitor
from tests.bench.messages import WHOLE, asked, begun, box, choice, finished, menu, shows, text
from tests.coroutines import awaited

FILE = "/static/js/Late.js"
MORE = [f"/static/js/{number}.js" for number in range(9)]
ELEMENTS = (choice("mask", ("causal", "bidirectional"), 0, parameter="mask"), box("text", "so it is"))
SLOW = 0.05
"""Seconds that the made-up server takes for each file."""


class MadeUp:
    """A server of one page: what was fetched of it with which cookie, and what it was asked for."""

    def __init__(self, *, answers: bool = True, base: str = "") -> None:
        self.base = base
        self.fetched: list[tuple[str, str]] = []
        self.requests: list[bytes] = []
        self._answers = answers

    async def page(self, connection: ServerConnection, request: Request) -> Response | None:
        """Files, for whoever does not want the socket."""
        if request.path == f"{self.base}/_stcore/stream":
            self.fetched.append((request.path, request.headers.get("Cookie", "")))
            return None
        await asyncio.sleep(SLOW)
        self.fetched.append((request.path, request.headers.get("Cookie", "")))
        body = b"x" * 7
        length = ("Content-Length", str(len(body)))
        headers = Headers([length, ("Set-Cookie", "home=a; Path=/; HttpOnly"), ("Connection", "close")])
        return Response(200, "OK", headers, body)

    async def talk(self, socket: ServerConnection) -> None:
        """Answer every request with the same page, and another line of text."""
        async for payload in socket:
            assert isinstance(payload, bytes)
            self.requests.append(payload)
            if self._answers:
                for message in self._answer(len(self.requests)):
                    await socket.send(message.SerializeToString())

    def _answer(self, number: int) -> list[ForwardMsg]:
        drawn = [shows(element, 0, i, fragment="part") for i, element in enumerate(ELEMENTS)]
        line = shows(text(str(number)), 1, 0, hash=str(number))
        return [begun(str(number)), menu(), *drawn, line, finished(WHOLE)]


@asynccontextmanager
async def running(server: MadeUp) -> AsyncIterator[Target]:
    """The made-up server on a port of this machine."""
    async with serve(server.talk, "127.0.0.1", 0, process_request=server.page) as listening:
        (socket,) = listening.sockets
        yield Target(socket.getsockname()[1], base=server.base)


def visited(server: MadeUp, visit: Callable[[Visitor], object]) -> None:
    """Run what `visit` makes of a visitor in front of the server."""

    async def run() -> None:
        async with running(server) as target:
            await visit(Visitor(target))  # type: ignore[misc]

    awaited(run())


def acted(server: MadeUp, *, seconds: float = 1.2) -> Records:
    """A student with a quick hand, for so long."""
    records, journey = Records(), Journey(Random(2), Plan(mix="plain", between=0.1))
    journey.link = lambda: ("", {})  # type: ignore[method-assign]
    journey.room = 0

    def visit(visitor: Visitor) -> object:
        now = time.perf_counter()
        return Session(visitor, journey, records, files=[FILE], begun=now, end=now + seconds).run()

    visited(server, visit)
    return records


def test_a_visit_fetches_the_page_and_then_what_is_listed_with_the_cookies_it_is_given() -> None:
    server = MadeUp()
    visited(server, lambda visitor: visitor.fetch_all("", [*MORE]))
    assert server.fetched[0] == ("/", "")
    wanted = {*MORE, *BEFORE_THE_SOCKET}
    assert sorted(server.fetched[1:]) == sorted((path, "home=a") for path in wanted)


def test_below_a_base_path_everything_is_asked_for_there() -> None:
    server = MadeUp(base="/lab")
    assert [act.kind for act in acted(server).acts][:1] == ["open"]
    wanted = {"/", FILE, *BEFORE_THE_SOCKET, "/_stcore/stream"}
    assert {path for path, _ in server.fetched} == {f"/lab{path}" for path in wanted}


def test_a_session_opens_and_acts_and_its_first_page_counts_from_its_first_file() -> None:
    server = MadeUp()
    records = acted(server)
    kinds = [act.kind for act in records.acts]
    assert kinds[0] == "open"
    assert set(kinds[1:]) == {"toggle", "sentence"}
    assert records.acts[0].milliseconds > 1000 * 2 * SLOW  # the page, then its files
    assert (records.errors, records.lost, records.unchanged) == ({}, {}, {})
    assert len(server.requests) == len(records.acts)
    assert asked(server.requests[1]).page_script_hash == "hash of the first page"
    assert server.fetched[-1] == ("/_stcore/stream", "home=a")


def test_a_session_without_an_answer_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "LONGEST_ANSWER", 0.1)
    records = acted(MadeUp(answers=False), seconds=0.6)
    assert records.lost == {"open: no answer in 0.1 s": records.lost.total()}
    assert records.lost.total() >= 1
    assert records.acts == []
