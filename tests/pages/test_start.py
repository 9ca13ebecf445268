"""Work before the first visitor comes."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import pytest
import torch
from starlette.responses import Response

import pages
from core.device import load_optimisers
from core.store import STORE, ProcessMemory
from pages.browser.first_page import ELEMENTS, needed
from pages.shell import start
from pages.shell.http import files
from pages.shell.http.files import FOLDER, file_response
from pages.shell.start import prepare

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def prepared() -> Iterator[None]:
    """A process as it is once, before its first visitor, though torch was told otherwise.

    Files are not really packed, which would take a second.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(3)
    file_response.cache_clear()
    gc.unfreeze()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(files, "packed_response", lambda body, kind, gzipped: Response())
        prepare()
        yield
    file_response.cache_clear()
    torch.set_num_threads(threads)


@pytest.mark.long("a fresh process")
def test_all_modules_of_pages_are_loaded_and_exempt_from_garbage_collection() -> None:
    packages = [file.parent.name for file in Path(pages.__file__).parent.glob("*/__init__.py")]
    assert {"explorer", "browser"} < set(packages)
    assert {f"pages.{name}" for name in packages} < set(sys.modules)
    assert len(gc.get_objects()) < gc.get_freeze_count() / 100
    assert gc.isenabled(), "objects of earlier visitors are garbage"


def test_an_invalid_bound_of_memory_ends_the_process_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_LAB_MEMORY", "2GB")
    monkeypatch.setattr(STORE, "process", ProcessMemory())
    with pytest.raises(SystemExit, match="Attention Lab: ATTENTION_LAB_MEMORY must be a whole number of MB"):
        prepare()


@pytest.mark.long("a process of its own, and what a library loads when it is first used")
def test_the_first_visitor_of_a_page_waits_for_nothing_to_be_loaded() -> None:
    visit = """
import sys
import app
from streamlit.runtime.pages_manager import PagesManager
print("older pages:", PagesManager(app.__file__).uses_pages_directory)
print("compiler:", "torch._dynamo" in sys.modules)
from core.device import load_optimisers
from tests.pages.session import Session
from pages import GROUPS
load_optimisers()
before = set(sys.modules)
for entries in GROUPS.values():
    for entry in entries:
        Session(entry.address)
print("loaded:", sorted(set(sys.modules) - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", visit], cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    )
    assert "loaded: []" in done.stdout
    assert "older pages: False" in done.stdout
    assert "compiler: False" in done.stdout, "the first visitor would wait for it, and does not need it"


def test_optimisers_are_loaded_some_seconds_after_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = Mock()
    monkeypatch.setattr(start, "Timer", timers)
    prepare()
    timers.assert_called_once_with(start.OPTIMISERS_AFTER, load_optimisers)
    timers.return_value.start.assert_called_once_with()
    assert timers.return_value.daemon is True, "an ending process must not wait for it"


def test_the_first_files_of_every_browser_are_compressed_at_the_start() -> None:
    packed = file_response.cache_info().misses
    for path in needed(ELEMENTS):
        file_response(FOLDER / path, True)
    assert file_response.cache_info().misses == packed > len(needed(ELEMENTS))


def test_torch_computes_on_the_thread_that_asks_also_where_that_begins_later() -> None:
    counts: list[int] = []
    visitor = Thread(target=lambda: counts.append(torch.get_num_threads()))
    visitor.start()
    visitor.join()
    assert counts == [1]
