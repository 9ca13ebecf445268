"""Restart processes that run but do not answer, and end the server if it cannot serve any more.

Supervisor starts this program, and sends it an event each minute and when it gives up on a process. nginx
skips a process that refuses a connection, but a hanging process accepts it, and visitors wait.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xmlrpc.client import ServerProxy

from supervisor import childutils

from attention_lab.serving import answers
from deploy.supervisor import ENDED

PATIENCE = 20
"""Seconds to wait for an answer; with two hundred visitors at once, a process needs some of them."""

MISSES = 2
"""Failures in succession before a restart, which moves all visitors of the process to others."""


class Watch:
    """Health checks of every running process, with the count of its failures in succession."""

    def __init__(self, supervisor: ServerProxy, is_well: Callable[[str], bool]) -> None:
        self._supervisor = supervisor
        self._is_well = is_well
        self._missed: Counter[str] = Counter()

    def look(self) -> list[str]:
        """Check each process once, restart those with too many failures, and return their names."""
        restarted = []
        for name, address in self._running():
            self._missed[name] = 0 if self._is_well(address) else self._missed[name] + 1
            if self._missed[name] >= MISSES:
                self._missed[name] = 0
                self._supervisor.supervisor.stopProcess(name)
                self._supervisor.supervisor.startProcess(name, False)
                restarted.append(name)
        return restarted

    def given_up(self) -> str:
        """Return the program that supervisor gave up on, if the server needs it; empty otherwise."""
        states = {one["name"]: one["statename"] for one in self._processes()}
        if states.get("nginx") == "FATAL":
            return "nginx"
        processes = {name: state for name, state in states.items() if name.isdecimal()}
        dead = [name for name, state in processes.items() if state == "FATAL"]
        return dead[-1] if dead and set(processes.values()) <= {"FATAL", "STOPPED", "EXITED"} else ""

    def end(self, program: str, folder: Path) -> None:
        """Keep the reason, the last line of the program's log, and end the server."""
        log = folder / f"{program}.log"
        said = log.read_text("utf-8", "replace").strip().splitlines() if log.exists() else []
        name = program if program == "nginx" else f"the process on port {program}, the last one,"
        reason = (
            f"{name} does not start any more, so nobody is served: {said[-1] if said else 'it says nothing'}"
        )
        (folder / ENDED).write_text(f"{reason} (more in {log})", "utf-8")
        self._supervisor.supervisor.shutdown()

    def _processes(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self._supervisor.supervisor.getAllProcessInfo()  # type: ignore[assignment]
        return found

    def _running(self) -> list[tuple[str, str]]:
        return [
            (f"{one['group']}:{one['name']}", f"127.0.0.1:{one['name']}")
            for one in self._processes()
            if one["name"].isdecimal() and one["statename"] == "RUNNING"
        ]


def main() -> None:
    """Check whenever supervisor reports that a minute has passed or that it gives up on a process."""
    watch = Watch(childutils.getRPCInterface(os.environ), lambda address: answers(address, timeout=PATIENCE))
    while True:
        headers, _ = childutils.listener.wait()
        if headers["eventname"] == "PROCESS_STATE_FATAL":
            if program := watch.given_up():
                watch.end(program, Path(os.environ["SERVE_FOLDER"]))
            childutils.listener.ok()
            continue
        for name in watch.look():
            print(f"{name} did not answer and was restarted", file=sys.stderr, flush=True)
        childutils.listener.ok()


if __name__ == "__main__":
    main()
