"""The bound on this process's memory, and how much the process and its children hold.

`ATTENTION_LAB_PROCESSES=4 python -m core.memory` says the bound of each of four processes.
"""

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

SETTING = "ATTENTION_LAB_MEMORY"
"""Environment variable that sets the bound of a process, in MB."""

PROCESSES = "ATTENTION_LAB_PROCESSES"
"""Environment variable that says how many processes share the container or the machine."""

LEAST = 800
"""Smallest bound of a process in MB. With few visitors a process holds 500 to 600 MB without results."""

SHARE = 0.8
"""Share of the container's or machine's memory that its processes may take; computations need the rest."""

MB = 2**20

PROC = Path("/proc")
CGROUP = Path("/sys/fs/cgroup")


def memory_limit(environment: Mapping[str, str] = os.environ) -> int | None:
    """Return the bytes that this process and its children may hold, if known; raises ValueError."""
    asked, processes = environment.get(SETTING, ""), environment.get(PROCESSES, "") or "1"
    if not processes.isdecimal() or int(processes) < 1:
        raise ValueError(f"{PROCESSES} must be a whole number from 1 on, got {processes!r}")
    if asked:
        if not asked.isdecimal() or int(asked) < LEAST:
            raise ValueError(f"{SETTING} must be a whole number of MB from {LEAST} on, got {asked!r}")
        return int(asked) * MB
    there = [one for one in (_of_container(), _of_machine("MemTotal")) if one is not None]
    return max(LEAST * MB, int(SHARE * min(there)) // int(processes)) if there else None


def free_memory() -> int | None:
    """Return the bytes free on this machine and in its container, file caches included; None if unknown."""
    return min(
        (one for one in (_of_machine("MemAvailable"), _left_of_container()) if one is not None), default=None
    )


def resident() -> int | None:
    """Return the bytes of memory that this process holds; None if the system does not say."""
    fields = _read(PROC / "self" / "statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else None


def process_tree_bytes(pid: int) -> int:
    """Return the bytes that a process and its descendants hold; shared pages count once."""
    pids = [pid]
    for one in pids:
        pids += _children(one)
    return sum(_proportional(one) for one in pids)


def give_back() -> None:
    """Return freed memory to the system; glibc would keep it for the thread that freed it."""
    with suppress(OSError, AttributeError, TypeError):  # Windows has no C library without a name
        ctypes.CDLL(None).malloc_trim(0)


def _children(pid: int) -> list[int]:
    tasks = [_read(path) for path in (PROC / str(pid) / "task").glob("*/children")]
    return [int(child) for text in tasks for child in text.split()]


def _proportional(pid: int) -> int:
    lines = _read(PROC / str(pid) / "smaps_rollup").splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _of_machine(name: str) -> int | None:
    lines = _read(PROC / "meminfo").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), None)


def _of_container() -> int | None:
    """Return the smallest limit of this process's control groups; None without a limit."""
    limits = [_number(limit) for folder, version in _groups() for limit in [folder / _LIMIT[version]]]
    return min((limit for limit in limits if limit is not None), default=None)


def _left_of_container() -> int | None:
    return min(
        (left for folder, version in _groups() if (left := _left(folder, version)) is not None), default=None
    )


_LIMIT = {1: "memory.limit_in_bytes", 2: "memory.max"}
_USED = {1: "memory.usage_in_bytes", 2: "memory.current"}
_OF_FILES = {1: "total_inactive_file ", 2: "inactive_file "}


def _left(folder: Path, version: int) -> int | None:
    limit, used = _number(folder / _LIMIT[version]), _number(folder / _USED[version])
    if limit is None or used is None:
        return None
    lines = _read(folder / "memory.stat").splitlines()
    return max(
        0, limit - used + sum(int(line.split()[1]) for line in lines if line.startswith(_OF_FILES[version]))
    )


def _groups() -> Iterator[tuple[Path, int]]:
    """Yield the folders of the control groups and their version; inside a container the root is the group."""
    yield from ((CGROUP, 2), (CGROUP / "memory", 1))
    for line in _read(PROC / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        root, version = (CGROUP, 2) if not controllers else (CGROUP / "memory", 1)
        if not controllers or "memory" in controllers.split(","):
            folder = root / path.strip("/")
            yield from ((one, version) for one in (folder, *folder.parents) if one.is_relative_to(root))


def _number(path: Path) -> int | None:
    """Return the number in a file; None if the file is missing or says "max"."""
    text = _read(path).strip()
    return int(text) if text.isdecimal() else None


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, ValueError):
        return ""


if __name__ == "__main__":
    try:
        limit = memory_limit()
    except ValueError as error:
        sys.exit(str(error))
    print("No bound of memory is known." if limit is None else f"A process holds {limit // MB:,} MB at most.")
