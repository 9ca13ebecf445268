"""What the processes of a server cost: its own and those it has started."""

import os
from pathlib import Path

from bench.cpu import cpu_milliseconds

PROC = Path("/proc")


def with_descendants(pid: int) -> list[int]:
    """The process and all that it has started, directly or not; itself alone where there is no /proc."""
    parents = {}
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
        except OSError:  # ended while it was looked at
            continue
        parents[int(stat.parent.name)] = int(fields[1])
    found = [pid]
    for one in found:  # grows while it is walked through
        found.extend(child for child, parent in parents.items() if parent == one)
    return found


class Processes:
    """A server by the process that has started it all, read again for each question."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._ended = 0.0
        self._last: dict[int, float] = {}

    def cpu(self) -> float:
        """Milliseconds of processor time so far; what has ended since the last question is still counted."""
        now = {pid: milliseconds for pid in self._alive() if (milliseconds := _cpu(pid)) is not None}
        self._ended += sum(spent for pid, spent in self._last.items() if pid not in now)
        self._last = now
        return self._ended + sum(now.values())

    def megabytes(self) -> float:
        """Memory that only these processes have, what several share split between them."""
        return sum(_megabytes(pid) for pid in self._alive())

    def _alive(self) -> list[int]:
        return with_descendants(self.pid)


def _cpu(pid: int) -> float | None:
    try:
        return cpu_milliseconds(pid)
    except OSError:
        return None


def _megabytes(pid: int) -> float:
    """The proportional set size where Linux tells it, or else the pages that are in memory."""
    try:
        text = (PROC / str(pid) / "smaps_rollup").read_text("utf-8")
        return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024
    except OSError:
        return _resident(pid)


def _resident(pid: int) -> float:
    try:
        pages = int((PROC / str(pid) / "statm").read_text("utf-8").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
