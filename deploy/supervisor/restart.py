"""Replace the serving processes without downtime: `python -m deploy.supervisor.restart`.

New processes start beside the old ones. When all of them answer, nginx leads all visitors to them, and the
old ones stop one after another. Their pages reload on a new process, with the state of their links. Each page
moves once, and the new processes get equally many. If a new process does not answer, the old ones go on
serving, and no visitor notices.
"""

import argparse
import http.client
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xmlrpc.client import ServerProxy

from supervisor.xmlrpc import SupervisorTransport

from attention_lab.serving import answers
from deploy.health import is_supervised, wait_until
from deploy.nginx.configuration import Process, serving, write_upstreams
from deploy.serve import folder_of

LONGEST_START = 180
"""Seconds until a new process must answer; loading torch takes twenty on a busy machine."""

PAUSE = 3
"""Seconds between the stops of two old processes, so that the pages of one are back before the next."""


class Restart:
    """One replacement of all processes, on the server with its files in `folder`."""

    def __init__(self, folder: Path, *, pause: float = PAUSE) -> None:
        transport = SupervisorTransport("", "", f"unix://{folder / 'supervisor.sock'}")
        self._supervisor: Any = ServerProxy("http://127.0.0.1", transport).supervisor
        self._folder = folder
        self._pause = pause

    def run(self) -> None:
        """Replace them. Raises RuntimeError if the new ones do not answer; the old ones go on."""
        old, new = self._colours()
        for process in new:
            self._begin(process, new)
        try:
            write_upstreams(self._folder, [Process(name, f"127.0.0.1:{name}") for name in map(_port, new)])
        except OSError as error:  # a full disk
            self._end_all(new)
            raise RuntimeError(
                f"nginx cannot be switched to them: {error.strerror}; the old ones go on serving"
            ) from error
        self._supervisor.signalProcess("nginx", "HUP")
        if not wait_until(lambda: self._nginx_leads_to(new), seconds=10):
            raise RuntimeError(
                "nginx did not take the new processes; its log says why, and all processes go on"
            )
        for process in old:
            print(f"stopping {process}", flush=True)
            self._supervisor.stopProcess(process)
            time.sleep(self._pause)

    def _colours(self) -> tuple[list[str], list[str]]:
        """Return the processes that nginx leads visitors to, and the stopped ones, as group:port."""
        names = [f"{one['group']}:{one['name']}" for one in self._supervisor.getAllProcessInfo()]
        processes = sorted(name for name in names if _port(name).isdecimal())
        now = serving(self._folder)
        return [one for one in processes if _port(one) in now], [
            one for one in processes if _port(one) not in now
        ]

    def _begin(self, process: str, new: Sequence[str]) -> None:
        print(f"starting {process}", flush=True)
        self._end(process)
        self._supervisor.startProcess(process, False)
        address = f"127.0.0.1:{_port(process)}"
        if not wait_until(
            lambda: answers(address, timeout=5) or self._is_given_up(process), seconds=LONGEST_START
        ):
            reason = f"gave no answer in {LONGEST_START} s"
        elif self._is_given_up(process):
            reason = f"does not start: {self._folder / _port(process)}.log says why"
        else:
            return
        self._end_all(new)
        raise RuntimeError(f"{process} {reason}; the old ones go on serving")

    def _is_given_up(self, process: str) -> bool:
        return bool(self._supervisor.getProcessInfo(process)["statename"] == "FATAL")

    def _end_all(self, processes: Sequence[str]) -> None:
        for one in processes:
            self._end(one)

    def _end(self, process: str) -> None:
        """Stop a process if it runs, such as one left over from an interrupted replacement."""
        if self._supervisor.getProcessInfo(process)["statename"] in ("RUNNING", "STARTING", "BACKOFF"):
            self._supervisor.stopProcess(process)

    def _nginx_leads_to(self, new: Sequence[str]) -> bool:
        return _ask(self._folder / "status.sock", "/serving").split() == [_port(one) for one in new]


def _port(process: str) -> str:
    return process.rpartition(":")[2]


def _ask(path: Path, what: str) -> str:
    """Return nginx's answer on its socket for this host."""
    connection = http.client.HTTPConnection("localhost", timeout=5)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(str(path))
    try:
        connection.request("GET", what)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def main() -> None:
    """Replace the processes of the server on a port."""
    parser = argparse.ArgumentParser(prog="python -m deploy.supervisor.restart", description=__doc__)
    parser.add_argument("--port", type=int, default=8501, help="where nginx listens")
    folder = folder_of(parser.parse_args().port)
    if not is_supervised(folder):
        sys.exit(f"nothing is serving here: no process listens at {folder / 'supervisor.sock'}")
    try:
        Restart(folder).run()
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
