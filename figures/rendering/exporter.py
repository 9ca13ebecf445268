"""Files of figures, one after the other, from one process that stays warm."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer

from figures.rendering import browser, pipe
from figures.rendering.job import Job

PATIENCE = 60.0
"""Seconds after which a figure is given up, and the process with it; its start takes some of them."""

ROOT = Path(__file__).parents[2]

NO_BROWSER = (
    "Figures are drawn by Chromium, and none is installed on the machine that serves this page: install "
    "chromium or Google Chrome there. CSV and HTML need neither."
)


class ExportError(Exception):
    """Why a figure could not be made, in a sentence for who asked for it."""


class Exporter:
    """Makes files of figures. Its process is started when it is first needed, and again when it is gone.

    Threads may share it: they come one after the other.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def files(self, job: Job) -> dict[str, bytes]:
        """The file of each format that the job wants. Raises ExportError where there is none."""
        with self._turn:
            process = self._running()
            watch = Timer(PATIENCE, process.kill)
            watch.start()
            try:
                return self._asked(process, job)
            finally:
                watch.cancel()

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def _asked(self, process: subprocess.Popen[bytes], job: Job) -> dict[str, bytes]:
        assert process.stdin is not None, "it is a pipe"
        assert process.stdout is not None, "it is a pipe"
        try:
            pipe.give_job(process.stdin, job)
            return pipe.take(process.stdout)
        except (pipe.PipeError, OSError) as error:
            if process.poll() is not None or isinstance(error, OSError):
                self._end()
            raise ExportError(f"The figure could not be drawn: {error}.") from error

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = _start()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            process.communicate(timeout=5)
        process.kill()


def _start() -> subprocess.Popen[bytes]:
    path = browser.find()
    if path is None:
        raise ExportError(NO_BROWSER)
    command = [sys.executable, "-m", "figures.rendering.worker", path]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None, "it is a pipe"
    watch = Timer(PATIENCE, process.kill)
    watch.start()
    try:
        pipe.take(process.stdout)
    except pipe.PipeError as error:
        process.kill()
        raise ExportError(
            "The browser that draws figures does not start; the server's log says why."
        ) from error
    finally:
        watch.cancel()
    return process
