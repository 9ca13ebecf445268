"""Costs of a process and its descendants, as Linux counts them; elsewhere they are NaN."""

import os
from math import nan
from pathlib import Path

from core.memory import MB, process_tree_bytes

PROC = Path("/proc")


def cpu_milliseconds(pid: int) -> float:
    """Return milliseconds of processor time of the process and its descendants, ended ones included.

    Linux counts hundredths of a second: means over several toggles say more than one.
    """
    if not (PROC / "self" / "stat").exists():
        return nan
    # Time in user and in system mode: of the process, and of its ended children.
    ticks = sum(sum(map(int, fields[11:15])) for one in with_descendants(pid) if (fields := _fields(one)))
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Return the memory of the process and its descendants, which share pages; NaN if it has ended."""
    return process_tree_bytes(pid) / MB or nan


def with_descendants(pid: int) -> list[int]:
    """Return the process and all its descendants; only the process without /proc."""
    parents = {int(one.name): int(fields[1]) for one in PROC.glob("[0-9]*") if (fields := _fields(one.name))}
    found = [pid]
    for one in found:  # grows during the loop
        found.extend(child for child, parent in parents.items() if parent == one)
    return found


def _fields(pid: int | str) -> list[str]:
    """Return the fields in /proc after a process's name, which may contain spaces; empty if it has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def status_bytes(field: str, pid: int | str = "self") -> int:
    """Return what /proc says of a process, such as its resident memory (VmRSS) or the peak of it (VmHWM)."""
    lines = (PROC / str(pid) / "status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))
