"""Files of figures, one after the other, from one process that stays warm."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread, Timer

from core.memory import of_tree
from core.store import STORE
from figures.rendering import browser, pipe
from figures.rendering.job import Files, Job

PATIENCE = 120.0
"""Seconds after which a figure is given up, and the process with it; its start takes some of them."""

MEMORY = 650 * 2**20
"""Bytes that the process and its browser take once they have drawn."""

MEASURED_EVERY = 2.0
"""Seconds between two looks at that: to ask the system takes some milliseconds."""

ROOT = Path(__file__).parents[2]

NO_BROWSER = (
    "Figures are drawn by Chromium, and the machine that makes them has none: install chromium or Google "
    "Chrome there. CSV and HTML need neither."
)


NOT_DRAWN = "This figure could not be drawn; the log of the server says why."
NO_START = "The browser that draws figures does not start; the log of the server says why."


class ExportError(Exception):
    """Why a figure could not be made, in a sentence for who asked for it."""


class Exporter:
    """Makes files of figures. Its process is started when it is first needed, and again when it is gone.

    Threads may share it: they come one after the other.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._measured = (0, -MEASURED_EVERY)

    def files(self, job: Job) -> Files:
        """Return the file of each format that the job wants. Raises ExportError if there is none."""
        try:
            return self._files(job)
        finally:
            STORE.make_room()

    def memory(self) -> int:
        """Return the bytes that the process and its browser hold."""
        process = self._process
        if process is None:
            return 0
        n_bytes, then = self._measured
        if (now := time.monotonic()) - then >= MEASURED_EVERY:
            n_bytes = of_tree(process.pid)
            self._measured = n_bytes, now
        return n_bytes

    def end_if_idle(self) -> None:
        """End the process if it draws nothing; the next figure gets a new one."""
        if self._turn.acquire(blocking=False):
            process, self._process = self._process, None
            self._turn.release()
            if process is not None:  # whoever asks does not wait until it has ended
                Thread(target=_end, args=[process], daemon=True).start()

    def _files(self, job: Job) -> Files:
        with self._turn:
            try:
                return self._drawn(job)
            except pipe.GoneError:
                # It had ended between two figures, or the system took it: a new one draws this one.
                self._end()
            try:
                return self._drawn(job)
            except pipe.GoneError as error:
                self._end()
                raise ExportError("The process that draws figures ends again and again.") from error

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def _drawn(self, job: Job) -> Files:
        """What the process makes of a job. Raises GoneError where it ends by itself."""
        process = self._running()
        with _watched(process) as took_too_long:
            try:
                return _asked(process, job)
            except pipe.GoneError as error:
                if took_too_long.is_set():
                    raise ExportError(f"The figure took more than {PATIENCE:.0f} seconds to draw.") from error
                raise
            except pipe.PipeError as error:
                raise ExportError(NOT_DRAWN) from error

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            STORE.make_room(MEMORY)
            self._process = _start()
            self._measured = MEMORY, time.monotonic()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        _end(process)


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process is None:
        return
    with suppress(OSError, subprocess.TimeoutExpired):
        process.communicate(timeout=5)
    process.kill()


class NotingExporter(Exporter):
    """An exporter that asks another one, and notes the characters that no font of the machine has."""

    def __init__(self, exporter: Exporter) -> None:
        super().__init__()
        self._exporter = exporter
        self.undrawn: set[str] = set()

    def files(self, job: Job) -> Files:
        """Return what the other exporter makes of a job. Raises ExportError as it does."""
        made = self._exporter.files(job)
        self.undrawn |= set(made.undrawn)
        return made


@contextmanager
def _watched(process: subprocess.Popen[bytes]) -> Iterator[Event]:
    """Have the process killed if what it does inside takes too long, and say so by the event."""
    took_too_long = Event()

    def give_up() -> None:
        took_too_long.set()
        process.kill()

    watch = Timer(PATIENCE, give_up)
    watch.start()
    try:
        yield took_too_long
    finally:
        watch.cancel()


def _asked(process: subprocess.Popen[bytes], job: Job) -> Files:
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    try:
        pipe.give_job(process.stdin, job)
    except OSError as error:
        raise pipe.GoneError("the process that draws has ended") from error
    return pipe.take(process.stdout)


def _start() -> subprocess.Popen[bytes]:
    path = browser.find()
    if path is None:
        raise ExportError(NO_BROWSER)
    command = [sys.executable, "-m", "figures.rendering.worker", path]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None, "it is a pipe"
    try:
        with _watched(process):
            pipe.take(process.stdout)
    except pipe.PipeError as error:
        process.kill()
        raise ExportError(NO_START) from error
    return process
