"""Users of the load generator fetch, open, act and measure, in front of servers made up for them."""

import asyncio
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from bench.load.__main__ import QUESTION
from deploy.health import wait_until
from rooms.documents import Documents
from rooms.hosting import ask_question
from rooms.http import Endpoints
from rooms.limits import Limits
from rooms.sqlite_store import SqliteStore
from tests.bench.messages import WHOLE, asked, begun, box, button, choice, finished, menu, shows, text, timer
from tests.browser.server import ROOT
from tests.coroutines import awaited
from tests.ports import free_ports

pytestmark = pytest.mark.long("generators of load, each a process")

FILE = "/static/js/Late.js"
FETCHED = {"/_stcore/health", "/_stcore/host-config", "/_stcore/stream"}
QUICK = """
import sys
from bench.load import users, visitor
from bench.load.users import {user}

users.PACE, users.LOOKS, users.ENTERING, users.ANSWERING = (0.1, 0.2), (0.05, 0.1), 0.1, 0.3
{user}.wait_time = lambda self: 0.1
visitor.LONGEST, users.acts.link, users.acts.width = {longest}, lambda: ("masking", "mask=causal"), lambda: 0
assert not {{"torch", "streamlit.runtime", "numpy"}} & sys.modules.keys(), "the protocol alone is loaded"
"""
"""A file for Locust with users who do not wait long."""


