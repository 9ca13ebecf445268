"""If the server cannot start, a sentence says why before anything starts."""

import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from attention_lab import serving
from deploy import serve
from tests.covering import each
from tests.ports import free_ports


@pytest.fixture
def busy() -> Iterator[int]:
    """A port that something listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture(autouse=True)
def nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def supervise(*asked: object) -> None:
        raise AssertionError("supervisor was started")

    monkeypatch.setattr(serve, "supervise", supervise)


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return why the server does not start; its usual ports may be taken by the app itself."""
    port = free_ports(10)
    with pytest.raises(SystemExit) as exit_:
        serve.main([f"--port={port}", f"--inner={port + 1}", *arguments])
    assert exit_.value.code == 2
    return capsys.readouterr().err


def test_processes_stand_on_ports_one_after_the_other() -> None:
    processes = serve.processes_from(8601, 3)
    assert [one.name for one in processes] == ["8601", "8602", "8603"]
    assert [one.address for one in processes] == [f"127.0.0.1:{one.name}" for one in processes]


@each("workers", ["0", "65", "-1", "two", "1.5"])
def test_a_number_of_processes_that_makes_no_sense_is_refused(
    workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"expected 1 to 64, got {workers}" in refused([f"--workers={workers}"], capsys)


def test_invalid_settings_are_refused_in_a_sentence_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "ATTENTION_LAB_LECTURER_KEY": "my secret",
        "ATTENTION_LAB_CONNECTIONS": "many",
        "ATTENTION_LAB_MEMORY": "100",
    }.items():
        with monkeypatch.context() as environment:
            environment.setenv(name, value)
            said = refused([], capsys)
        assert f"{name} must" in said
        assert "my secret" not in said


def test_without_nginx_a_sentence_says_how_to_come_by_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve.shutil, "which", lambda *asked, **named: None)
    assert "nginx is not installed; on Debian: apt-get install nginx-light" in refused([], capsys)


def test_processes_know_how_many_share_the_memory(tmp_path: Path) -> None:
    told = serve.environment(tmp_path, workers=7, first=9000)
    assert told["ATTENTION_LAB_PROCESSES"] == "7"


def named(said: str) -> list[int]:
    """Return the ports that the message lists as taken; other programs may hold more of them."""
    found = re.search(r"listens on ([\d, ]+): stop it, or serve with another PORT or INNER", said)
    assert found is not None, said
    return [int(port) for port in found[1].split(", ")]


