"""What breaks say of the tests: the rate noticed, what none noticed, and what each test file adds."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.breaks.mapping import file_of

Results = list[dict[str, Any]]


def told(results: Results, seconds: Mapping[str, float]) -> Iterator[str]:
    """The report, line by line; `seconds` is the time that each test takes."""
    groups = {str(Path(one["file"]).parent): [] for one in results} | {"in all": results}
    for one in results:
        groups[str(Path(one["file"]).parent)].append(one)
    for folder, tried in groups.items():
        n = sum(bool(one["noticed"]) for one in tried)
        yield f"{n:4} of {len(tried):3} {n / max(len(tried), 1):5.0%}  {folder}"
    yield "\nNot noticed:"
    for one in results:
        if not one["noticed"]:
            before, after = (" ".join(one[side].split())[:70] for side in ("before", "after"))
            tests = (
                f"{one['asked']} of {one['asked'] + one['more']} tests" if one["asked"] else "no test there"
            )
            yield f"{one['file']}:{one['line']}  {before}  →  {after}  ({tests})"
    if all(one["every"] for one in results):
        yield from _files(results, seconds)


def _files(results: Results, seconds: Mapping[str, float]) -> Iterator[str]:
    """Each test file with the breaks it notices, those only it does, its seconds; first what can best go."""
    noticing = [{file_of(test) for test in one["noticed"]} for one in results]
    noticed = Counter(file for files in noticing for file in files)
    alone = Counter(file for files in noticing if len(files) == 1 for file in files)
    taken: Counter[str] = Counter()
    for test, time in seconds.items():
        taken[file_of(test)] += time
    yield "\nNotices, of these alone, seconds:"
    for file in sorted(taken, key=lambda file: (alone[file], -taken[file])):
        yield f"{noticed[file]:4} {alone[file]:4} {taken[file]:6.1f}  {file}"
