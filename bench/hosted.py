"""Memory of the app as a small host runs it: without real models, with PyTorch for the CPU.

`python -m bench.hosted --limit 1000` starts the app of Community Cloud, opens every page in a browser, saves
figures if `--figures` is given, and prints the resident memory of the process with all its children. It fails
above the limit, in MB.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from core.memory import MB
from deploy.health import answers, wait_until
from figures.rendering import browser
from pages import GROUPS
from tests.ports import free_ports

ROOT = Path(__file__).parents[1]
ENTRYPOINT = Path("deploy", "cloud", "streamlit_app.py")
LEFT_OUT = {"models", ".git"}
START, PAGE = 180, 120
"""Seconds for the start of the app, and for one page."""
EVERY = 0.1
"""Seconds between two measurements."""
DONE = "[data-testid=stApp][data-test-script-state=notRunning]"
FIGURES = ("png", "pdf", "svg")


class Peak:
    """The largest memory of a process and its children, measured all the time, in bytes."""

    def __init__(self, pid: int) -> None:
        self.now = self.most = 0
        self._pid, self._end = pid, Event()
        self._thread = Thread(target=self._measure)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def __str__(self) -> str:
        return f"{self.now // MB:,} MB, at most {self.most // MB:,} MB"

    def _measure(self) -> None:
        while not self._end.wait(EVERY):
            self.now = sum(map(resident, tree(self._pid)))
            self.most = max(self.most, self.now)


def tree(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    pids = [pid]
    for one in pids:
        for path in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):
                pids += map(int, path.read_text("ascii").split())
    return pids


def resident(pid: int) -> int:
    """Return the resident bytes of a process; memory that several processes share counts for each."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


@contextmanager
def served(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the app on a port, started in a folder that has all but `LEFT_OUT`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in ROOT.iterdir():
            if path.name not in LEFT_OUT:
                (folder / path.name).symlink_to(path)
        options = [f"--server.port={port}", "--server.address=127.0.0.1"]
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(ENTRYPOINT), *options],
            cwd=folder,
            env={**os.environ, "ATTENTION_LAB_ROOMS": str(folder / "rooms.sqlite")},
            stdout=subprocess.DEVNULL,
        )
        try:
            if not wait_until(lambda: answers(f"127.0.0.1:{port}", timeout=5), seconds=START):
                raise RuntimeError(f"the app does not answer after {START} s")
            yield process
        finally:
            process.terminate()
            process.wait()


def visit(address: str) -> int:
    """Open every page in a browser of this machine, one after the other, and return how many there are."""
    entries = [entry for entries in GROUPS.values() for entry in entries]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=browser.find()) as chromium,
    ):
        page = chromium.new_page()
        for entry in entries:
            page.goto(f"{address}/{entry.address}")
            page.locator(DONE).wait_for(timeout=PAGE * 1000)
    return len(entries)


def main() -> int:
    """Measure, and return 1 if the app takes more than the limit."""
    parser = argparse.ArgumentParser(prog="python -m bench.hosted", description=__doc__)
    parser.add_argument("--limit", type=int, default=1000, help="MB that the app may take")
    parser.add_argument("--figures", action="store_true", help="save figures too, for which a browser draws")
    asked = parser.parse_args()
    port = free_ports(1)
    address = f"http://127.0.0.1:{port}"
    with served(port) as process, Peak(process.pid) as peak:
        print(f"{visit(address)} pages: {peak}", flush=True)
        for kind in FIGURES if asked.figures else ():
            order = urlencode({"link": "/explorer", "format": kind})
            with urllib.request.urlopen(f"{address}/figures/file?{order}", timeout=PAGE) as answer:
                assert answer.read()
            print(f"a figure as {kind}: {peak}", flush=True)
    return int(peak.most > asked.limit * MB)


if __name__ == "__main__":
    sys.exit(main())
