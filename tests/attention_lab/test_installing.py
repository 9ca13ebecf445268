"""`python -m attention_lab install`: which PyTorch it chooses, and its sentences."""

import subprocess
import sys
from pathlib import Path

import pytest

from attention_lab import __main__ as commands
from attention_lab import installing
from attention_lab.installing import CPU_INDEX, FAILED, INTEL_MAC, NO_CPU_INDEX, SIZES, WINDOWS_ON_ARM
from tests.covering import each

ROOT = Path(__file__).parents[2]


class Pip:
    """A pip that installs nothing: it fails for the options in `failing`."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.failing: set[str] = set()

    def __call__(self, *options: str) -> int:
        self.asked.append(list(options))
        return int(bool(self.failing & set(options)))


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Pip:
    """Pip on Linux without an NVIDIA driver, in an environment without PyTorch."""
    one = Pip()
    monkeypatch.setattr(installing, "_pip", one)
    monkeypatch.setattr(installing, "has_nvidia", lambda: False)
    monkeypatch.setattr(installing, "installed", lambda package: "")
    monkeypatch.setattr(installing, "impossible", lambda *asked: "")
    monkeypatch.setattr(sys, "platform", "linux")
    return one


ALL = ["--requirement", str(ROOT / "requirements.txt")]


def test_without_a_driver_the_build_for_the_cpu_is_fetched_first(
    pip: Pip, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.main(["install"]) == 0
    torch, rest = pip.asked
    assert torch[-3:] == ["--index-url", CPU_INDEX, installing.pinned()]
    assert "--no-deps" in torch, "all other packages come from the default index"
    assert rest == ALL
    said = capsys.readouterr().out
    assert said.startswith(f"PyTorch for the CPU, because no NVIDIA driver was found: {SIZES['cpu']}.")
    assert f"TORCH=cuda), {SIZES['cuda']}" in said


def test_with_a_driver_the_default_index_gives_the_build_with_cuda(
    pip: Pip, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "has_nvidia", lambda: True)
    assert commands.main(["install"]) == 0
    assert pip.asked == [ALL]
    assert capsys.readouterr().out.startswith("PyTorch with CUDA, because an NVIDIA driver was found")


def test_if_the_index_for_the_cpu_does_not_answer_the_default_one_is_used(
    pip: Pip, capsys: pytest.CaptureFixture[str]
) -> None:
    pip.failing = {CPU_INDEX}
    assert commands.main(["install"]) == 0
    assert pip.asked[-1] == ALL
    assert NO_CPU_INDEX in capsys.readouterr().out


def test_without_a_network_a_sentence_says_what_can_be_done(
    pip: Pip, capsys: pytest.CaptureFixture[str]
) -> None:
    pip.failing = {CPU_INDEX, "--requirement"}
    assert commands.main(["install"]) == 1
    assert FAILED in capsys.readouterr().err


@pytest.mark.parametrize(
    ("there", "asked", "changed"),
    [
        ("2.13.0", [], []),
        ("2.13.0+cpu", [], []),
        ("2.13.0+cu130", ["--torch=cuda"], []),
        ("2.13.0+cpu", ["--torch=cuda"], ["--force-reinstall", "--no-deps", "torch==2.13.0"]),
    ],
)
def test_an_installed_build_stays_unless_another_is_chosen(
    there: str, asked: list[str], changed: list[str], pip: Pip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "pinned", lambda: "torch==2.13.0")
    monkeypatch.setattr(installing, "installed", lambda package: there)
    assert commands.main(["install", *asked]) == 0
    assert pip.asked == [*([changed] if changed else []), ALL]


@each(
    ("system", "machine", "said"),
    [
        ("macosx-10.9-universal2", "x86_64", INTEL_MAC),
        ("macosx-11.0-arm64", "arm64", ""),
        ("win-arm64", "ARM64", WINDOWS_ON_ARM),
        ("win-amd64", "AMD64", ""),
        ("linux-x86_64", "x86_64", ""),
    ],
)
def test_systems_without_a_build_get_a_sentence(system: str, machine: str, said: str) -> None:
    assert installing.impossible((3, 12), system, machine) == said


@each("python", [(3, 10), (3, 14)])
def test_another_python_is_refused_before_pip_looks_for_packages(python: tuple[int, int]) -> None:
    found = ".".join(map(str, python))
    assert f"but this is {found}" in installing.impossible(python, "linux-x86_64", "x86_64")


def test_the_file_runs_where_an_image_copies_it(tmp_path: Path) -> None:
    (tmp_path / "attention_lab").mkdir()
    for name in ("requirements.txt", "attention_lab/installing.py"):
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    command = [sys.executable, "-S", "-m", "attention_lab.installing", "--help"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "--torch" in ran.stdout
