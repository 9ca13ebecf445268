"""Names of the folders in which models are, in the checkout, of an operator and in a cache of the hub."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from core.pretrained import FolderError, library, searching
from core.pretrained.library import about, load_cached, models
from core.pretrained.searching import LASTS, SNAPSHOTS, Search
from tests.real import bert_folder


@pytest.fixture
def place(no_real_model: Path) -> Path:
    return no_real_model


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Name the places in which an operator has models."""
    return lambda *named: monkeypatch.setenv(library.ELSEWHERE, os.pathsep.join(map(str, named)))


def config_in(folder: Path) -> Path:
    """Write a folder that looks like one with a model, and return it."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def test_models_are_in_the_checkout_and_in_the_operators_places(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    assert models() == {}
    a, b = config_in(place / "a"), config_in(place / "b")
    other, c = config_in(tmp_path / "other" / "a"), config_in(tmp_path / "other" / "c")
    (place / "empty").mkdir()
    assert models() == {"a": a, "b": b}
    places(tmp_path / "other", tmp_path / "none")
    assert models() == {"a": a, "b": b, "other/a": other, "c": c}
    places(c)
    assert models()["c"] == c


def test_folders_of_one_name_are_distinguished_by_their_parents(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    folders = [config_in(folder / "run" / "checkpoint-500") for folder in (one, other)]
    alone = config_in(one / "run" / "checkpoint-7")
    places(one / "run", other / "run", one / "run")
    assert models() == {
        "one/run/checkpoint-500": folders[0],
        "checkpoint-7": alone,
        "other/run/checkpoint-500": folders[1],
    }
    places(one)
    assert models() == {"checkpoint-500": folders[0], "checkpoint-7": alone}
    own = config_in(place / "checkpoint-500")
    assert models() == {"checkpoint-500": own, "run/checkpoint-500": folders[0], "checkpoint-7": alone}


def test_a_cache_of_the_hub_calls_models_as_the_hub_does(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    hub = tmp_path / "home" / "hub"
    one = config_in(hub / "models--org--tiny" / "snapshots" / "0123456789ab")
    other = config_in(hub / "models--gpt2" / "snapshots" / "cafe")
    (hub / "models--org--tiny" / "refs").mkdir()
    (hub / ".locks" / "models--org--tiny").mkdir(parents=True)
    for named in (hub, hub.parent, one.parent, one.parent.parent, one):
        places(named)
        assert models()["org/tiny"] == one
        assert set(models()) <= {"org/tiny", "gpt2"}
    places(hub)
    second = config_in(one.with_name("ffff56789abc"))
    assert models() == {"gpt2": other, "org/tiny@0123456": one, "org/tiny@ffff567": second}


def test_a_folder_of_links_into_the_cache_of_the_hub_is_read_from_its_blobs(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    """The cache keeps each file once, under its digest, and in every snapshot a link to it."""
    bert_folder(tmp_path / "plain")
    cache = tmp_path / "hub" / "models--org--tiny"
    snapshot = cache / "snapshots" / ("0123456789abcdef" * 3)[:40]
    (cache / "blobs").mkdir(parents=True)
    snapshot.mkdir(parents=True)
    for at, file in enumerate(sorted((tmp_path / "plain").iterdir())):
        file.rename(cache / "blobs" / f"{at:040x}")
        (snapshot / file.name).symlink_to(Path("..", "..", "blobs", f"{at:040x}"))
    places(tmp_path / "hub")
    assert models() == {"org/tiny": snapshot}
    said = about(snapshot)
    assert (said.family, said.lacks) == ("BERT", "")
    assert said.on_disk == (snapshot / "model.safetensors").stat().st_size
    assert load_cached(snapshot).pretrained.tokenizer is not None
    blob = (snapshot / "model.safetensors").resolve()
    numbers = load_file(blob)
    blob.unlink()
    with pytest.raises(FolderError, match=r"neither model\.safetensors nor"):
        about(snapshot)
    save_file(numbers, blob)
    assert about(snapshot).family == "BERT"


def test_subfolders_of_a_model_are_not_models_but_checkpoints_below_it_are(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    out = config_in(tmp_path / "out")
    for name in ("1_Pooling", ".cache", "a/b/too-deep"):
        config_in(out / name)
    checkpoint = config_in(out / "checkpoint-5")
    (out / "forbidden").mkdir(mode=0)
    places(out)
    assert models() == {"out": out, "checkpoint-5": checkpoint}


def test_invisible_signs_of_a_name_are_written_as_numbers_and_similar_names_are_counted(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    for name in ("safe\u202egpj\n", os.fsdecode(b"caf\xe9"), "東京-é-🙂"):
        config_in(place / name)
    assert set(models()) == {"safe⟨202E⟩gpj⟨000A⟩", "caf⟨DCE9⟩", "東京-é-🙂"}
    for name in ("one\u202e", "one⟨202E⟩"):
        config_in(tmp_path / "other" / name)
    places(tmp_path / "other")
    assert set(models()) > {"one⟨202E⟩", "one⟨202E⟩ (2)"}


def test_a_place_that_is_named_twice_is_listed_once(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: Callable[..., None]
) -> None:
    own, other = config_in(place / "a"), config_in(tmp_path / "home" / "b")
    (tmp_path / "link").symlink_to(other.parent)
    monkeypatch.setenv("HOME", str(other.parent))
    places(place, os.path.relpath(place), f"{place}/../models/", "~", tmp_path / "link")
    assert models() == {"a": own, "b": other}


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
