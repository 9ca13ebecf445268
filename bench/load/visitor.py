"""A visitor for Locust: a browser's files, the websocket of its page, and plain HTTP.

Of Streamlit only the protocol is loaded, and never PyTorch: gevent, on which Locust runs, replaces threads.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from random import uniform
from typing import Any
from urllib.parse import urlsplit

import gevent
import websocket
from gevent.pool import Pool
from gevent.queue import Empty, Queue
from locust import User
from locust.contrib.fasthttp import FastHttpSession
from locust.env import Environment
from locust.event import EventHook

found = find_spec("streamlit")
assert found is not None, "streamlit is installed"
# An empty package in place of Streamlit, which would load its server: 60 MB and two seconds.
sys.modules.setdefault("streamlit", module_from_spec(ModuleSpec("streamlit", None, is_package=True)))
sys.modules["streamlit"].__path__ = list(found.submodule_search_locations or ())

from bench.load.tab import Answer, Tab  # noqa: E402

CONNECTIONS = 6
"""Connections of a browser for files."""
LONGEST = 60
"""Seconds after which an answer counts as missing."""
CLOSED = "the server closed the connection"
BEFORE_THE_SOCKET = ("/_stcore/health", "/_stcore/host-config")
NOTICES = (0.3, 0.8)
"""Seconds after the first picture when a page has measured its width."""


class FailedError(Exception):
    """The server did not answer as it has to."""


class Page:
    """An open page: a tab, its websocket, and a greenlet that reads all that the server sends."""

    def __init__(self, tab: Tab, origin: str, cookies: str) -> None:
        self.tab = tab
        self._answers: Queue[Answer] = Queue()
        self._socket = websocket.create_connection(
            f"{tab.origin.replace('http', 'ws', 1)}/_stcore/stream",
            timeout=LONGEST,
            origin=origin,
            cookie=cookies,
            subprotocols=["streamlit"],
        )
        self._socket.settimeout(None)
        self._reader = gevent.spawn(self._read)

    def ask(self, message: bytes) -> Answer:
        """Send a message and return the answer to it; raises FailedError, OSError."""
        if self._reader.dead:
            raise FailedError(CLOSED)
        while not self._answers.empty():
            self._answers.get()
        self._socket.send_binary(message)
        try:
            answer = self._answers.get(timeout=LONGEST)
        except Empty:
            raise FailedError(f"no answer in {LONGEST} s") from None
        if answer.problems:
            raise FailedError(", ".join(answer.problems))
        return answer

    def close(self) -> None:
        """Leave."""
        self._reader.kill()
        with suppress(OSError, websocket.WebSocketException):
            self._socket.send_close()
        self._socket.shutdown()

    def _read(self) -> None:
        try:
            while isinstance(payload := self._socket.recv(), bytes) and payload:
                if (answer := self.tab.receive(payload)) is not None:
                    self._answers.put(answer)
        except (OSError, websocket.WebSocketException):
            pass
        self._answers.put(Answer(problems=[CLOSED]))


class Visitor(User):
    """A browser with one page at a time; Locust measures none of its HTTP requests."""

    abstract = True

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.host = str(self.host).rstrip("/")
        self.origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.host))
        self.http = FastHttpSession(
            self.host,
            EventHook(),
            user=None,
            concurrency=CONNECTIONS,
            connection_timeout=LONGEST,
            network_timeout=LONGEST,
            max_retries=0,
        )
        self.page: Page | None = None
        self._has_files = False

    def on_stop(self) -> None:
        self.leave()

    def leave(self) -> None:
        """Close the page, if one is open."""
        if self.page is not None:
            self.page.close()
            self.page = None

    def open(self, path: str, query: str = "", width: int = 0) -> None:
        """Open a page; its time counts from the first file. Streamlit's files are fetched once."""
        with self.measured("act", "open") as act:
            self._fetch(f"/{path}")
            files = [] if self._has_files else self._files()
            Pool(CONNECTIONS).map(self._fetch, [*files, *BEFORE_THE_SOCKET])
            self._has_files = True
            cookies = "; ".join(f"{one.name}={one.value}" for one in self.http.cookiejar)
            self.page = Page(Tab(str(self.host), path, query), self.origin, cookies)
            act["response_length"] = self.page.ask(self.page.tab.open()).n_bytes
        if act["exception"] is not None:
            self.leave()
        elif self.page and width not in (0, self.page.tab.width):
            gevent.sleep(uniform(*NOTICES))
            self.act("width", self.page.tab.tell_width(width))

    def act(self, kind: str, message: bytes) -> Answer | None:
        """Send a message of the open page; after a failure the page is closed, and there is no answer."""
        assert self.page is not None
        answer = None
        with self.measured("act", kind) as act:
            answer = self.page.ask(message)
            act["response_length"] = answer.n_bytes
        if answer is None:
            self.leave()
        return answer

    @contextmanager
    def measured(self, kind: str, name: str) -> Iterator[dict[str, Any]]:
        """Measure what is done meanwhile, failures too, unless the end of the run interrupts it."""
        entry = {"request_type": kind, "name": name, "response_length": 0, "exception": None}
        begun = time.perf_counter()
        try:
            yield entry
        except (FailedError, OSError, websocket.WebSocketException) as error:
            entry["exception"] = error
        self.environment.events.request.fire(response_time=1000 * (time.perf_counter() - begun), **entry)

    def note(self, kind: str, name: str, seconds: float) -> None:
        """Measure something that lasts longer than an answer."""
        self.environment.events.request.fire(
            request_type=kind, name=name, response_time=1000 * seconds, response_length=0
        )

    def ask(self, path: str, **options: Any) -> tuple[int, Any]:
        """Return the status of an answer, and it; raises OSError if there is none."""
        answer = self.http.request(options.pop("method", "GET"), path, **options)
        if not answer.status_code:
            raise OSError(str(getattr(answer, "error", "no answer")))
        return answer.status_code, answer

    def _files(self) -> list[str]:
        name = self.environment.parsed_options.files if self.environment.parsed_options else ""
        return Path(name).read_text("utf-8").split() if name else []

    def _fetch(self, path: str) -> None:
        status, answer = self.ask(path, stream=True, headers={"Accept-Encoding": "gzip"})
        if status >= 400:
            raise FailedError(f"status {status} for a file")
        answer.read()
        answer.release()
