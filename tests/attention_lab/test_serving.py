"""`python -m attention_lab serve`: the settings it hands on, and its sentences when it cannot serve."""

import os
import runpy
import socket
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from attention_lab import __main__ as commands
from attention_lab import serving
from tests.covering import each
from tests.ports import free_ports

ROOT = Path(__file__).parents[2]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The modules that are run in place of the app; no model is fetched."""
    modules: list[str] = []
    monkeypatch.setattr(runpy, "run_module", lambda name, **asked: modules.append(name))
    monkeypatch.setattr(serving, "fetch_missing", lambda: None)
    monkeypatch.setattr(sys, "argv", ["attention_lab", "serve"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    for name in serving.settings("localhost", 1):
        monkeypatch.setenv(name, "")
    return modules


def test_the_app_starts_with_the_settings_asked_for(started: list[str]) -> None:
    port = free_ports(1)
    asked = ["--port", str(port), "--host", "127.0.0.1", "--base", "lab/", "--watch", "auto"]
    assert commands.main(["serve", *asked]) == 0
    assert started == ["streamlit"]
    assert sys.argv == ["streamlit", "run", str(ROOT / "app.py")]
    assert Path.cwd() == ROOT, "Streamlit reads .streamlit/config.toml of the current folder"
    told = {name: os.environ[name] for name in serving.settings("localhost", 1)}
    assert told == {
        "STREAMLIT_SERVER_PORT": str(port),
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
        "STREAMLIT_SERVER_BASE_URL_PATH": "/lab",
        "STREAMLIT_SERVER_FILE_WATCHER_TYPE": "auto",
        "STREAMLIT_BROWSER_SERVER_ADDRESS": "127.0.0.1",
    }


def test_an_address_for_phones_is_printed_if_the_app_is_open_to_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "machine_address", lambda: "192.0.2.7")
    assert serving.settings("0.0.0.0", 1)["STREAMLIT_BROWSER_SERVER_ADDRESS"] == "192.0.2.7"
    assert serving.settings("::1", 1)["STREAMLIT_BROWSER_SERVER_ADDRESS"] == "[::1]"
    monkeypatch.setattr(serving, "machine_address", lambda: "")
    assert serving.settings("0.0.0.0", 1)["STREAMLIT_BROWSER_SERVER_ADDRESS"] == "localhost"


def test_a_taken_port_and_an_unknown_host_have_a_sentence(
    started: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert commands.main(["serve", "--host", "127.0.0.1", "--port", str(port)]) == 1
    assert f"Port {port} of 127.0.0.1 is taken" in capsys.readouterr().err
    assert commands.main(["serve", "--host", "no.such.host.invalid"]) == 1
    assert "no address no.such.host.invalid" in capsys.readouterr().err
    assert commands.main(["serve", "--host", "192.0.2.5"]) == 1
    assert "no address 192.0.2.5" in capsys.readouterr().err
    assert started == []


def test_a_port_that_needs_rights_is_not_called_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **more: object) -> None:
        raise PermissionError

    monkeypatch.setattr(socket, "create_server", refuse)
    assert serving.why_not("localhost", 80) == serving.NOT_ALLOWED.format(80, "localhost")


@each("text", ["0", "65536", "a"])
def test_a_port_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"expected 1 to 65535, got {text}"):
        serving.port(text)


@each("text", ["/a b", "/lab;", "/../etc", "/a//b"])
def test_a_base_path_that_an_address_would_change_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="expected a path such as /lab"):
        serving.base(text)


def test_missing_models_are_fetched_at_every_start_and_a_failure_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "ROOT", tmp_path)
    fetched: list[list[str]] = []

    def fail(command: list[str], **asked: object) -> subprocess.CompletedProcess[str]:
        fetched.append(command)
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", fail)
    serving.fetch_missing()
    serving.fetch_missing()
    assert [command[1:] for command in fetched] == [["-m", "core.pretrained"]] * 2
    assert capsys.readouterr().err.count(serving.LATER) == 2
    for name in serving.MODELS:
        (tmp_path / "models" / name).mkdir(parents=True)
        (tmp_path / "models" / name / "config.json").touch()
    serving.fetch_missing()
    assert len(fetched) == 2


def test_the_commands_run_without_any_package(tmp_path: Path) -> None:
    """They must say what is missing before it is installed."""
    command = [sys.executable, "-I", "-S", "-c"]
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from attention_lab.__main__ import main"
    code = f"{start}; main(['serve'])"
    ran = subprocess.run([*command, code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr
    assert "is not installed" in ran.stderr