class MadeUp:
    """A server of one page: what was fetched with which cookie, and the messages that browsers have sent.

    `texts` are what its answers say, one after the other; the last one stays. `fault` breaks it.
    """

    def __init__(self, *, texts: Sequence[str] = (), fault: str = "", base: str = "") -> None:
        self.base, self.texts, self.fault = base, list(texts), fault
        self.fetched: list[tuple[str, str]] = []
        self.requests: list[bytes] = []

    async def page(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer with a file, unless the websocket is asked for."""
        self.fetched.append((request.path, request.headers.get("Cookie", "")))
        if request.path == f"{self.base}/_stcore/stream":
            return None
        status = 404 if self.fault == "no file" and request.path.endswith(FILE) else 200
        given = [("Set-Cookie", "home=a; Path=/; HttpOnly"), ("Content-Length", "7"), ("Connection", "close")]
        return Response(status, "", Headers(given), b"x" * 7)

    async def talk(self, socket: ServerConnection) -> None:
        """Answer every message with the same controls and the next text."""
        async for payload in socket:
            assert isinstance(payload, bytes)
            self.requests.append(payload)
            if self.fault == "closes" and len(self.requests) > 1:
                await socket.close()
            elif self.fault != "silent":
                for message in self._answer(len(self.requests)):
                    await socket.send(message.SerializeToString())

    def _answer(self, number: int) -> list[ForwardMsg]:
        said = (self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]) if self.texts else str(number)
        controls = (
            [button("start")]
            if self.texts
            else [choice("mask", ("causal", "bidirectional"), 0), box("text", "so it is")]
        )
        drawn = [shows(element, 0, i, fragment="part") for i, element in enumerate(controls)]
        timers = [timer("part", 0.1)] if said.startswith(("Waiting", "At step")) else []
        line = shows(text(said), 1, 0, hash=str(number))
        return [begun(str(number)), menu("masking"), *drawn, line, *timers, finished(WHOLE)]


@asynccontextmanager
async def running(server: MadeUp):
    """The address of the made-up server on this machine."""
    options = {"process_request": server.page, "subprotocols": [Subprotocol("streamlit")]}
    async with serve(server.talk, "127.0.0.1", 0, **options) as listening:
        (socket,) = listening.sockets
        yield f"http://127.0.0.1:{socket.getsockname()[1]}{server.base}"


async def generated(
    address: str,
    user: str,
    folder: Path,
    *,
    seconds: int = 2,
    users: int = 1,
    room: str = "",
    files: str = FILE,
    longest: int = 60,
) -> tuple[dict[str, dict], str]:
    """What Locust has measured of these users, by name, and what it has printed."""
    (folder / "quick.py").write_text(QUICK.format(user=user, longest=longest))
    (folder / "files").write_text(files)
    options = f"--host={address} --users={users} --spawn-rate=99 --run-time={seconds}s --stop-timeout=9"
    results = f"--headless --only-summary --json-file={folder / 'stats'} --exit-code-on-error=0"
    more = f"--locustfile={folder / 'quick.py'} --files={folder / 'files'} --room={room}"
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "locust", *f"{options} {results} {more}".split(), user],
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    stats = json.loads((folder / "stats.json").read_text("utf-8"))
    return {one["name"]: one for one in stats}, said.decode()


def visited(server: MadeUp, user: str, folder: Path, *, longest: int = 60) -> tuple[dict[str, dict], str]:
    """One user in front of a made-up server, for two seconds."""

    async def run() -> tuple[dict[str, dict], str]:
        async with running(server) as address:
            return await generated(address, user, folder, longest=longest)

    return awaited(run())


@pytest.mark.parametrize("base", ["", "/lab"])
def test_a_student_fetches_the_page_and_its_files_with_cookies_and_acts(base: str, tmp_path: Path) -> None:
    server = MadeUp(base=base)
    stats, _ = visited(server, "Student", tmp_path)
    assert server.fetched[0] == (f"{base}/masking", "")
    assert {path for path, _ in server.fetched} >= {f"{base}{path}" for path in {FILE, *FETCHED}}
    assert {cookie for _, cookie in server.fetched[1:]} == {"home=a"}
    opened, *others = (asked(payload) for payload in server.requests)
    assert (opened.page_name, opened.query_string) == ("masking", "mask=causal")
    assert {one.page_script_hash for one in others if not one.page_name} == {"hash of masking"}
    n_visits = sum(path.endswith("/stream") for path, _ in server.fetched)
    assert stats["open"]["num_requests"] in (n_visits, n_visits - 1)
    assert sum(path.endswith(FILE) for path, _ in server.fetched) == 1, "a browser keeps Streamlit's files"
    assert stats.keys() <= {"open", "toggle", "sentence", "page"}
    n_acts = sum(one["num_requests"] for one in stats.values())
    assert n_acts in (len(server.requests), len(server.requests) - 1), "the end may interrupt the last act"
    assert sum(one["num_failures"] for one in stats.values()) == 0


@pytest.mark.parametrize(
    ("fault", "failure"),
    [
        ("silent", "no answer in 1 s"),
        ("closes", "the server closed the connection"),
        ("no file", "status 404 for a file"),
    ],
)
def test_a_server_that_does_not_answer_is_a_failure_with_its_reason(
    fault: str, failure: str, tmp_path: Path
) -> None:
    stats, said = visited(MadeUp(fault=fault), "Student", tmp_path, longest=1)
    assert sum(one["num_failures"] for one in stats.values()) >= 1
    assert failure in said


def test_who_trains_waits_watches_and_is_told_the_end(tmp_path: Path) -> None:
    course = ["Nothing is trained yet.", "Waiting at step 0.", "At step 3 of 60.", "Finished after 60 steps."]
    stats, _ = visited(MadeUp(texts=course), "Trainee", tmp_path)
    assert {name: one["num_requests"] for name, one in stats.items()} == {
        "open": 1,
        "start": 1,
        "look": 2,
        "begun": 1,
        "finished": 1,
    }
    assert stats["finished"]["max_response_time"] > stats["begun"]["max_response_time"] > 0


def test_who_is_refused_a_training_presses_again(tmp_path: Path) -> None:
    stats, _ = visited(MadeUp(texts=["16 others train already: try again."]), "Trainee", tmp_path)
    assert stats["refused"]["num_requests"] == stats["start"]["num_requests"] > 1


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "rooms.sqlite")


@pytest.fixture(params=["", "/lab"], ids=["at the root", "below a path"])
def hall(request: pytest.FixtureRequest, store: SqliteStore) -> Iterator[str]:
    """The address of a server that answers for rooms alone."""
    rooms = Endpoints(lambda: store, Documents("", ""), Limits()).app()
    app = Starlette(routes=[Mount(request.param, app=rooms)])
    port = free_ports(1)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    assert wait_until(lambda: server.started, seconds=60, every=0.01)
    yield f"http://127.0.0.1:{port}{request.param}"
    server.should_exit = True
    thread.join()


def test_phones_answer_and_each_finds_its_answer_kept(hall: str, store: SqliteStore, tmp_path: Path) -> None:
    led = ask_question(store, QUESTION, about="", settings={})
    stats, said = awaited(generated(hall, "Phone", tmp_path, users=11, seconds=6, room=led.code))
    kept = Counter(store.answers(led.code, 1))
    assert (kept.total(), len(kept)) == (11, 11), "each has one answer, and no two are alike"
    assert stats["enter"]["num_requests"] == stats["kept"]["num_requests"] == 11
    assert stats["received"]["num_requests"] >= 11
    assert sum(one["num_failures"] for one in stats.values()) == 0, said
