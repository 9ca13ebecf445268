"""`python -m deploy.upgrade`: what is here after it, in small clones without a network."""

import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy.upgrade import FORMER, SERVE_AGAIN, START_AGAIN, Upgrade, UpgradeError

STAND_IN = """
import sys
from pathlib import Path
if sys.argv[1:2] == ["doctor"]:
    said = Path("doctor").read_text()
    sys.exit(print(said) or int("bad" in said))
with Path("ran").open("a") as file:
    print(Path(sys.argv[0]).name, *sys.argv[1:], Path("requirements.txt").read_text(), file=file)
sys.exit(Path("fails").read_text() in sys.argv[0])
"""
"""Module in place of `attention_lab` and of the restart: it lists its calls in `ran`, and may fail."""

FIRST = {
    ".gitignore": "ran\n.serve\n__pycache__\n",
    "app.py": "",
    "attention_lab/__main__.py": STAND_IN,
    "deploy/supervisor/restart.py": STAND_IN,
    "deploy/nginx/nginx.conf": "",
    "doctor": "good  Python\nbad   Fonts boxes\nbad   Memory 3 MB",
    "fails": "nothing",
    "requirements.txt": "one",
}


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@b.example", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def release(origin: Path, tag: str, files: Mapping[str, str]) -> None:
    """Commit files, and tag the commit unless the tag is empty."""
    for name, text in files.items():
        (origin / name).parent.mkdir(parents=True, exist_ok=True)
        (origin / name).write_text(text, "utf-8")
    git(origin, "add", ".")
    git(origin, "commit", "--quiet", "--allow-empty", "--message", tag or "more")
    if tag:
        git(origin, "tag", tag)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository with the release v1.9.0 of an app that does nothing."""
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    release(folder, "v1.9.0", FIRST)
    return folder


@pytest.fixture
def clone(origin: Path) -> Iterator[Path]:
    """A clone whose path is short enough for sockets."""
    with TemporaryDirectory() as folder:
        git(origin, "clone", "--quiet", str(origin), f"{folder}/a clone")
        yield Path(folder) / "a clone"


@pytest.fixture
def serving(clone: Path) -> Iterator[None]:
    """Something that listens as the supervisor of port 8501; a killed one has left 8502."""
    sockets = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    for port, one in zip(("8501", "8502"), sockets, strict=True):
        folder = clone / ".serve" / port
        folder.mkdir(parents=True)
        one.bind(str(folder / "supervisor.sock"))
    sockets[0].listen()
    yield
    for one in sockets:
        one.close()


def here(clone: Path) -> str:
    return git(clone, "describe", "--tags")


def ran(clone: Path) -> list[str]:
    file = clone / "ran"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def test_the_newest_release_is_taken_and_is_no_trial(origin: Path, clone: Path) -> None:
    for tag in ("v1.10.0", "v2.0.0-rc1"):
        release(origin, tag, {"app.py": f"# {tag}", "doctor": "bad   Port 8501 is taken"})
    said = Upgrade(clone).run()
    assert said.startswith("Now at v1.10.0, before at v1.9.0.")
    assert said.endswith(START_AGAIN)
    assert here(clone) == "v1.10.0"
    assert ran(clone) == [], "nothing is installed if no requirement has changed"
    assert Upgrade(clone).run() == "v1.10.0 is here already: nothing to do."


@pytest.mark.long("a clone without a release, which few operators have")
def test_what_is_newer_than_the_newest_release_stays_and_without_one_the_branch_is_followed(
    origin: Path, clone: Path
) -> None:
    release(origin, "", {"app.py": "# later"})
    git(clone, "pull", "--quiet")
    assert "nothing to do" in Upgrade(clone).run()
    for folder in (origin, clone):
        git(folder, "tag", "--delete", "v1.9.0")
    for text in ("# 2", "# 3"):
        release(origin, "", {"app.py": text})
        Upgrade(clone).run()
        assert (clone / "app.py").read_text("utf-8") == text


def test_a_release_can_be_named_and_the_former_one_comes_back_without_the_origin(
    origin: Path, clone: Path
) -> None:
    release(origin, "v2.0.0", {"requirements.txt": "two"})
    release(origin, "v3.0.0", {"requirements.txt": "three"})
    Upgrade(clone, torch="cpu").run("v2.0.0")
    assert here(clone) == "v2.0.0"
    origin.rename(origin.with_name("away"))
    Upgrade(clone).run(back=True)
    assert here(clone) == "v1.9.0"
    Upgrade(clone).run(back=True)
    assert here(clone) == "v2.0.0"
    install = "__main__.py install"
    assert ran(clone) == [f"{install} --torch cpu two", f"{install} one", f"{install} two"]


@pytest.mark.long("five failures of an upgrade; an upgrade that works is tested in every run")
@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"app.py": "1 / 0"}, "The app cannot be loaded: ZeroDivisionError"),
        ({"doctor": "bad   Fonts boxes\nbad   PyTorch fails"}, "bad   PyTorch fails"),
        ({"attention_lab/__main__.py": "1 / 0", "requirements.txt": "one"}, "bad   doctor ZeroDivisionError"),
        ({"fails": "__main__.py"}, "`python -m attention_lab install` failed"),
        ({"fails": "restart.py"}, "`python -m deploy.supervisor.restart --port 8501` failed"),
    ],
)
@pytest.mark.usefixtures("serving")
def test_if_anything_fails_the_former_release_is_here_again(
    files: dict[str, str], reason: str, origin: Path, clone: Path
) -> None:
    release(origin, "v2.0.0", {"requirements.txt": "two", **files})
    with pytest.raises(UpgradeError) as failed:
        Upgrade(clone).run()
    assert reason in str(failed.value)
    assert "The upgrade was undone: v1.9.0 is installed again." in str(failed.value)
    assert here(clone) == "v1.9.0"
    assert [call for call in ran(clone) if "install" in call][-1:] in (["__main__.py install one"], [])
    assert "refs/attention-lab" not in git(clone, "for-each-ref", FORMER)


@pytest.mark.usefixtures("serving")
def test_processes_of_a_server_that_runs_are_exchanged(origin: Path, clone: Path) -> None:
    release(origin, "v2.0.0", {"app.py": "# 2"})
    said = Upgrade(clone).run()
    assert ran(clone) == ["restart.py --port 8501 one"]
    assert START_AGAIN not in said
    assert SERVE_AGAIN not in said
    release(origin, "v3.0.0", {"deploy/nginx/nginx.conf": "# 3"})
    assert SERVE_AGAIN in Upgrade(clone).run()


@pytest.mark.long("an interrupted upgrade; one that works is tested in every run")
@pytest.mark.usefixtures("serving")
def test_processes_that_were_exchanged_are_exchanged_back_if_a_later_step_fails(
    origin: Path, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(origin, "v2.0.0", {"requirements.txt": "two"})

    def interrupted(upgrade: Upgrade, restarted: list[str]) -> None:
        restarted.append("8501")
        raise KeyboardInterrupt

    monkeypatch.setattr(Upgrade, "_restart", interrupted)
    with pytest.raises(UpgradeError, match="It was interrupted"):
        Upgrade(clone).run()
    assert ran(clone)[-1] == "restart.py --port 8501 one"


def test_changed_files_stay_as_they_are_and_a_missing_release_is_named(origin: Path, clone: Path) -> None:
    release(origin, "v2.0.0", {"app.py": "# 2"})
    with pytest.raises(UpgradeError, match=r"no release, branch or commit v7\.0\.0, "):
        Upgrade(clone).run("v7.0.0")
    (clone / "app.py").write_text("# mine", "utf-8")
    with pytest.raises(UpgradeError, match=r"files of the app were changed here.*\n.*app\.py"):
        Upgrade(clone).run()
    assert (clone / "app.py").read_text("utf-8") == "# mine"


def test_if_nothing_can_be_fetched_nothing_changes(origin: Path, clone: Path, tmp_path: Path) -> None:
    origin.rename(tmp_path / "away")
    with pytest.raises(UpgradeError, match=r"Nothing was upgraded\. git fetch failed: fatal: .*origin"):
        Upgrade(clone).run()
    with pytest.raises(UpgradeError, match="No former release is known here"):
        Upgrade(clone).run(back=True)
    with pytest.raises(UpgradeError, match="needs git and a clone"):
        Upgrade(tmp_path).run()
    assert here(clone) == "v1.9.0"
