"""Results of Locust and costs of a server as Markdown tables."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Load:
    """Users who were put in front of a server, and how it went.

    `stats` are Locust's entries. Processor time is in cores, memory in MB: before anybody came, and before
    everybody left. `n_kept` is how many answers the room has.
    """

    users: str
    n_users: int
    n_processes: int
    n_cores: int
    stats: Sequence[dict[str, Any]]
    seconds: float
    cores: float
    cores_generator: float
    megabytes_before: float
    megabytes_after: float
    n_kept: int = 0


def waits(load: Load) -> list[dict[str, str]]:
    """Return a line for each kind of act, and before them one for all acts of students on a page."""
    acts = [one for one in load.stats if one["method"] == "act"]
    named = sorted(((one["name"], [one]) for one in load.stats if one["num_requests"]), key=itemgetter(0))
    return [_line(load, name, entries) for name, entries in [("all acts", acts)] * bool(acts) + named]


def _line(load: Load, name: str, entries: Sequence[dict[str, Any]]) -> dict[str, str]:
    times, n = Counter[int](), sum(one["num_requests"] for one in entries)
    for one in entries:
        times.update({int(float(time)): n for time, n in one["response_times"].items()})
    return {
        load.users: str(load.n_users),
        "processes": str(load.n_processes),
        "measured": name,
        "times": f"{n:,}",
        "a second": f"{n / load.seconds:.1f}",
        "median ms": _percentile(times, 0.5),
        "95th percentile": _percentile(times, 0.95),
        "largest": _percentile(times, 1),
        "failed": str(sum(one["num_failures"] for one in entries)),
    }


def _percentile(times: Counter[int], share: float) -> str:
    """Return the smallest time that this share of all does not exceed; Locust rounds times to two digits."""
    left = share * times.total()
    for time in sorted(times):
        left -= times[time]
        if left <= 1e-9:
            return f"{time:,}"
    return "–"


def costs(load: Load) -> dict[str, str]:
    """Return the line of a server: what its users cost."""
    n_acts = sum(one["num_requests"] for one in load.stats if one["method"] in ("act", "room"))
    line = {
        load.users: str(load.n_users),
        "per server core": f"{load.n_users / load.n_cores:g}",
        "processes": str(load.n_processes),
        "server cores": f"{load.cores:.2f} of {load.n_cores}",
        "ms of a core per act": f"{1000 * load.cores * load.seconds / max(n_acts, 1):.0f}",
        "generator cores": f"{load.cores_generator:.2f}",
    }
    if load.users == "phones":  # if a process was killed, memory says nothing
        return line | {"answers kept": f"{load.n_kept} of {load.n_users}"}
    each = (load.megabytes_after - load.megabytes_before) / load.n_users
    return line | {"memory MB": f"{load.megabytes_after:,.0f}", "MB each": f"{each:.1f}"}


def table(rows: Iterable[dict[str, str]]) -> str:
    """Return rows of the same columns as a Markdown table."""
    rows = list(rows)
    lines = [list(rows[0]), ["---:"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
