"""Breaks the project in a few hundred places, one at a time, and writes down which tests notice.

map         which test executes which line, measured once
try NAME    300 breaks, each up to the first test that notices; --every: and all other tests that do
tell NAME   the rate, what no test noticed, and with --every what each test file adds

All is kept in .breaks/ and taken up where it was left; another name begins anew.
"""

import json
import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from tests.breaks.mapping import KEPT, Map
from tests.breaks.places import ROOT, drawn
from tests.breaks.telling import Results, told
from tests.breaks.trying import Trial

Item, Done = TypeVar("Item"), TypeVar("Done")


def measure(root: Path, asked: Namespace) -> None:
    """Measure the test files below a path that are not measured yet."""
    tests = Map(root)
    files = tests.missing(asked.under)
    for n, (file, failed) in enumerate(_each(tests.measure, files, asked.jobs), 1):
        print(f"{n}/{len(files)} {file}", *(f"failed: {test}" for test in failed), sep="\n  ", flush=True)


def attempt(root: Path, asked: Namespace) -> None:
    """Try the breaks that are drawn and not among the results of that name yet."""
    tests, known = Map(root), {one["key"] for one in _results(root, asked.name)}
    if missing := tests.missing():
        print(f"{len(missing)} test files are not measured and not asked, {missing[0]} the first.")
    left = [one for one in drawn(asked.n, asked.seed, root, asked.under) if one.key not in known]
    chosen = {one: tests.asked(one, asked.seconds) for one in left}
    with TemporaryDirectory() as folder:
        trial = Trial(root, Path(folder), jobs=asked.jobs, every=asked.every)
        noticed = _each(lambda one: trial.noticed(one, chosen[one][0], asked.seconds), left, asked.jobs)
        for n, (one, by) in enumerate(noticed, 1):
            place = {"key": one.key, "file": one.file, "line": one.lines.start, "kind": one.kind}
            change = {"before": one.before, "after": one.after}
            found = {
                "noticed": by,
                "every": asked.every,
                "asked": len(chosen[one][0]),
                "more": chosen[one][1],
            }
            with (root / KEPT / f"{asked.name}.jsonl").open("a", encoding="utf-8") as results:
                print(json.dumps(place | change | found, ensure_ascii=False), file=results)
            print(f"{n}/{len(left)} {one.file}:{one.lines.start}", *by[:1], flush=True)
        for test in sorted(trial.unsound):
            print(f"Not counted, for it fails in an unbroken copy too: {test}")


def _each(work: Callable[[Item], Done], items: list[Item], jobs: int) -> Iterator[tuple[Item, Done]]:
    """Each item and what came of it, as soon as it is there; who interrupts waits for those begun alone."""
    with ThreadPoolExecutor(jobs) as several:
        begun = {several.submit(work, item): item for item in items}
        try:
            for done in as_completed(begun):
                yield begun[done], done.result()
        finally:
            several.shutdown(cancel_futures=True)


def _results(root: Path, name: str) -> Results:
    path = root / KEPT / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def tell(root: Path, asked: Namespace) -> None:
    """Say what the results of that name come to."""
    print(*told(_results(root, asked.name), Map(root).seconds), sep="\n")


def main(arguments: list[str] | None = None, root: Path = ROOT) -> None:
    """Do what the command line asks for."""
    parser = ArgumentParser("tests.breaks", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["map", "try", "tell"])
    parser.add_argument("name", nargs="?", default="breaks", help="what the results are kept under")
    parser.add_argument("-n", type=int, default=300, help="breaks in all folders together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=12, help="of tests that are asked about a break")
    parser.add_argument("--under", default="", help="only test files to map, or files to break, below a path")
    parser.add_argument("--every", action="store_true", help="go on after the first test that notices")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    asked = parser.parse_args(arguments)
    {"map": measure, "try": attempt, "tell": tell}[asked.do](root, asked)


if __name__ == "__main__":
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    main()
