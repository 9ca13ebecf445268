"""The app on a laptop does not need POSIX, and its files can be checked out everywhere."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from figures.rendering import browser
from tests.trees import nodes

ROOT = Path(__file__).parents[1]
ON_LAPTOPS = ("attention_lab", "core", "figures", "pages", "rooms", "viz")
POSIX = {"fcntl", "grp", "pwd", "resource", "signal", "syslog", "termios"}


@pytest.mark.long("a process without POSIX; imports of POSIX are found in every run")
def test_rooms_and_the_exporter_work_without_posix() -> None:
    command = [sys.executable, "-m", "tests.without_posix"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines()[-1:] == ["rooms and exporter work"], ran.stderr


FILES = [
    *(ROOT / name for name in ("app.py", "words.py")),
    *(path for name in ON_LAPTOPS for path in (ROOT / name).rglob("*.py")),
]


def test_nothing_imports_a_module_of_posix_or_formats_a_date_as_only_posix_does() -> None:
    found = []
    for path in FILES:
        for node in nodes(path):
            match node:
                case ast.Import(names=names):
                    found += [f"{path.name}: {one.name}" for one in names if one.name.split(".")[0] in POSIX]
                case ast.ImportFrom(module=str(name)) if name.split(".")[0] in POSIX:
                    found.append(f"{path.name}: {name}")
                case ast.Constant(value=str(text)) if re.search("%-[dHIMSj]", text):
                    found.append(f"{path.name}: {text}")
    assert found == []


TEXTS = {"read_text": 0, "write_text": 1}
"""Methods of a path, and how many arguments stand before the encoding."""


def test_every_text_file_is_read_and_written_with_an_encoding() -> None:
    """Windows would use the encoding of its language."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TEXTS
        if len(node.args) <= TEXTS[node.func.attr] and not node.keywords
    ]
    assert found == []


def test_the_names_of_all_files_are_allowed_on_windows() -> None:
    folders = [ROOT / name for name in (*ON_LAPTOPS, "tests", "lectures", "docs")]
    names = [path.relative_to(ROOT) for folder in folders for path in folder.rglob("*")]
    assert len(names) > 500
    bad = re.compile(r'[<>:"|?*\\]|[. ]$|^(con|prn|aux|nul)(\.|$)', re.IGNORECASE)
    assert [name for name in names if any(bad.search(part) for part in name.parts)] == []


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("PROGRAMFILES", "Google/Chrome/Application/chrome.exe"),
        ("PROGRAMFILES(X86)", "Microsoft/Edge/Application/msedge.exe"),
        ("LOCALAPPDATA", "Google/Chrome/Application/chrome.exe"),
        ("HOME", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("HOME", "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    ],
)
def test_a_browser_is_found_where_windows_and_macos_keep_it(
    variable: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    for name in browser.PROGRAM_FOLDERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(browser, "APPLICATIONS", ("~/Applications",))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    assert browser.find() is None
    monkeypatch.setenv(variable, str(tmp_path))
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).touch()
    assert browser.find() == str(tmp_path / place)
