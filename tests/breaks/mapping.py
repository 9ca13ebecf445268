"""Which test executes which line: measured file by file, and kept until the file or a source changes."""

import json
from collections import defaultdict
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path

from coverage import CoverageData

from tests.breaks.places import Break, in_turn, sources
from tests.breaks.running import Copy, has_failed, has_passed

KEPT = ".breaks"
ELSEWHERE = {"browser", "breaks"}
"""Folders of tests that execute nothing of the project in their own process."""

LONGEST = 1800
"""Seconds for the tests of a file."""


class Map:
    """The lines that tests execute and the seconds they take, of the test files measured so far."""

    def __init__(self, root: Path) -> None:
        self._root = root
        code = blake2b(b"".join(path.read_bytes() for path in sources(root).values())).digest()
        self._kept: dict[str, Path] = {}
        for path in sorted(root.glob("tests/**/test_*.py")):
            file = path.relative_to(root)
            if file.parts[1] not in ELSEWHERE:
                version = blake2b(code + path.read_bytes(), digest_size=8).hexdigest()
                self._kept[file.as_posix()] = root / KEPT / file.with_suffix(f".{version}")
        self._seconds: dict[str, float] = {}
        self._lines = []
        for kept in filter(Path.exists, self._kept.values()):
            self._seconds |= json.loads(kept.read_text("utf-8"))
            self._lines.append(CoverageData(f"{kept}.lines"))
            self._lines[-1].read()

    def missing(self, under: str = "") -> list[str]:
        """Test files below a path that are new or changed; all of them where a source has changed."""
        return [file for file, kept in self._kept.items() if file.startswith(under) and not kept.exists()]

    def measure(self, file: str, copy: Copy) -> list[str]:
        """Run a test file and keep the result; return the failed tests, which can notice nothing."""
        kept = self._kept[file]
        kept.parent.mkdir(parents=True, exist_ok=True)
        for former in kept.parent.glob(f"{kept.stem}.*"):
            former.unlink()
        steps = copy.run([file], measure=Path(f"{kept}.lines"), patience=LONGEST)
        passed = {test: sum(taken.values()) for test, taken in steps.items() if has_passed(taken)}
        kept.write_text(json.dumps(passed), "utf-8")
        return [test for test, taken in steps.items() if has_failed(taken)]

    def asked(self, one: Break, limit: float) -> tuple[list[str], int]:
        """Return the tests to run for a break, together at most `limit` seconds, and the number of others.

        Tests that execute its line come first, then tests that execute another line of its file, and then
        the rest of their test files: results are shared, and module-level code is executed once. Of the
        cases of a test the quickest comes first, and all second cases after that.
        """
        by_line = self._tests_by_line(one.file)
        there = set().union(*by_line.values()) or self._importing(one.file)
        executing = set().union(*(by_line.get(line, ()) for line in one.lines))
        files = {test.partition("::")[0] for test in there}
        others = {test for test in self._seconds if test.partition("::")[0] in files} - executing
        ordered = []
        for tests in (executing, others):
            quickest = sorted(tests, key=lambda test: (self._seconds[test], test))
            ordered += in_turn(quickest, lambda test: test.partition("[")[0])
        n = max(1, sum(so_far <= limit for so_far in accumulate(map(self._seconds.get, ordered))))
        return ordered[:n], len(ordered[n:])

    def _importing(self, file: str) -> set[str]:
        """Return the tests that execute anything of the files which name a module."""
        module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        naming = [name for name, path in sources(self._root).items() if module in path.read_text("utf-8")]
        return set().union(*(tests for name in naming for tests in self._tests_by_line(name).values()))

    def _tests_by_line(self, file: str) -> dict[int, set[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for lines in self._lines:
            for path in lines.measured_files():
                if path.endswith(f"/{file}"):
                    for line, tests in lines.contexts_by_lineno(path).items():
                        found[line] |= self._seconds.keys() & tests
        return found
