"""Names of the folders in which models are, in the checkout, of an operator and in a cache of the hub."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cachetools import TTLCache, cached
from safetensors.torch import load_file, save_file

from core.pretrained import FolderError, library
from core.pretrained.library import LASTS, about, found_folders, load_cached, models
from tests.real import bert_folder
from tests.rooms.clock import Clock


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
        "checkpoint-500": folders[0],
        "checkpoint-7": alone,
        "run/checkpoint-500": folders[1],
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
    assert models() == {"gpt2": other, "org/tiny": one, "org/tiny@ffff567": second}


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


def test_invisible_signs_of_a_name_are_written_as_numbers_and_similar_names_differ(
    place: Path, tmp_path: Path, places: Callable[..., None]
) -> None:
    for name in ("safe\u202egpj\n", os.fsdecode(b"caf\xe9"), "東京-é-🙂"):
        config_in(place / name)
    assert set(models()) == {"safe⟨202E⟩gpj⟨000A⟩", "caf⟨DCE9⟩", "東京-é-🙂"}
    for name in ("one\u202e", "one⟨202E⟩"):
        config_in(tmp_path / "other" / name)
    places(tmp_path / "other")
    assert set(models()) > {"one⟨202E⟩", "other/one⟨202E⟩"}


def test_a_place_that_is_named_twice_is_listed_once(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: Callable[..., None]
) -> None:
    own, other = config_in(place / "a"), config_in(tmp_path / "home" / "b")
    (tmp_path / "link").symlink_to(other.parent)
    monkeypatch.setenv("HOME", str(other.parent))
    places(place, os.path.relpath(place), f"{place}/../models/", "~", tmp_path / "link")
    assert models() == {"a": own, "b": other}


def test_places_are_searched_once_while_a_page_is_drawn(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: Callable[..., None]
) -> None:
    clock = Clock()
    monkeypatch.setattr(
        library, "found_folders", cached(TTLCache(1, LASTS, clock))(found_folders.__wrapped__)
    )
    one, other = config_in(place / "one"), config_in(tmp_path / "other")
    places(tmp_path / "other")
    assert models() == {"one": one, "other": other}
    models().clear()
    (other / "config.json").unlink()
    assert models() == {"one": one, "other": other}
    clock.now += LASTS
    assert models() == {"one": one}
    places()
    (one / "config.json").unlink()
    assert models() == {}
