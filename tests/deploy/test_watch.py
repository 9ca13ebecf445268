"""A hanging process is restarted; a slow or a stopped process is left alone."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

from deploy.supervisor import ENDED
from deploy.supervisor.watch import Watch
from tests.covering import each


def supervisor(*processes: tuple[str, str, str]) -> Any:
    """Return a supervisor with these processes, each with its group, its name and its state."""
    made = Mock()
    made.supervisor.getAllProcessInfo.return_value = [
        {"group": group, "name": name, "statename": state} for group, name, state in processes
    ]
    return made


def test_a_process_that_is_silent_twice_in_succession_is_started_again() -> None:
    ours = supervisor(("blue", "7013", "RUNNING"), ("blue", "7019", "RUNNING"))
    watch = Watch(ours, lambda address: address != "127.0.0.1:7019")
    assert watch.look() == []
    assert watch.look() == ["blue:7019"]
    assert ours.supervisor.stopProcess.call_args_list == [(("blue:7019",),)]
    assert ours.supervisor.startProcess.call_args_list == [(("blue:7019", False),)]


def test_a_restarted_process_has_as_much_time_as_before() -> None:
    watch = Watch(supervisor(("blue", "7013", "RUNNING")), lambda address: False)
    assert [watch.look() for _ in range(5)] == [[], ["blue:7013"], [], ["blue:7013"], []]


def test_an_answer_resets_the_count() -> None:
    answers = iter([False, True, False, True])
    watch = Watch(supervisor(("green", "7013", "RUNNING")), lambda address: next(answers))
    assert [watch.look() for _ in range(4)] == [[], [], [], []]


def test_only_running_processes_of_the_app_are_checked() -> None:
    ours = supervisor(
        ("nginx", "nginx", "RUNNING"), ("blue", "7013", "STOPPED"), ("blue", "7019", "STARTING")
    )
    asked: list[str] = []
    Watch(ours, lambda address: bool(asked.append(address))).look()
    assert asked == []


ALIVE, RESTING = ("blue", "7013", "RUNNING"), ("green", "7019", "STOPPED")


@each(
    ("processes", "expected"),
    [
        ([("nginx", "nginx", "FATAL"), ALIVE, RESTING], "nginx"),
        ([("nginx", "nginx", "RUNNING"), ("blue", "7013", "FATAL"), RESTING], "7013"),
        ([("nginx", "nginx", "RUNNING"), ("blue", "7013", "FATAL"), ("blue", "7014", "BACKOFF")], ""),
        ([("nginx", "nginx", "RUNNING"), ALIVE, ("green", "7019", "FATAL")], ""),
        ([("nginx", "nginx", "RUNNING"), ALIVE, RESTING], ""),
    ],
)
def test_the_server_needs_nginx_and_one_process(processes: list[tuple[str, str, str]], expected: str) -> None:
    assert Watch(supervisor(*processes), lambda address: True).given_up() == expected


def test_the_reason_of_the_end_has_the_last_line_of_the_program(tmp_path: Path) -> None:
    ours = supervisor()
    (tmp_path / "7013.log").write_text("first\nImportError: no torch\n\n", "utf-8")
    Watch(ours, lambda address: True).end("7013", tmp_path)
    ours.supervisor.shutdown.assert_called_once_with()
    said = (tmp_path / ENDED).read_text("utf-8")
    assert said.startswith("the process on port 7013, the last one, does not start any more")
    assert "ImportError: no torch" in said
