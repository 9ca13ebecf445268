"""A Streamlit server of our own, on a free port, whose log is kept."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

from tests.ports import free_ports

ROOT = Path(__file__).parents[2]
APP = ROOT / "app.py"
LONGEST_START = 180
"""Seconds; on a busy machine torch alone has taken twenty."""

ROOMS = "ATTENTION_LAB_ROOMS"
"""Its rooms are its own."""

MOST_TRIES = 5
TAKEN = "is not available"
"""How Streamlit says that somebody else has its port."""


class PortTakenError(RuntimeError):
    """The port was free, and somebody else has come by it before the server."""


class Starting(Protocol):
    """A process that can be waited for and stopped."""

    def wait(self) -> None:
        """Return once it answers; PortTakenError where another port is to be tried."""

    def stop(self) -> None:
        """End it."""


S = TypeVar("S", bound=Starting)


def started(make: Callable[[], S]) -> S:
    """Return the server of `make` once it answers; if its port is taken, make another."""
    for _ in range(MOST_TRIES - 1):
        with suppress(PortTakenError):
            return _waited_for(make())
    return _waited_for(make())


def _waited_for(server: S) -> S:
    try:
        server.wait()
    except BaseException:
        server.stop()
        raise
    return server


class Server:
    """A running `streamlit run`; `address` is where its pages are."""

    def __init__(
        self, script: Path, port: int, log: Path, settings: Mapping[str, str], base: str = ""
    ) -> None:
        self.address = f"http://localhost:{port}{base}"
        self._log = log
        options = [f"--server.port={port}", "--server.address=localhost", "--server.fileWatcherType=none"]
        options += [f"--server.baseUrlPath={base}"] if base else []
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(script), *options],
                cwd=ROOT,
                # The path is for scripts that lie elsewhere than app.py.
                env={
                    **os.environ,
                    "PYTHONPATH": str(ROOT),
                    ROOMS: os.environ.get(ROOMS) or str(log.with_name("rooms.sqlite")),
                    **settings,
                },
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def log(self) -> str:
        """Return the server's log so far."""
        return self._log.read_text("utf-8", errors="replace")

    def check(self) -> None:
        """Raise RuntimeError with the server's log if it has died, PortTakenError if for its port."""
        status = self.process.poll()
        if status is not None:
            if TAKEN in self.log():
                raise PortTakenError(self.address)
            raise RuntimeError(f"the server ended with status {status}; it printed:\n{self.log()}")

    def wait(self) -> None:
        """Return once the server answers; raise RuntimeError if it dies or takes longer than that."""
        begun = time.monotonic()
        while not self._is_up():
            self.check()
            if time.monotonic() - begun > LONGEST_START:
                raise RuntimeError(f"no answer after {LONGEST_START} s; the server printed:\n{self.log()}")
            time.sleep(0.02)
        self.check()  # another program may have answered

    def _is_up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """End the server, by force where asking is not enough."""
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def serving(
    script: Path = APP, *, settings: Mapping[str, str] = MappingProxyType({}), base: str = ""
) -> Iterator[Server]:
    """Yield a server of `script` that answers, stopped when the block is left.

    `settings` are variables of its environment; `base` is the path below which it serves.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        server = started(lambda: Server(script, free_ports(1), log, settings, base))
        try:
            yield server
        finally:
            server.stop()
