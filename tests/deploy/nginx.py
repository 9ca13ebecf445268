"""nginx as the tests need it: the system's, in its own folder, before processes that say who they are."""

import random
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from deploy.health import wait_until
from deploy.nginx.configuration import Process, write
from deploy.serve import find_nginx
from deploy.settings import Settings

THREE = [Process("7", "127.0.0.1:7013"), Process("11", "127.0.0.1:7019"), Process("x5", "[::1]:7039")]
SCRIPT = "say('something');\n" * 200
"""Long enough to be packed."""


def judge(folder: Path, processes: Sequence[Process], settings: Settings) -> str:
    """What `nginx -t` says of the configuration for these processes."""
    write(folder, processes, settings, listen="localhost:7043")
    done = subprocess.run([*_command(folder), "-t"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def _command(folder: Path) -> list[str]:
    return [find_nginx(), "-e", "stderr", "-p", str(folder), "-c", "nginx.conf"]


class StandIn(ThreadingHTTPServer):
    """Answers everything with its name, scripts with a script, and keeps a page open for some seconds."""

    daemon_threads = True

    def __init__(self, name: str, *, seconds: float = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.name, self.seconds = name, seconds
        self.asked: list[str] = []
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def process(self) -> Process:
        """What nginx is told of it."""
        return Process(self.name, f"127.0.0.1:{self.server_port}")

    def end(self) -> None:
        """Refuse all connections from now on."""
        self.shutdown()
        self.server_close()


class _Answer(BaseHTTPRequestHandler):
    server: StandIn

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/_stcore/stream":
            time.sleep(self.server.seconds)
        is_script = self.path.endswith(".js")
        body = (SCRIPT if is_script else self.server.name).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/javascript" if is_script else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "public, max-age=31536000" if is_script else "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers by their names in small letters, and what was sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def cookie(self) -> str:
        """The process that the browser is to come back to; empty where nothing is said."""
        return self.headers.get("set-cookie", "").partition(";")[0].partition("=")[2]


@dataclass(frozen=True)
class Front:
    """An nginx that runs, and whom it stands before."""

    address: str
    folder: Path

    def log(self) -> str:
        """Everything that it has written down."""
        return (self.folder / "log").read_text("utf-8")

    def ask(self, path: str = "/", *, method: str = "GET", cookie: str = "", **headers: str) -> Answer:
        """One request, with the name of a process in its cookie."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if cookie:
            given["Cookie"] = f"attention_lab_process={cookie}"
        request = urllib.request.Request(self.address + path, method=method, headers=given)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return _read(answer)
        except urllib.error.HTTPError as error:
            return _read(error)


def _read(answer: urllib.error.HTTPError) -> Answer:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Answer(int(answer.status or 0), headers, answer.read())


@contextmanager
def running(processes: Sequence[Process], settings: Settings | None = None) -> Iterator[Front]:
    """nginx before these processes, until the block is left."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_ports(1)
        write(folder, processes, settings or Settings(), listen=f"127.0.0.1:{port}")
        front = Front(f"http://127.0.0.1:{port}", folder)
        with (folder / "log").open("ab") as log:
            command = subprocess.Popen(_command(folder), stdout=log, stderr=log)
        try:
            wait_until(lambda: _listens(port) or command.poll() is not None, seconds=20, every=0.01)
            if not _listens(port):
                raise RuntimeError(f"nginx does not listen: {front.log()}")
            yield front
        finally:
            command.terminate()
            command.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_ports(count: int) -> int:
    """The first of so many ports in a row on which nobody listens.

    They lie below those that the system hands out to whoever connects: who asks one of those whether anybody
    is there yet can be given that very port, and then hears itself.
    """
    while True:
        first = random.randrange(20_000, 30_000)
        if not any(_listens(port) for port in range(first, first + count)):
            return first
