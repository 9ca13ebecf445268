"""Breaks the project in a few hundred places, one at a time, and says which test notices which.

map  which test executes which line, measured once for each version of a test file
try  300 breaks: the matrix of what notices what, the tests that alone notice one, and what no test noticed
"""

import json
import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TypeVar

from tests.breaks.mapping import KEPT, Map
from tests.breaks.places import ROOT, Break, drawn
from tests.breaks.running import HANGS, Copy, has_failed

Item, Done = TypeVar("Item"), TypeVar("Done")

SLACK = 120
"""Seconds beside those that tests took when they were measured: for imports, and on a busy machine."""

MATRIX = f"{KEPT}/matrix.jsonl"
"""The file to which `try` writes each break with the tests that notice it."""


def measure(root: Path, asked: Namespace) -> None:
    """Measure the test files below a path that are not measured yet."""
    tests = Map(root)
    files = tests.missing(asked.under)
    for n, (file, failed) in enumerate(_each(tests.measure, files, root, asked.jobs), 1):
        print(f"{n}/{len(files)} {file}", *(f"failed: {test}" for test in failed), sep="\n  ", flush=True)


def attempt(root: Path, asked: Namespace) -> None:
    """Try the breaks that are drawn, write which tests notice each, and say what none noticed."""
    tests = Map(root)
    if missing := tests.missing():
        print(f"{len(missing)} test files are not measured and not asked, {missing[0]} the first.")
    chosen = {one: tests.asked(one, asked.seconds) for one in drawn(asked.n, asked.seed, root, asked.under)}

    def noticing(one: Break, copy: Copy) -> list[str]:
        if not chosen[one][0]:
            return []
        with copy.broken(one):
            steps = copy.run(chosen[one][0], *HANGS, patience=asked.seconds + SLACK)
        return [test for test in steps if has_failed(steps[test])] if steps else ["no test begins"]

    by: dict[Break, list[str]] = {}
    matrix = root / (asked.matrix or MATRIX)
    matrix.parent.mkdir(parents=True, exist_ok=True)
    with matrix.open("w", encoding="utf-8", buffering=1) as written:
        for n, (one, found) in enumerate(_each(noticing, list(chosen), root, asked.jobs), 1):
            by[one] = found
            print(json.dumps([str(one), found]), file=written)
            first = f"{found[0]} of {len(found)}" if found else ""
            print(f"{n}/{len(chosen)} {one.file}:{one.lines.start}", first, flush=True)
    print(*told(by, {one: (len(some), more) for one, (some, more) in chosen.items()}), sep="\n")
    if asked.before:
        print(*no_longer(by, root / asked.before), sep="\n")


def told(by: dict[Break, list[str]], asked: dict[Break, tuple[int, int]]) -> Iterator[str]:
    """Yield for each folder how many breaks were noticed, how many by one test alone, and the others."""
    tried = Counter(str(Path(one.file).parent) for one in by)
    noticed = Counter(str(Path(one.file).parent) for one, found in by.items() if found)
    for folder, n in [*sorted(tried.items()), ("in all", len(by))]:
        n_noticed = noticed.total() if folder == "in all" else noticed[folder]
        yield f"{n_noticed:4} of {n:3} {n_noticed / max(n, 1):5.0%}  {folder}"
    yield f"{sum(len(found) == 1 for found in by.values()):4} by one test alone"
    yield "\nNot noticed:"
    for one in sorted((one for one in by if not by[one]), key=lambda one: (one.file, one.lines.start)):
        n, more = asked[one]
        yield f"{one}  ({f'{n} of {n + more} tests' if n else 'no test there'})"


def no_longer(by: dict[Break, list[str]], before: Path) -> Iterator[str]:
    """Yield the breaks that an earlier matrix has as noticed, and that are not noticed any more."""
    found = {str(one): tests for one, tests in by.items()}
    yield "\nNo longer noticed:"
    for one, tests in map(json.loads, before.read_text("utf-8").splitlines()):
        if tests and found.get(one) == []:
            yield f"{one}  (before: {tests[0]}, of {len(tests)})"


def _each(
    work: Callable[[Item, Copy], Done], items: list[Item], root: Path, jobs: int
) -> Iterator[tuple[Item, Done]]:
    """Yield each item with its result from one of several copies, as soon as it is done."""
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
    parser.add_argument("--matrix", help=f"the file that `try` writes, {MATRIX} unless told")
    parser.add_argument("--before", help="an earlier one: what is noticed no longer is said")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    asked = parser.parse_args(arguments)
    {"map": measure, "try": attempt}[asked.do](root, asked)


if __name__ == "__main__":
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    main()
