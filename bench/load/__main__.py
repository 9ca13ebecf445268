"""Put students, phones or trainings in front of a server of this machine, and print how it goes.

`make load SESSIONS="25 50" ACTING=60 WORKERS=2`. More options go to Locust, such as `--html report.html`.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from bench.processes import cpu_milliseconds, megabytes
from bench.tables import table
from rooms.hosting import ask_question
from rooms.shared_store import PLACE
from rooms.sqlite_store import SqliteStore
from tests.browser import chromium
from tests.browser.fleet import Fleet, sailing
from tests.browser.server import ROOT, Server, serving
from tests.browser.visitor import Visitor
from words import counted

USERS = {
    "sessions": ("Student", "A class"),
    "phones": ("Phone", "Phones in a room"),
    "trainings": ("Trainee", "Trainings"),
}
"""Classes of `users.py`, and titles of their reports, by option."""
REPORTS = ROOT / "bench" / "reports"
OPENING = 30
"""Seconds in which all students come; then they act."""
ENTERING, HALL = 10, 26
"""Seconds in which all phones come; and in which they also answer and look whether their answers are kept."""
KILLED = 18
"""Seconds after which one of several processes is killed: while the phones answer."""
LATEST = 60
"""Seconds that the last answers may take."""
QUESTION = {
    "kind": "sketch",
    "solution": "",
    "text": "Draw the row.",
    "labels": ["the", "chef", "ran"],
    "right": [1 / 3] * 3,
    "because": "",
    "shares": True,
    "largest": 1.0,
    "unit": "",
    "are_whole": False,
}


Line = dict[str, str]
"""A row of a table, by the titles of its columns."""


def main() -> None:
    """Measure each number of users in front of a separate server, and print tables of all."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__, allow_abbrev=False)
    for users, (name, _) in USERS.items():
        parser.add_argument(f"--{users}", type=int, nargs="*", default=[], help=f"numbers of {name}s")
    parser.add_argument("--acting", type=int, default=60, help="seconds in which students act or train")
    parser.add_argument("--workers", type=int, default=1, help="processes of the server, as in make serve")
    parser.add_argument("--base", default="", help="base path, such as /lab")
    parser.add_argument("--report", action="store_true", help="write a report for each kind of users")
    asked, locust = parser.parse_known_args()
    for users, (_, title) in USERS.items():
        measured = [_measured(users, n_users, asked, locust) for n_users in getattr(asked, users)]
        if measured:
            tables = [line for lines, _ in measured for line in lines], [costs for _, costs in measured]
            said = "\n".join(table(tuple(rows[0]), (tuple(row.values()) for row in rows)) for rows in tables)
            print(f"\n{said}", flush=True)
            if asked.report:
                text = f"# {title}\n\n{_about(asked, locust, users)}\n\n{said}"
                (REPORTS / f"{users}.md").write_text(text, "utf-8")


def _about(asked: argparse.Namespace, options: Sequence[str], users: str) -> str:
    """Return a sentence on how the users were measured."""
    of_server, of_generator = _cores()
    counts = " ".join(map(str, getattr(asked, users)))
    command = f"--{users} {counts} --acting {asked.acting} --workers {asked.workers} {' '.join(options)}"
    where = f"The server had {counted(len(of_server), 'core')} and the generator another."
    shared = "Server and generator shared all cores."
    return f"`python -m bench.load {command.strip()}`. {where if of_generator else shared}"


