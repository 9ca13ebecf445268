"""Breaks the project in a few hundred places, one at a time, and says which no test notices.

map  which test executes which line, measured once for each version of a test file
try  300 breaks, each up to the first test that notices, and what no test noticed
"""

import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TypeVar

from tests.breaks.mapping import Map
from tests.breaks.places import ROOT, Break, drawn
from tests.breaks.running import HANGS, Copy, has_failed

Item, Done = TypeVar("Item"), TypeVar("Done")

SLACK = 120
"""Seconds beside those that tests took when they were measured: for imports, and on a busy machine."""


def measure(root: Path, asked: Namespace) -> None:
    """Measure the test files below a path that are not measured yet."""
    tests = Map(root)
    files = tests.missing(asked.under)
    for n, (file, failed) in enumerate(_each(tests.measure, files, root, asked.jobs), 1):
        print(f"{n}/{len(files)} {file}", *(f"failed: {test}" for test in failed), sep="\n  ", flush=True)


def attempt(root: Path, asked: Namespace) -> None:
    """Try the breaks that are drawn, and say what no test noticed."""
    tests = Map(root)
    if missing := tests.missing():
        print(f"{len(missing)} test files are not measured and not asked, {missing[0]} the first.")
    chosen = {one: tests.asked(one, asked.seconds) for one in drawn(asked.n, asked.seed, root, asked.under)}

    def first_to_notice(one: Break, copy: Copy) -> str:
        if not chosen[one][0]:
            return ""
        with copy.broken(one):
            steps = copy.run(chosen[one][0], *HANGS, "-x", patience=asked.seconds + SLACK)
        return next((test for test in steps if has_failed(steps[test])), "" if steps else "no test begins")

    by: dict[Break, str] = {}
    for n, (one, test) in enumerate(_each(first_to_notice, list(chosen), root, asked.jobs), 1):
        by[one] = test
        print(f"{n}/{len(chosen)} {one.file}:{one.lines.start}", test, flush=True)
    print(*told(by, {one: (len(some), more) for one, (some, more) in chosen.items()}), sep="\n")


def told(by: dict[Break, str], asked: dict[Break, tuple[int, int]]) -> Iterator[str]:
    """How many breaks of each folder were noticed, and those that were not."""
    tried = Counter(str(Path(one.file).parent) for one in by)
    noticed = Counter(str(Path(one.file).parent) for one, test in by.items() if test)
    for folder, n in [*sorted(tried.items()), ("in all", len(by))]:
        n_noticed = noticed.total() if folder == "in all" else noticed[folder]
        yield f"{n_noticed:4} of {n:3} {n_noticed / max(n, 1):5.0%}  {folder}"
    yield "\nNot noticed:"
    for one in sorted((one for one in by if not by[one]), key=lambda one: (one.file, one.lines.start)):
        before, after = (" ".join(side.split())[:70] for side in (one.before, one.after))
        n, more = asked[one]
        tests = f"{n} of {n + more} tests" if n else "no test there"
        yield f"{one.file}:{one.lines.start}  {before}  →  {after}  ({tests})"


def _each(
    work: Callable[[Item, Copy], Done], items: list[Item], root: Path, jobs: int
) -> Iterator[tuple[Item, Done]]:
    """Each item and what came of it in one of so many copies, as soon as it is there."""
    copies: SimpleQueue[Copy] = SimpleQueue()

    def done(item: Item) -> Done:
        copy = copies.get()
        try:
            return work(item, copy)
        finally:
            copies.put(copy)

    with TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as several:
        for job in range(jobs):
            copies.put(Copy(root, Path(folder, str(job))))
        begun = {several.submit(done, item): item for item in items}
        try:
            for one in as_completed(begun):
                yield begun[one], one.result()
        finally:
            several.shutdown(cancel_futures=True)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> None:
    """Do what the command line asks for."""
    parser = ArgumentParser("tests.breaks", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["map", "try"])
    parser.add_argument("-n", type=int, default=300, help="breaks in all folders together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=12, help="of tests that are asked about a break")
    parser.add_argument("--under", default="", help="only test files to map, or files to break, below a path")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    asked = parser.parse_args(arguments)
    {"map": measure, "try": attempt}[asked.do](root, asked)


if __name__ == "__main__":
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    main()
