"""If new processes cannot take over, they are stopped, and the old ones go on."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from deploy.nginx.configuration import Process, serving, write_upstreams
from deploy.supervisor import restart
from deploy.supervisor.restart import Restart


class Supervisor:
    """A supervisor of the processes 8601, which serves, and 8602, which rests."""

    def __init__(self, started: str) -> None:
        self._started = started
        self.states = {"blue:8601": "RUNNING", "green:8602": "STOPPED"}

    def getAllProcessInfo(self) -> list[dict[str, str]]:  # noqa: N802
        return [dict(zip(("group", "name"), name.split(":"), strict=True)) for name in self.states]

    def getProcessInfo(self, name: str) -> dict[str, str]:  # noqa: N802
        return {"statename": self.states[name]}

    def startProcess(self, name: str, waits: bool) -> None:  # noqa: N802
        self.states[name] = self._started

    def stopProcess(self, name: str) -> None:  # noqa: N802
        self.states[name] = "STOPPED"


def restarted(folder: Path, supervisor: Supervisor) -> str:
    """Return why the processes of a folder could not be exchanged."""
    write_upstreams(folder, [Process("8601", "127.0.0.1:8601")])
    one: Any = Restart(folder, pause=0)
    one._supervisor = supervisor
    with pytest.raises(RuntimeError) as failed:
        one.run()
    assert serving(folder) == ["8601"]
    return str(failed.value)


def test_a_process_that_is_given_up_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restart, "answers", lambda address, **asked: False)
    said = restarted(tmp_path, Supervisor("FATAL"))
    assert said == f"green:8602 does not start: {tmp_path}/8602.log says why; the old ones go on serving"


def test_on_a_full_disk_the_new_processes_are_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*asked: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(restart, "answers", lambda address, **asked: True)
    monkeypatch.setattr(restart, "write_upstreams", full)
    supervisor = Supervisor("RUNNING")
    assert "No space left on device; the old ones go on serving" in restarted(tmp_path, supervisor)
    assert supervisor.states == {"blue:8601": "RUNNING", "green:8602": "STOPPED"}
