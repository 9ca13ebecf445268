"""Pages write nothing to the disk, so a full disk stops no visitor; files may be missing or damaged."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.device import load_optimisers
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session
from tests.views import PAGES

OTHERS = {("explorer", "similarity"), *(("step-by-step", name) for name in PAGES["step-by-step"].views)}
"""Views that open with another model than the switches choose."""

READING = {
    at: name
    for at, page in PAGES.items()
    for name, view in page.views.items()
    if {"model", "norm"} <= view.switches and view.one_model and (at, name) not in OTHERS
}
"""For each page with the model that the switches describe, a view of it."""

SERVED = [("translation", "translate"), ("training", "training")]
"""A page that computes, and one that trains."""

ROOT = Path(__file__).parents[2]

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CHANGES = frozenset(f"os.{name}" for name in ("mkdir", "rename", "remove", "link", "symlink", "truncate"))
OWN = ("__pycache__",)
"""Python's compiled modules, which it can do without."""


class Watch:
    """Notes what this process asks of the disk, from its making until `stop`."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        _listen()
        WATCHING.append(self)

    def note(self, event: str, given: tuple[Any, ...]) -> None:
        """Python tells of every event before it happens."""
        if not (event in CHANGES or (event == "open" and _writes(*given))):
            return
        if not any(part in str(given[0]) for part in OWN):
            self.asked.append(f"{event} {given[0]}")

    def stop(self) -> None:
        """Notice nothing any more."""
        WATCHING.remove(self)


WATCHING: list[Watch] = []


@cache
def _listen() -> None:
    """Once for all watches: no hook can be taken away, and each is called for every `id` of the process."""
    sys.addaudithook(_heard)


def _heard(event: str, given: tuple[Any, ...]) -> None:
    for watch in WATCHING:
        watch.note(event, given)


def _writes(path: object, mode: str | None, flags: int) -> bool:
    return isinstance(path, str | bytes | Path) and bool(flags & WRITING)


def test_a_watch_notices_written_files(tmp_path: Path) -> None:
    watch = Watch()
    (tmp_path / "one").write_text("1", "utf-8")
    (tmp_path / "one").read_text("utf-8")
    (tmp_path / "one").rename(tmp_path / "other")
    watch.stop()
    assert watch.asked == [f"open {tmp_path / 'one'}", f"os.rename {tmp_path / 'one'}"]


@pytest.fixture
def as_served() -> None:
    """Do all that the app does before its first visitor."""
    load_optimisers()


@pytest.mark.usefixtures("as_served")
@each(("address", "view"), SERVED)
def test_a_page_writes_nothing_to_the_disk(address: str, view: str) -> None:
    watch = Watch()
    Session(address, view=view)
    watch.stop()
    assert watch.asked == []


COMMAND = "python -m core.learning.collection"
"""Commands that train a missing model."""

ON_A_FULL_DISK = """
import errno, os, sys
sys.dont_write_bytecode = True
writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT
def full(event, given):
    if event in ("os.mkdir", "os.rename") or event == "open" and given[2] & writing:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), given[0])
sys.addaudithook(full)
from pages.shell.start import prepare
prepare()
from tests.core.live.plans import plan
print(len(list(plan(steps=2).begin().steps())), "steps")
"""


@pytest.mark.long("a start on a full disk, in a process of its own: every run sees that pages write nothing")
def test_a_server_with_a_full_disk_starts_and_trains() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TORCHINDUCTOR_CACHE_DIR"}
    ran = subprocess.run(
        [sys.executable, "-c", ON_A_FULL_DISK],
        cwd=ROOT,
        env=environment | {"TMPDIR": str(ROOT / "nowhere")},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert ran.stdout == "2 steps\n", ran.stderr


@pytest.mark.usefixtures("damaged_shelf")
@each(("address", "view"), READING.items())
def test_a_view_with_a_damaged_model_says_so_once_and_keeps_the_sentence(address: str, view: str) -> None:
    session = Asked(address, view=view, text="Zuko met Maria")
    (said,) = [one for one in (*session.warnings, *session.infos) if COMMAND in one]
    assert "damaged: restore" in said
    assert session.value("text") == "Zuko met Maria"
