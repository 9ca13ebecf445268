"""The server under measurement, always on this machine."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import nan
from urllib.parse import urlsplit

from bench.processes import cpu_milliseconds, megabytes
from tests.browser.fleet import Fleet, sailing
from tests.browser.server import serving

HOSTS = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class Target:
    """A server by its port and, if known, the process that has started all others."""

    port: int
    pid: int | None = None
    base: str = ""
    """Path below which it serves, such as `/lab`."""
    kill_one: Callable[[], None] = field(default=lambda: None, compare=False)
    """Function that kills one of several serving processes, as the system would."""

    @property
    def host(self) -> str:
        """Host name of a browser's requests."""
        return f"localhost:{self.port}"

    @property
    def origin(self) -> str:
        """Origin header of a browser's requests."""
        return f"http://{self.host}"

    @property
    def address(self) -> str:
        """The beginning of every link to it."""
        return f"{self.origin}{self.base}"

    def cpu(self) -> float:
        """Return milliseconds of processor time so far."""
        return nan if self.pid is None else cpu_milliseconds(self.pid)

    def megabytes(self) -> float:
        """Return the memory of its processes in MB."""
        return nan if self.pid is None else megabytes(self.pid)

    # A `Visitor` in a browser asks its server for these; the caller that started this server watches it.

    def log(self) -> str:
        """Return an empty log: the server prints elsewhere."""
        return ""

    def check(self) -> None:
        """Do nothing: sessions notice when the server ends."""


def on_this_machine(url: str) -> Target:
    """Return the server at `url`. Raises ValueError unless it is plain HTTP on this machine.

    A load generator that can target others is a weapon: no name is looked up, and only two are accepted.
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.hostname not in HOSTS or parts.username or parts.port is None:
        raise ValueError(f"expected http://localhost:PORT or http://127.0.0.1:PORT, got {url}")
    return Target(parts.port, base=parts.path.rstrip("/"))


@contextmanager
def served(workers: int, base: str = "") -> Iterator[Target]:
    """Serve the app while the block runs: one process by Streamlit, several as `make serve` does.

    `base` is the path of the app, such as `/lab`.
    """
    if workers == 1:
        with serving(base=base) as server:
            yield replace(on_this_machine(server.address), pid=server.process.pid)
        return
    with sailing(workers, base) as fleet:
        found, pid = on_this_machine(fleet.address), fleet.process.pid
        yield replace(found, pid=pid, kill_one=lambda: _kill_one(fleet))


def _kill_one(fleet: Fleet) -> None:
    os.kill(fleet.pid_of(fleet.serving()[0]), signal.SIGKILL)
