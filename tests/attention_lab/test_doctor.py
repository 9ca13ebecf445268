"""`python -m attention_lab doctor`: a line says good or bad with its remedy, and the exit status tells."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from attention_lab import __main__ as commands
from attention_lab import doctor, installing, serving
from figures.rendering import browser
from tests.covering import each
from tests.ports import free_ports

ROOT = Path(__file__).parents[2]


def drawn_without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Have a browser whose machine has no font for some characters."""
    page = SimpleNamespace(undrawn=lambda asked: "".join(one for one in asked if one in missing))
    monkeypatch.setattr(browser, "find", lambda: "/usr/bin/chromium")
    monkeypatch.setattr(browser, "launched", lambda path: nullcontext(page))


@pytest.fixture
def sound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation in which nothing is wrong."""
    drawn_without(monkeypatch, "")
    monkeypatch.setattr(serving, "missing", list)
    monkeypatch.setattr(serving, "why_not_listening", lambda host, port: "")
    monkeypatch.setattr(doctor, "free_memory", lambda: 10**10)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=10**10))
    monkeypatch.setattr(doctor, "machine_address", lambda: "192.0.2.7")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = commands.main(["doctor", *arguments])
    return status, capsys.readouterr().out.splitlines()


def test_all_checks_of_a_sound_installation_are_listed(
    sound: None, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = said(capsys, "--port=8614")
    assert status == 0, lines
    assert [line.split()[:2] for line in lines] == [["good", one] for one in ("Python", *FAULTS)]
    assert "http://192.0.2.7:8614 if the app is served with --host 0.0.0.0" in lines[-1]


def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "find", lambda: None)


FAULTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "Packages": (lambda patch: patch.setattr(installing, "installed", lambda package: "0.1"), doctor.INSTALL),
    "PyTorch": (lambda patch: patch.setitem(sys.modules, "torch", None), doctor.INSTALL),
    "Browser": (no_browser, "install Chromium"),
    "Fonts": (lambda patch: drawn_without(patch, "茶🙂"), "fonts-noto-cjk"),
    "Models": (lambda patch: patch.setattr(serving, "missing", lambda: ["m"]), "python -m core.pretrained"),
    "Port": (
        lambda patch: patch.setattr(serving, "why_not_listening", lambda *at: serving.TAKEN.format(*at)),
        "another --port",
    ),
    "Memory": (lambda patch: patch.setattr(doctor, "free_memory", lambda: 10**9), "close other programs"),
    "Disk": (
        lambda patch: patch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1)),
        "make room",
    ),
    "Phones": (lambda patch: patch.setattr(doctor, "machine_address", lambda: ""), "join the network"),
}


@pytest.mark.parametrize("about", FAULTS)
def test_a_fault_is_bad_and_has_its_remedy(
    about: str, sound: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault, remedy = FAULTS[about]
    fault(monkeypatch)
    status, lines = said(capsys, f"--port={free_ports(1)}")
    assert status == 1
    place = next(number for number, line in enumerate(lines) if line.split()[:2] == ["bad", about])
    assert "Remedy: " in lines[place + 1]
    assert remedy in lines[place + 1]
    assert about != "Fonts" or lines[place].endswith("saved figures show boxes for: Chinese, emoji")
    assert any(line.startswith("good") for line in lines), "one fault does not hide the rest"


@each(("found", "is_good"), [((3, 10), False), ((3, 11), True), ((3, 13), True), ((3, 14), False)])
def test_a_python_that_does_not_run_the_app_is_bad(found: tuple[int, int], is_good: bool) -> None:
    assert (doctor.python(found)[1] == "") == is_good


def test_a_port_is_good_if_it_is_free_or_the_app_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_ports(1)
    assert doctor.at_port(port) == (f"{port} is free", "")
    monkeypatch.setattr(serving, "why_not_listening", lambda host, port: serving.TAKEN.format(port, host))
    assert doctor.at_port(port)[1], "no process answers"
    monkeypatch.setattr(serving, "answers", lambda address, timeout: True)
    assert doctor.at_port(port) == (f"{port}: a Streamlit app answers there", "")


@each(
    ("system", "build", "is_named"),
    [("linux", "2.9.0+cpu", True), ("linux", "2.9.0+cu128", False), ("win32", "2.9.0+cpu", False)],
)
def test_a_gpu_is_named_if_another_build_would_use_it(
    system: str, build: str, is_named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "has_nvidia", lambda: True)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(torch, "__version__", build)
    said, remedy = doctor.torch()
    assert remedy == ""
    assert ("--torch cuda" in said) == is_named


def test_a_browser_that_does_not_start_is_not_mended_by_installing_packages(
    sound: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise OSError("no permission")

    monkeypatch.setattr(browser, "launched", refuse)
    bad = {about: remedy for about, _, remedy in doctor.findings(free_ports(1)) if remedy}
    assert bad == dict.fromkeys(("Browser", "Fonts"), doctor.BROWSER_REMEDY)


def test_it_works_before_any_package_is_installed() -> None:
    command = [sys.executable, "-S", "-m", "attention_lab", "doctor"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ})
    assert ran.returncode == 1
    assert "bad   Packages   not as pinned: streamlit missing" in ran.stdout
    assert "bad   PyTorch" in ran.stdout
    assert ran.stderr == ""
