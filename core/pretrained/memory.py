"""How much memory a process can still have."""

from pathlib import Path

_MACHINE = Path("/proc/meminfo")
_LIMIT, _USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
_CACHED = Path("/sys/fs/cgroup/memory.stat")


def free_memory() -> int | None:
    """Bytes that are free on this machine, and within the limit that it sets us; None where it does not say.

    What it keeps of files in memory counts as free, for it gives that up first.
    """
    said = [one for one in (_of_machine(), _within_limit()) if one is not None]
    return min(said, default=None)


def _of_machine() -> int | None:
    for line in _lines(_MACHINE):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _within_limit() -> int | None:
    limit, used = "".join(_lines(_LIMIT)), "".join(_lines(_USED))
    if not (limit.isdecimal() and used.isdecimal()):  # "max" is no limit
        return None
    of_files = [int(line.split()[1]) for line in _lines(_CACHED) if line.startswith("inactive_file ")]
    return max(0, int(limit) - int(used) + sum(of_files))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii").splitlines()
    except OSError:
        return []
