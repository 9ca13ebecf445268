"""A Streamlit server of our own, on a free port, whose log is kept."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
APP = ROOT / "app.py"
LONGEST_START = 180
"""Seconds; on a busy machine torch alone has taken twenty."""


class Server:
    """A running `streamlit run`; `address` is where its pages are."""

    def __init__(self, script: Path, port: int, log: Path, settings: Mapping[str, str]) -> None:
        self.address = f"http://localhost:{port}"
        self._log = log
        options = [f"--server.port={port}", "--server.address=localhost", "--server.fileWatcherType=none"]
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(script), *options],
                cwd=ROOT,
                # The path is for scripts that lie elsewhere than app.py.
                env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def log(self) -> str:
        """Everything the server has printed so far."""
        return self._log.read_text("utf-8", errors="replace")

    def check(self) -> None:
        """Raise RuntimeError with the server's log if it has died."""
        status = self.process.poll()
        if status is not None:
            raise RuntimeError(f"the server ended with status {status}; it printed:\n{self.log()}")

    def wait(self) -> None:
        """Return once the server answers; raise RuntimeError if it dies or takes longer than that."""
        begun = time.monotonic()
        while not self._is_up():
            self.check()
            if time.monotonic() - begun > LONGEST_START:
                raise RuntimeError(f"no answer after {LONGEST_START} s; the server printed:\n{self.log()}")
            time.sleep(0.02)

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
    script: Path = APP, *, wait: bool = True, settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Server]:
    """A server of `script`, stopped when the block is left; without `wait` it may still be starting.

    `settings` are variables of its environment.
    """
    with tempfile.TemporaryDirectory() as folder:
        server = Server(script, _free_port(), Path(folder) / "server.log", settings)
        try:
            if wait:
                server.wait()
            yield server
        finally:
            server.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])
