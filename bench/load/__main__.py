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
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.load.report import Load, costs, table, waits
from bench.processes import cpu_milliseconds, megabytes
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each number of users in front of a separate server, and print tables of all."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__, allow_abbrev=False)
    for users, (name, _) in USERS.items():
        parser.add_argument(f"--{users}", type=int, nargs="*", default=[], help=f"numbers of {name}s")
    parser.add_argument("--acting", type=int, default=60, help="seconds in which students act or train")
    parser.add_argument("--workers", type=int, default=1, help="processes of the server, as in make serve")
    parser.add_argument("--base", default="", help="base path, such as /lab")
    parser.add_argument("--report", action="store_true", help="write a report for each kind of users")
    asked, locust = parser.parse_known_args(arguments)
    for users, (_, title) in USERS.items():
        loads = [_measured(users, n_users, asked, locust) for n_users in getattr(asked, users)]
        if loads:
            lines = [line for load in loads for line in waits(load)]
            said = f"{table(lines)}\n{table(map(costs, loads))}"
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


def _measured(users: str, n_users: int, asked: argparse.Namespace, options: Sequence[str]) -> Load:
    """Start a server, let the users come, and measure both. Raises RuntimeError if the generator fails."""
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
        return Load(
            users="students" if users == "sessions" else users,
            n_users=n_users,
            n_processes=asked.workers,
            n_cores=len(of_server) or os.cpu_count() or 1,
            stats=json.loads(Path(folder, "stats.json").read_text("utf-8")),
            seconds=took,
            cores=(cpu_milliseconds(pid) - cpu) / 1000 / took,
            cores_generator=cpu_generator / 1000 / seconds,
            megabytes_before=before,
            megabytes_after=after,
            n_kept=store.count(room.code, 1),
        )


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
    with ExitStack() as stack:
        with _pinned(cores):
            server: Server | Fleet
            if asked.workers > 1:
                server = stack.enter_context(sailing(asked.workers, asked.base))
            else:
                server = stack.enter_context(serving(base=asked.base))
        yield server


if __name__ == "__main__":
    main()
