"""The server that is measured: on this machine, and nowhere else."""

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
    """A server by its port and, if it is known, the process that has started all that serve."""

    port: int
    pid: int | None = None
    base: str = ""
    """The path below which it serves, such as `/lab`."""
    kill_one: Callable[[], None] = field(default=lambda: None, compare=False)
    """Kills one of several processes that serve, as the system would."""

    @property
    def host(self) -> str:
        """What a browser would name it."""
        return f"localhost:{self.port}"

    @property
    def origin(self) -> str:
        """Where a browser says that a page of it comes from."""
        return f"http://{self.host}"

    @property
    def address(self) -> str:
        """The beginning of every link to it."""
        return f"{self.origin}{self.base}"

    def cpu(self) -> float:
        """Milliseconds of processor time so far."""
        return nan if self.pid is None else cpu_milliseconds(self.pid)

    def megabytes(self) -> float:
        """Memory of its processes."""
        return nan if self.pid is None else megabytes(self.pid)

    # A `Visitor` in a browser asks its server for these; whoever has started this one looks after it.

    def log(self) -> str:
        """Nothing: what the server prints is elsewhere."""
        return ""

    def check(self) -> None:
        """Nothing: a server that ends is seen by the sessions that it loses."""


def on_this_machine(url: str) -> Target:
    """The server at `url`. Raises ValueError for any that is not plain HTTP on this machine.

    A generator of load that can be pointed at others is a weapon: no name is looked up, two are taken.
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