def test_a_port_that_is_taken_is_named(busy: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert busy in named(refused(["--host=127.0.0.1", f"--port={busy}"], capsys))


def test_a_taken_port_of_a_process_is_named(busy: int, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [f"--port={free_ports(1)}", f"--inner={busy - 3}", "--workers=2"]
    assert busy in named(refused(["--host=127.0.0.1", *asked], capsys))


def test_only_taken_ports_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "_is_taken", lambda host, port: (host, port) in (("h", 7), ("127.0.0.1", 103)))
    assert named(refused(["--host=h", "--port=7", "--inner=103", "--workers=1"], capsys)) == [7, 103]


def test_a_port_is_free_again_after_its_server_ends(busy: int) -> None:
    assert serve.taken("127.0.0.1", [busy]) == [busy]
    ports = [left_by_a_server() for _ in range(5)]
    assert serve.taken("127.0.0.1", ports) != ports, "somebody else may have come by one of them, not by all"


def left_by_a_server() -> int:
    """Return a port with a connection that the server has closed: the system remembers it for a minute."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            listening.accept()[0].close()
    return port


@each("port", ["99999", "0", "abc"])
def test_a_port_that_does_not_exist_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"expected 1 to 65000, got {port}" in refused([f"--port={port}"], capsys)


def test_sockets_that_a_killed_nginx_has_left_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_over = tmp_path / "status.sock"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left_over))
    monkeypatch.setattr(serve, "folder_of", lambda port: tmp_path)
    monkeypatch.setattr(serve, "taken", lambda host, ports: [])
    monkeypatch.setattr(serve, "supervise", lambda *asked: 0)

    with pytest.raises(SystemExit, match="0"):
        serve.main(["--port=8501", "--workers=1"])

    assert not left_over.exists()
    assert (tmp_path / "upstreams.conf").exists()


@each(("asked", "path"), [("/lab", "/lab"), ("lab/", "/lab"), ("/a/b-2/", "/a/b-2"), ("/", "")])
def test_processes_and_nginx_get_the_base_path(asked: str, path: str, tmp_path: Path) -> None:
    told = serve.environment(tmp_path, workers=2, first=9000, base=serving.base(asked))
    assert told["STREAMLIT_SERVER_BASE_URL_PATH"] == path


@each("path", ["/a b", "/lab;", "/lab{", "/$host", "/a//b", "/../etc", 'x"', "/a.b"])
def test_a_base_path_that_would_end_a_line_of_nginx_is_refused(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"expected a path such as /lab, got {path}" in refused([f"--base={path}"], capsys)


@each(
    ("host", "expected"),
    [
        (
            "no.such.name.invalid",
            "HOST must be an address or a name of this machine, got no.such.name.invalid",
        ),
        ("192.0.2.7", "HOST must be an address of this machine, got 192.0.2.7"),
    ],
)
def test_a_host_that_is_not_this_machine_is_named(
    host: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert expected in refused([f"--host={host}", f"--port={free_ports(1)}"], capsys)


@each(
    ("host", "expected"),
    [
        *(("localhost", "localhost:8501"), ("0.0.0.0", "0.0.0.0:8501"), ("::1", "[::1]:8501")),
        ("::", "[::]:8501 ipv6only=off"),
    ],
)
def test_addresses_of_ipv6_have_the_form_of_nginx(host: str, expected: str) -> None:
    assert serve.listening(host, 8501) == expected


def test_a_port_that_is_taken_for_ipv6_alone_is_noticed() -> None:
    try:
        listening = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        return  # a machine without IPv6 has nothing to notice
    with listening:
        port = listening.getsockname()[1]
        assert serve.taken("::1", [port]) == serve.taken("::", [port]) == [port]


@pytest.fixture
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a server whose ports are free."""
    monkeypatch.setattr(serve, "folder_of", lambda port: tmp_path)
    monkeypatch.setattr(serve, "taken", lambda host, ports: [])
    return tmp_path


def test_a_certificate_that_is_not_there_is_named(
    somewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ATTENTION_LAB_CERTIFICATE", str(somewhere / "chain.pem"))
    monkeypatch.setenv("ATTENTION_LAB_KEY", str(somewhere / "key.pem"))
    said = f"ATTENTION_LAB_CERTIFICATE must be a file that can be read, got {somewhere / 'chain.pem'}"
    assert said in refused(["--workers=1"], capsys)


def test_errors_of_nginx_are_quoted_before_anything_starts(
    somewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("CERTIFICATE", "KEY"):
        (somewhere / name).write_text("no certificate", "utf-8")
        monkeypatch.setenv(f"ATTENTION_LAB_{name}", str(somewhere / name))
    said = refused(["--workers=1"], capsys)
    assert "nginx cannot be started with these settings" in said
    assert "cannot load certificate" in said


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(serve, "folder_of", lambda port: tmp_path / "file" / "8501")
    monkeypatch.setattr(serve, "taken", lambda host, ports: [])
    assert f"cannot be written to {tmp_path / 'file' / '8501'}: Not a directory" in refused([], capsys)


def test_a_path_that_is_too_long_for_sockets_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "folder_of", lambda port: tmp_path / ("a" * 150))
    assert "is too long for the sockets" in refused(["--workers=1"], capsys)


def test_the_command_ends_with_the_reason_why_the_server_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    command = [sys.executable, "-c", f"open({str(tmp_path / 'ended')!r}, 'w').write('nginx has ended')"]
    monkeypatch.setattr(serve, "supervisor_command", lambda: command)
    assert serve.supervise(tmp_path, {}) == "nginx has ended"
    monkeypatch.setattr(serve, "supervisor_command", lambda: [sys.executable, "-c", "raise SystemExit(3)"])
    assert serve.supervise(tmp_path, {}) == 3, "the reason of the time before is gone"
