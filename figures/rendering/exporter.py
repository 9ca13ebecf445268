"""Files of figures from one process, which keeps running."""

import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from core.memory import process_tree_bytes
from core.store import STORE
from figures.rendering import browser
from figures.rendering.channel import Channel
from figures.rendering.job import Files, Job, receive_files, send_job

PATIENCE = 120.0
"""Seconds until a figure is abandoned and the process is ended."""

MEMORY = 650 * 2**20
"""Bytes that the process and its browser take after some figures."""

MEASURED_EVERY = 2.0
"""Seconds between two measurements of memory; each takes some milliseconds."""

AFTER_OTHERS: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
"""Windows' flag for a process of low priority; elsewhere the process lowers its priority itself."""

ROOT = Path(__file__).parents[2]

NO_BROWSER = (
    "Figures are drawn by Chromium, and the machine that makes them has none: install chromium or Google "
    "Chrome there. CSV needs neither, nor does HTML of interactive plots."
)


NOT_DRAWN = "This figure could not be drawn; the log of the server says why."
NO_START = "The browser that draws figures does not start; the log of the server says why."


class ExportError(Exception):
    """A figure could not be made; the message says why, in a sentence for a visitor."""


class Worker:
    """A process that draws, and the connection to it; only one thread at a time may use it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, creationflags=AFTER_OTHERS
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._connection = Channel(self.process.stdout, self.process.stdin)

    def files(self, job: Job) -> Files:
        """Return the files of a job. Raises ExportError; EOFError or OSError if the process has ended."""
        send_job(self._connection, job)
        made = self.answer()
        if not made:
            raise ExportError(NOT_DRAWN)
        return made

    def answer(self) -> Files:
        """Return the next files; the first answer has none and says that the process is ready."""
        if not self._connection.poll(PATIENCE):
            self.process.kill()
            raise ExportError(f"The figure took more than {PATIENCE:.0f} seconds to draw.")
        return receive_files(self._connection)

    def end(self) -> None:
        """Close the connection, so that the process ends; kill it if it does not."""
        self._connection.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)
        self.process.kill()


class Exporter:
    """Makes files of figures. Its process starts with the first figure, and again if it has ended.

    Threads may share it; they take turns.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._worker: Worker | None = None
        self._measured = (0, -MEASURED_EVERY)

    def files(self, job: Job) -> Files:
        """Return a file of each format of the job. Raises ExportError if the figure cannot be drawn."""
        try:
            with self._turn:
                for _ in range(2):  # the process may have ended since the last figure
                    try:
                        return self._running().files(job)
                    except (EOFError, OSError):
                        self._end()
                raise ExportError("The process that draws figures ends again and again.")
        finally:
            STORE.make_room()

    def memory(self) -> int:
        """Return the bytes that the process and its browser hold."""
        worker = self._worker
        if worker is None:
            return 0
        n_bytes, then = self._measured
        if (now := time.monotonic()) - then >= MEASURED_EVERY:
            n_bytes = process_tree_bytes(worker.process.pid)
            self._measured = n_bytes, now
        return n_bytes

    def end_if_idle(self) -> None:
        """End the process if it draws nothing; the next figure gets a new one."""
        if self._turn.acquire(blocking=False):
            worker, self._worker = self._worker, None
            self._turn.release()
            if worker is not None:  # the caller does not wait until it has ended
                Thread(target=worker.end, daemon=True).start()

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def _running(self) -> Worker:
        if self._worker is None or self._worker.process.poll() is not None:
            self._end()
            STORE.make_room(MEMORY)
            self._worker = _start()
            self._measured = MEMORY, time.monotonic()
        return self._worker

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


class NotingExporter(Exporter):
    """An exporter that wraps another, and collects the characters that no font of the machine has."""

    def __init__(self, exporter: Exporter) -> None:
        super().__init__()
        self._exporter = exporter
        self.undrawn: set[str] = set()

    def files(self, job: Job) -> Files:
        """Return the files of the other exporter. Raises ExportError as it does."""
        made = self._exporter.files(job)
        self.undrawn |= set(made.undrawn)
        return made


def _start() -> Worker:
    path = browser.find()
    if path is None:
        raise ExportError(NO_BROWSER)
    worker = Worker([sys.executable, "-m", "figures.rendering.worker", path])
    try:
        worker.answer()
    except (EOFError, OSError, ExportError) as error:
        worker.end()
        raise ExportError(NO_START) from error
    return worker
