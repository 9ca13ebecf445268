"""The servers that are measured: one process, several behind nginx, or one that somebody has started."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from bench.load.address import Address, on_this_machine
from bench.load.processes import Processes
from tests.browser.server import LONGEST_START, ROOT, serving


@contextmanager
def served(workers: int) -> Iterator[tuple[Address, Processes]]:
    """The app in so many processes, for this block: one by Streamlit, several as `make serve` does."""
    if workers == 1:
        with serving() as server:
            yield on_this_machine(server.address), Processes(server.process.pid)
        return
    address = Address(_free_port())
    process = subprocess.Popen(
        [sys.executable, "-m", "deploy.serve", f"--workers={workers}", f"--port={address.port}"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait(address, process)
        yield address, Processes(process.pid)
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(address: Address, process: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while not _is_up(address):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        if time.monotonic() - begun > LONGEST_START:
            raise RuntimeError(f"no answer from {address.origin} after {LONGEST_START} s")
        time.sleep(0.1)


def _is_up(address: Address) -> bool:
    try:
        with urllib.request.urlopen(f"{address.origin}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _free_port() -> int:
    """A port below those that have no hundredth after them, which is the first that the processes take."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])
