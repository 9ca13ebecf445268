"""What is paid before the first visitor comes."""

import gc
import sys
from pathlib import Path

import pages
from pages.controls.start import load_and_freeze


def test_whatever_pages_are_made_of_is_loaded_and_never_searched_for_garbage() -> None:
    gc.unfreeze()
    load_and_freeze()
    try:
        packages = [file.parent.name for file in Path(pages.__file__).parent.glob("*/__init__.py")]
        assert {"explorer_views", "controls"} < set(packages)
        assert {f"pages.{name}" for name in packages} < set(sys.modules)
        assert len(gc.get_objects()) < gc.get_freeze_count() / 100
    finally:
        gc.unfreeze()
