"""Restarts a process that is there and does not answer; supervisor itself sees only those that end.

Supervisor starts it, and sends it an event each minute. nginx passes over a process that refuses a
connection, but one that hangs takes the connection: its visitors wait.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable
from xmlrpc.client import ServerProxy

from supervisor import childutils

from deploy.health import answers

PATIENCE = 20
"""Seconds; a process that two hundred visitors ask at once answers after some."""

MISSES = 2
"""Failures in succession before a process is restarted, for its visitors all move to others."""


class Watch:
    """Asks every process that runs, and counts how often each has been silent."""

    def __init__(self, supervisor: ServerProxy, is_well: Callable[[str], bool]) -> None:
        self._supervisor = supervisor
        self._is_well = is_well
        self._missed: Counter[str] = Counter()

    def look(self) -> list[str]:
        """Ask each once, restart those that have been silent too often; the names of these."""
        restarted = []
        for name, address in self._running():
            self._missed[name] = 0 if self._is_well(address) else self._missed[name] + 1
            if self._missed[name] >= MISSES:
                self._missed[name] = 0
                self._supervisor.supervisor.stopProcess(name)
                self._supervisor.supervisor.startProcess(name, False)
                restarted.append(name)
        return restarted

    def _running(self) -> list[tuple[str, str]]:
        processes: list[dict[str, str]] = self._supervisor.supervisor.getAllProcessInfo()  # type: ignore[assignment]
        return [
            (f"{one['group']}:{one['name']}", f"127.0.0.1:{one['name']}")
            for one in processes
            if one["name"].isdecimal() and one["statename"] == "RUNNING"
        ]


def main() -> None:
    """Look whenever supervisor says that a minute has passed, for as long as it runs."""
    watch = Watch(childutils.getRPCInterface(os.environ), lambda address: answers(address, timeout=PATIENCE))
    while True:
        childutils.listener.wait()
        for name in watch.look():
            print(f"{name} did not answer and was restarted", file=sys.stderr, flush=True)
        childutils.listener.ok()


if __name__ == "__main__":
    main()
