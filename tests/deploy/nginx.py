"""nginx for tests: the system's, in a temporary folder, before processes that answer with their names."""

import gzip
import os
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

from deploy.health import wait_until
from deploy.nginx.configuration import Process, write
from deploy.serve import find_nginx
from deploy.settings import Settings

THREE = [Process("7", "127.0.0.1:7013"), Process("11", "127.0.0.1:7019"), Process("x5", "[::1]:7039")]
SCRIPT = "say('something');\n" * 200

STREAM = "/_stcore/stream"
LONGEST_WAIT = 60
"""Seconds to wait for an event on a busy machine."""


def judge(folder: Path, processes: Sequence[Process], settings: Settings) -> str:
    """Return the output of `nginx -t` for the configuration of these processes."""
    write(folder, processes, settings, listen="localhost:7043")
    done = subprocess.run([*_command(folder), "-t"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def _command(folder: Path) -> list[str]:
    return [find_nginx(), "-e", "stderr", "-p", str(folder), "-c", "nginx.conf"]


class StandIn(ThreadingHTTPServer):
    """A server that answers every request with its name; if it `holds`, pages stay open until `let_go`."""

    daemon_threads = True

    def __init__(self, name: str, *, holds: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.name = name
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        """The headers of each request, by names in lower case."""
        self._may_go = Event()
        if not holds:
            self._may_go.set()
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def process(self) -> Process:
        """Return the process for nginx's configuration."""
        return Process(self.name, f"127.0.0.1:{self.server_port}")

    @property
    def n_pages(self) -> int:
        """Return how many requests for the websocket of a page have arrived."""
        return self.asked.count(STREAM)

    def let_go(self) -> None:
        """Answer the pages that are open, and from now on each at once."""
        self._may_go.set()

    def hold(self) -> None:
        """Wait until the pages are let go."""
        assert self._may_go.wait(LONGEST_WAIT), "the page was not let go"

    def end(self) -> None:
        """Refuse all connections from now on."""
        self.let_go()
        self.shutdown()
        self.server_close()


class _Answer(BaseHTTPRequestHandler):
    server: StandIn

    def do_GET(self) -> None:
        # Not read, a body resets the connection when it closes: nginx would take the process for gone.
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.server.asked.append(self.path)
        if self.path == STREAM:
            self.server.hold()
        is_script = self.path.endswith(".js")
        body = (SCRIPT if is_script else self.server.name).encode()
        self.send_response(200)
        if is_script and self.headers.get("Accept-Encoding") == "gzip":
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", "application/javascript" if is_script else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "public, max-age=31536000" if is_script else "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Answer:
    """An answer: its status, its headers by names in lower case, and its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def cookie(self) -> str:
        """Return the process in the cookie of the answer; empty if it sets none."""
        return self.headers.get("set-cookie", "").partition(";")[0].partition("=")[2]


@dataclass(frozen=True)
class Front:
    """A running nginx, and the processes behind it."""

    address: str
    folder: Path

    def process(self) -> int | None:
        """Return the number of its process; None before nginx has written it."""
        file = self.folder / "nginx.pid"
        return int(file.read_text() or 0) or None if file.exists() else None

    def log(self) -> str:
        """Return all that it has logged."""
        return (self.folder / "log").read_text("utf-8")

    def ask(
        self, path: str = "/", *, method: str = "GET", cookie: str = "", body: bytes = b"", **headers: str
    ) -> Answer:
        """Send one request, with the name of a process in its cookie."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if cookie:
            given["Cookie"] = f"attention_lab_process={cookie}"
        request = urllib.request.Request(self.address + path, body or None, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=LONGEST_WAIT) as answer:
                return _read(answer)
        except urllib.error.HTTPError as error:
            return _read(error)


def _read(answer: urllib.error.HTTPError) -> Answer:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Answer(int(answer.status or 0), headers, answer.read())


@contextmanager
def running(
    processes: Sequence[Process], settings: Settings | None = None, *, base: str = ""
) -> Iterator[Front]:
    """Yield nginx before these processes, until the end of the block.

    The system chooses its port. nginx gets a socket that already listens there, as it gives its own to a new
    version of itself, so that no other program can take the port in between.
    """
    with tempfile.TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)  # otherwise a worker of nginx would block on the next visitor
        folder, (host, port) = Path(name), listening.getsockname()
        write(folder, processes, settings or Settings(), listen=f"{host}:{port}", base=base)
        front = Front(f"http://{host}:{port}", folder)
        handed, given = listening.fileno(), {"NGINX": f"{listening.fileno()};"}
        with (folder / "log").open("ab") as log:
            command = subprocess.Popen(
                _command(folder), stdout=log, stderr=log, pass_fds=[handed], env=os.environ | given
            )
        try:
            # The file of its number is there a moment before the number.
            wait_until(
                lambda: bool(front.process()) or command.poll() is not None, seconds=LONGEST_WAIT, every=0.01
            )
            if command.poll() is not None:
                raise RuntimeError(f"nginx has ended: {front.log()}")
            yield front
        finally:
            command.terminate()
            command.wait()
