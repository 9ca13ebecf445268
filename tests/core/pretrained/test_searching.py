"""A search for models holds for about a second, and not once a folder has changed."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.pretrained import searching
from core.pretrained.library import models
from core.pretrained.searching import LASTS, SNAPSHOTS, Search
from tests.core.pretrained.test_places import config_in, place, places

__all__ = ["place", "places"]

TICK = 0.05
"""Seconds after which a file system notes another time."""


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no folder count as changed lately."""
    monkeypatch.setattr(searching, "STEP", -60.0)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the folders that are listed, as they are."""
    found: list[str] = []
    listdir = os.listdir

    def listing(folder: Path) -> list[str]:
        found.append(str(folder))
        return listdir(folder)

    monkeypatch.setattr("core.pretrained.searching.os.listdir", listing)
    return found


@pytest.mark.usefixtures("settled")
def test_places_are_searched_once_while_nothing_changes(
    place: Path, tmp_path: Path, places: Callable[..., None], listed: list[str]
) -> None:
    one, other = config_in(place / "one"), config_in(tmp_path / "other")
    places(tmp_path / "other")
    assert models() == {"one": one, "other": other}
    assert listed
    listed.clear()
    models().clear()
    assert models() == {"one": one, "other": other}
    assert not listed
    places()
    assert models() == {"one": one}


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("at", ["new", "empty", "models--org--one/snapshots/0123456", "later"])
def test_a_model_that_comes_is_found_at_once_and_so_is_its_going(
    place: Path, tmp_path: Path, places: Callable[..., None], at: str
) -> None:
    one = config_in(place / "one")
    (place / "empty").mkdir()
    (place / "models--org--one" / SNAPSHOTS).mkdir(parents=True)
    places(tmp_path / "later")
    assert models() == {"one": one}
    time.sleep(TICK)
    new = tmp_path / "later" if at == "later" else place / at
    new.mkdir(exist_ok=True)
    (new / "config.json").write_text("{}")
    assert set(models().values()) == {one, new}
    time.sleep(TICK)
    (new / "config.json").unlink()
    assert models() == {"one": one}


def test_a_folder_that_has_just_changed_is_searched_again(place: Path, listed: list[str]) -> None:
    config_in(place / "one")
    assert not Search([place]).holds()
    models()
    listed.clear()
    models()
    assert listed


@pytest.mark.usefixtures("settled")
def test_a_link_to_a_file_that_comes_later_is_followed_after_a_while(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "one").mkdir(parents=True)
    (place / "one" / "config.json").symlink_to(tmp_path / "blob")
    assert models() == {}
    (tmp_path / "blob").write_text("{}")
    later = time.monotonic() + LASTS
    monkeypatch.setattr("core.pretrained.searching.time.monotonic", lambda: later)
    assert models() == {"one": place / "one"}
