"""The app as `make serve` serves it: several processes behind nginx."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from xmlrpc.client import ServerProxy

from supervisor.xmlrpc import SupervisorTransport

from attention_lab.serving import answers
from deploy.health import wait_until
from deploy.serve import ROOT, folder_of
from tests.browser.server import LONGEST_START, PortTakenError, started
from tests.ports import free_ports

REFUSED = 2
"""The status of `deploy.serve` that has started nothing, for somebody else has one of the ports."""


class Fleet:
    """Processes that serve at `address`; to a visitor it is a server like any other."""

    def __init__(self, workers: int, base: str = "") -> None:
        self.port = free_ports(1 + 2 * workers)
        self.address = f"http://localhost:{self.port}{base}"
        self.folder = folder_of(self.port)
        options = [f"--workers={workers}", f"--port={self.port}", f"--inner={self.port + 1}"]
        options += [f"--base={base}"] if base else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "deploy.serve", *options],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def log(self) -> str:
        """Return all logs of the processes and nginx so far."""
        return "".join(path.read_text("utf-8", "replace") for path in sorted(self.folder.glob("*.log")))

    def check(self) -> None:
        """Raise RuntimeError with the logs if the supervisor has ended, PortTakenError if for its ports."""
        if self.process.poll() == REFUSED:
            raise PortTakenError(self.address)
        if self.process.poll() is not None:
            raise RuntimeError(f"the supervisor ended; there is:\n{self.log()}")

    def wait(self) -> None:
        """Return once every process answers."""
        for name in self.serving():
            if not wait_until(lambda at=f"127.0.0.1:{name}": answers(at, timeout=5), seconds=LONGEST_START):
                raise RuntimeError(f"no answer from {name} after {LONGEST_START} s:\n{self.log()}")
        self.check()

    def serving(self) -> list[str]:
        """Return the names of the processes that run or shall run, which are their ports."""
        states = {one["name"]: one["statename"] for one in self._processes()}
        return sorted(name for name, state in states.items() if name.isdecimal() and state != "STOPPED")

    def pid_of(self, name: str) -> int:
        """Return the process of this name."""
        return next(one["pid"] for one in self._processes() if one["name"] == name)

    def _processes(self) -> list[dict]:
        path = self.folder / "supervisor.sock"
        wait_until(lambda: path.exists() or self.process.poll() is not None, seconds=LONGEST_START)
        self.check()
        transport = SupervisorTransport("", "", f"unix://{path}")
        return ServerProxy("http://127.0.0.1", transport).supervisor.getAllProcessInfo()

    def restart(self) -> subprocess.Popen:
        """Begin what `make restart` does."""
        command = [sys.executable, "-m", "deploy.supervisor.restart", f"--port={self.port}"]
        return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        """End everything, by force where asking is not enough."""
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.kill(self.process.pid, 9)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def sailing(workers: int, base: str = "") -> Iterator[Fleet]:
    """Yield `workers` processes below a base path, stopped at the end of the block."""
    fleet = started(lambda: Fleet(workers, base))
    try:
        yield fleet
    finally:
        fleet.stop()
