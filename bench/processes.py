"""What a process and all that it has started cost, as Linux counts it; elsewhere none of it is a number."""

import os
from math import nan
from pathlib import Path

PROC = Path("/proc")


def cpu_milliseconds(pid: int) -> float:
    """Milliseconds that the process and its descendants have run so far, those that have ended too.

    Linux counts them in hundredths of a second: means over several toggles tell more than one.
    """
    if not (PROC / "self" / "stat").exists():
        return nan
    # Time in user and in system mode: its own, and that of children that have ended.
    ticks = sum(sum(map(int, fields[11:15])) for one in with_descendants(pid) if (fields := _fields(one)))
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Memory of the process and its descendants, where what several share is split between them."""
    return sum(map(_proportional_megabytes, with_descendants(pid)))


def anonymous_megabytes(pid: int) -> float:
    """Memory of the process and its descendants without the files that they map.

    What a process pays for a shared file depends on who else maps it, so it says nothing of a leak.
    """
    return sum(_proportional_megabytes(one, "Pss_Anon:") for one in with_descendants(pid))


def with_descendants(pid: int) -> list[int]:
    """The process and all that it has started, directly or not; itself alone where there is no /proc."""
    parents = {int(one.name): int(fields[1]) for one in PROC.glob("[0-9]*") if (fields := _fields(one.name))}
    found = [pid]
    for one in found:  # grows while it is walked through
        found.extend(child for child, parent in parents.items() if parent == one)
    return found


def _fields(pid: int | str) -> list[str]:
    """What /proc says of a process after its name, which may have spaces in it; nothing once it has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def _proportional_megabytes(pid: int, line: str = "Pss:") -> float:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text("utf-8").splitlines()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return 0.0 if PROC.exists() else nan
    return sum(int(one.split()[1]) for one in lines if one.startswith(line)) / 1024
