"""Tests run in a copy of the project, in a process forked from a process that has loaded only libraries."""

import json
import os
import shutil
import signal
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from importlib.util import cache_from_source
from multiprocessing import get_context
from pathlib import Path

import coverage
import pytest

from tests.breaks.places import Break, sources

FORKED = get_context("forkserver")
FORKED.set_forkserver_preload(
    [
        *["anyio.pytest_plugin", "einops", "hypothesis", "jaxtyping", "pandas", "plotly.graph_objects"],
        *["pyarrow.compute", "pytest", "safetensors.torch", "streamlit.testing.v1", "tokenizers", "torch"],
    ]
)

OPTIONS = ["-p", "no:cacheprovider", "-m", "not long"]
HANGS = ["-o", "faulthandler_timeout=60", "-o", "faulthandler_exit_on_timeout=true"]
"""A test that takes a minute hangs: those that are asked take some seconds."""

Steps = dict[str, dict[str, float]]
"""The events of each test, with their seconds: began, passed or failed or skipped, ended."""


def has_passed(steps: dict[str, float]) -> bool:
    """Return whether a test passed, and was not skipped."""
    return steps.keys() == {"began", "passed", "ended"}


def has_failed(steps: dict[str, float]) -> bool:
    """Return whether a test failed, hung or took its process with it, or its file could not be collected."""
    return "failed" in steps or "ended" not in steps


class Copy:
    """A copy of the project that can be broken; folders without modules are links to the original."""

    def __init__(self, original: Path, root: Path) -> None:
        self._original, self._root, self._log = original, root, root.with_suffix(".log")
        root.mkdir()
        for path in original.iterdir():
            if path.name.startswith(".") or (path.is_dir() and not any(path.rglob("*.py"))):
                (root / path.name).symlink_to(path)
            else:
                (shutil.copytree if path.is_dir() else shutil.copy2)(path, root / path.name)

    @contextmanager
    def broken(self, one: Break) -> Iterator[None]:
        """Break it, and mend it when the block is left."""
        path = self._root / one.file
        compiled = Path(cache_from_source(path))  # known to Python by a time in seconds and a size
        compiled.unlink(missing_ok=True)
        path.write_bytes(one.broken(path.read_bytes()))
        try:
            yield
        finally:
            shutil.copy2(self._original / one.file, path)
            compiled.unlink(missing_ok=True)

    def run(self, tests: Sequence[str], *options: str, patience: float, measure: Path | None = None) -> Steps:
        """Run tests or files of tests; what is left after `patience` seconds is killed.

        With `measure`, that file of coverage gets the lines of the project that each of them executes.
        """
        self._log.write_text("")
        given = (self._root, tests, [*OPTIONS, *options], self._log, measure)
        process = FORKED.Process(target=_run, args=given)
        process.start()
        process.join(patience)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
        steps: Steps = defaultdict(lambda: defaultdict(float))
        for test, step, seconds in map(json.loads, self._log.read_text("utf-8").splitlines()):
            steps[test][step] += seconds
        return steps


def _run(root: Path, tests: Sequence[str], options: list[str], log: Path, measure: Path | None) -> None:
    """Run the tests in the new process, which forgets its original project because `root` is a copy."""
    os.setsid()  # its child processes end with it
    os.chdir(root)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    sys.path[:] = [str(root), *(path for path in sys.path if not Path(path, "tests", "breaks").exists())]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    own = [str(path) for path in sources(root).values()]
    lines = coverage.Coverage(measure, include=own, config_file=False) if measure else None
    with lines.collect() if lines else nullcontext():
        pytest.main([*options, *files], plugins=[_Log(log, {*tests} - {*files}, lines)])
    if lines:
        lines.save()


class _Log:
    """A plugin that runs the tests named, or all if none are, and writes each step as it is taken."""

    def __init__(self, path: Path, tests: Collection[str], lines: coverage.Coverage | None) -> None:
        self._log, self._tests, self._lines = path.open("w", encoding="utf-8", buffering=1), tests, lines

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not self._tests or item.nodeid in self._tests]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write(report.nodeid, report.outcome)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self._lines:
            self._lines.switch_context(nodeid)
        self._write(nodeid, "began")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._write(report.nodeid, report.outcome, report.duration)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._write(nodeid, "ended")

    def _write(self, test: str, step: str, seconds: float = 0) -> None:
        print(json.dumps([test, step, seconds]), file=self._log)