def _measured(
    users: str, n_users: int, asked: argparse.Namespace, options: Sequence[str]
) -> tuple[list[Line], Line]:
    """Start a server, let the users come, and return a line for each kind of act, and one of the costs.

    Raises RuntimeError if the generator fails.
    """
    of_server, of_generator = _cores()
    are_phones = users == "phones"
    opening, seconds = (ENTERING, HALL) if are_phones else (OPENING, OPENING + asked.acting)
    with (
        tempfile.TemporaryDirectory() as folder,
        _served(asked, Path(folder, "rooms.sqlite"), of_server) as server,
        _pinned(of_generator),
    ):
        store = SqliteStore(Path(folder, "rooms.sqlite"))
        room, pid = ask_question(store, QUESTION, about="", settings={}), server.process.pid
        Path(folder, "files").write_text("" if are_phones else "\n".join(_requested(server)), "utf-8")
        given = {
            "locustfile": Path(__file__).with_name("users.py"),
            "host": server.address,
            "users": n_users,
            "spawn-rate": n_users / opening,
            "run-time": f"{seconds}s",
            "stop-timeout": LATEST,
            "json-file": Path(folder, "stats"),
            "files": Path(folder, "files"),
            "room": room.code,
            "exit-code-on-error": 0,
            "loglevel": "WARNING",
        }
        command = [sys.executable, "-m", "locust", "--headless", "--only-summary"]
        command += [*(f"--{name}={value}" for name, value in given.items()), *options, USERS[users][0]]
        cpu, before, begun = cpu_milliseconds(pid), megabytes(pid), time.perf_counter()
        with subprocess.Popen(command, cwd=ROOT) as locust:
            try:
                if are_phones and isinstance(server, Fleet):
                    time.sleep(KILLED)
                    os.kill(server.pid_of(server.serving()[0]), signal.SIGKILL)
                time.sleep(begun + seconds - 1 - time.perf_counter())
                after, cpu_generator = megabytes(pid), cpu_milliseconds(locust.pid)
                if locust.wait(timeout=2 * LATEST):
                    raise RuntimeError("the generator has failed; it says why above")
            finally:
                locust.kill()
        took = time.perf_counter() - begun
        stats = json.loads(Path(folder, "stats.json").read_text("utf-8"))
        cores, n_cores = (cpu_milliseconds(pid) - cpu) / 1000 / took, len(of_server) or os.cpu_count() or 1
        n_kept = store.count(room.code, 1)
    who = {"students" if users == "sessions" else users: f"{n_users}"}
    n_acts = sum(one["num_requests"] for one in stats if one["method"] in ("act", "room"))
    costs = who | {
        "per server core": f"{n_users / n_cores:g}",
        "processes": f"{asked.workers}",
        "server cores": f"{cores:.2f} of {n_cores}",
        "ms of a core per act": f"{1000 * cores * took / max(n_acts, 1):.0f}",
        "generator cores": f"{cpu_generator / 1000 / seconds:.2f}",
    }
    if are_phones:  # if a process was killed, memory says nothing
        costs |= {"answers kept": f"{n_kept} of {n_users}"}
    else:
        costs |= {"memory MB": f"{after:,.0f}", "MB each": f"{(after - before) / n_users:.1f}"}
    return [who | {"processes": f"{asked.workers}"} | line for line in waits(stats, took)], costs


def waits(stats: Sequence[dict[str, Any]], seconds: float) -> list[Line]:
    """Return a line for all acts on a page, then one for each kind of act, from Locust's entries."""
    acts = [one for one in stats if one["method"] == "act"]
    named = sorted(((one["name"], [one]) for one in stats if one["num_requests"]), key=itemgetter(0))
    return [_wait(name, entries, seconds) for name, entries in [("all acts", acts)] * bool(acts) + named]


def _wait(name: str, entries: Sequence[dict[str, Any]], seconds: float) -> Line:
    times, n = Counter[int](), sum(one["num_requests"] for one in entries)
    for one in entries:
        times.update({int(float(rounded)): n for rounded, n in one["response_times"].items()})
    return {
        "measured": name,
        "times": f"{n:,}",
        "a second": f"{n / seconds:.1f}",
        "median ms": _percentile(times, 0.5),
        "95th percentile": _percentile(times, 0.95),
        "largest": _percentile(times, 1),
        "failed": str(sum(one["num_failures"] for one in entries)),
    }


def _percentile(times: Counter[int], share: float) -> str:
    """Return the smallest time that this share of all does not exceed; Locust rounds times to two digits."""
    left = share * times.total()
    for milliseconds in sorted(times):
        left -= times[milliseconds]
        if left <= 1e-9:
            return f"{milliseconds:,}"
    return "–"


def _requested(server: Server | Fleet) -> list[str]:
    """Return the paths of files that a browser fetches on its first visit; none without Chromium."""
    path, urls = chromium.find(), list[str]()
    if path is not None:
        with chromium.launched(path) as browser:
            visitor = Visitor(browser, server, theme="light", viewport=(1400, 900))
            visitor.page.on("request", lambda request: urls.append(request.url))
            visitor.open("/explorer")
            visitor.leave()
    paths = [url.removeprefix(server.address) for url in urls if url.startswith(server.address)]
    return [path for path in paths if path.startswith("/static/") or path.endswith(".png")]


def _cores() -> tuple[set[int], set[int]]:
    """Return the cores of the server and of the generator; no cores if the system cannot pin processes."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (set(cores[:-1]), {cores[-1]}) if len(cores) > 1 else (set(), set())


@contextmanager
def _pinned(cores: set[int]) -> Iterator[None]:
    """Keep what is started meanwhile on these cores, if there are any."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def _served(asked: argparse.Namespace, rooms: Path, cores: set[int]) -> Iterator[Server | Fleet]:
    """Yield the app in one process, or in several behind nginx, on these cores."""
    os.environ[PLACE] = str(rooms)
    several = asked.workers > 1
    with (
        _pinned(cores),
        sailing(asked.workers, asked.base) if several else serving(base=asked.base) as server,
    ):
        yield server


if __name__ == "__main__":
    main()
