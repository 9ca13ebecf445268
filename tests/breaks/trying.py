"""Which tests notice a break: it is made in a copy of the project, and tests that might are run there."""

from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue

from tests.breaks.places import Break
from tests.breaks.running import Copy, has_failed, run

SLACK = 120
"""Seconds beside those that tests took when they were measured: for imports, and on a busy machine."""

HANGS = ["-o", "faulthandler_timeout=60", "-o", "faulthandler_exit_on_timeout=true"]
"""A test that takes a minute hangs: those that are asked take some seconds."""

NOT_BEGUN = "no test begins"
"""In place of a test, where a break does not even let them begin."""


class Trial:
    """Breaks tried in `jobs` copies of the project; with `every`, on after the first test that notices."""

    def __init__(self, root: Path, folder: Path, *, jobs: int, every: bool) -> None:
        self._every = every
        self._copies: SimpleQueue[Copy] = SimpleQueue()
        for job in range(jobs):
            self._copies.put(Copy(root, folder / str(job)))
        self._sound: set[str] = set()
        self.unsound: set[str] = set()
        """Tests that fail in an unbroken copy too: what they notice does not count."""

    def noticed(self, one: Break, tests: Sequence[str], seconds: float) -> list[str]:
        """The tests that notice a break, of those that together take so many seconds."""
        stop = "--continue-on-collection-errors" if self._every else "--exitfirst"
        copy = self._copies.get()
        try:
            while tests := [test for test in tests if test not in self.unsound]:
                with copy.broken(one):
                    steps = run(copy.root, tests, *HANGS, stop, patience=seconds + SLACK)
                failed = [test for test in steps if has_failed(steps[test])] if steps else [NOT_BEGUN]
                if not self._sound.issuperset(failed):
                    self._judge(copy, failed, [test for test in steps if test in tests] or tests[:1])
                if self._every or self.unsound.isdisjoint(failed):
                    return [test for test in failed if test not in self.unsound]
            return []
        finally:
            self._copies.put(copy)

    def _judge(self, copy: Copy, failed: list[str], begun: list[str]) -> None:
        """Run the tests that had begun in the unbroken copy: what fails there too has noticed nothing."""
        steps = run(copy.root, begun, *HANGS, patience=2 * SLACK)
        if not steps:
            raise RuntimeError(f"{begun[0]} does not begin in a copy of the project")
        unsound = {test for test in failed if test in steps and has_failed(steps[test])}
        self.unsound |= unsound
        self._sound |= {*failed} - unsound
