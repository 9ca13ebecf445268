"""What is paid before the first visitor comes."""

import gc
import sys
from pathlib import Path
from threading import Thread

import torch

import pages
from pages.controls.start import prepare


def test_whatever_pages_are_made_of_is_loaded_and_never_searched_for_garbage() -> None:
    gc.unfreeze()
    prepare()
    try:
        packages = [file.parent.name for file in Path(pages.__file__).parent.glob("*/__init__.py")]
        assert {"explorer_views", "controls"} < set(packages)
        assert {f"pages.{name}" for name in packages} < set(sys.modules)
        assert len(gc.get_objects()) < gc.get_freeze_count() / 100
    finally:
        gc.unfreeze()


def test_torch_computes_on_the_thread_that_asks_also_where_that_begins_later() -> None:
    before, counts = torch.get_num_threads(), []
    torch.set_num_threads(3)
    try:
        prepare()
        visitor = Thread(target=lambda: counts.append(torch.get_num_threads()))
        visitor.start()
        visitor.join()
        assert counts == [1]
    finally:
        torch.set_num_threads(before)
        gc.unfreeze()
