"""Shelves for tests: one with noise for weights, there at once, and one with nothing on it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import torch

from core.device import choose_device
from core.learning.checkpoints import Config, build, load, save
from core.learning.collection import (
    FOLDER,
    MEMBERS,
    checkpoint_store,
    load_listed_member,
    path_of,
)
from core.learning.collection import record_of as remembered_record
from core.learning.evaluation.classification import KINDS
from core.learning.probes import probe_store
from core.learning.tasks import CLASSIFICATION, TRANSLATION, Task
from core.learning.training import Model
from core.measures import findings
from core.measures.blocks import norms as trainings
from core.measures.masking import future
from tests.core.references import noisy
from tests.records import record_of

LOUDNESS = 2
"""A scale of weights: with larger weights a model is more certain, and changes have larger effects."""

LOSS, ACCURACY, ACCURACIES = 2.3456, 0.4567, {"agreement": 0.75, "agreement 1–2": 1.0}


@pytest.fixture
def noise_shelf(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A collection with random weights: a member is made and loaded when a test asks for it."""
    folder = tmp_path_factory.getbasetemp() / "noise"
    folder.mkdir(exist_ok=True)

    def path_of(name: str) -> Path:
        path = folder / f"{name}.safetensors"
        if not path.exists():
            _make(name, path)
        return path

    def loaded(path: Path, *, config: Config | None = None) -> Model:
        return _loaded(path, config, choose_device())

    monkeypatch.setattr(checkpoint_store, "path_of", path_of)
    monkeypatch.setattr(checkpoint_store, "load_checkpoint", loaded)
    monkeypatch.setattr(checkpoint_store, "check_listed", _check_there)
    yield from _without_memory()


@cache
def _loaded(path: Path, config: Config | None, device: torch.device) -> Model:
    """Return a member with random weights, loaded once for all tests, so that no test may change it.

    There is one for each device, because users move it to theirs.
    """
    return load(path, config=config).to(device)


@pytest.fixture
def empty_shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A collection before any training, without measurements too."""

    def path_of(name: str, folder: Path = FOLDER) -> Path:
        return tmp_path / f"{name}.safetensors"

    monkeypatch.setattr(checkpoint_store, "path_of", path_of)
    monkeypatch.setattr(findings, "path_of", path_of)
    yield from _without_memory()


@pytest.fixture
def damaged_shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A collection with an unreadable file for every member, with 8 heads cut short."""

    def path_of(name: str) -> Path:
        path = tmp_path / f"{name}.safetensors"
        if not path.exists():
            _make(name, path)
            whole = path.read_bytes()
            path.write_bytes(whole[: len(whole) // 2] if "-8-" in name else b"not a model at all")
        return path

    monkeypatch.setattr(checkpoint_store, "path_of", path_of)
    yield from _without_memory()


class SpoiltShelf:
    """The collection that comes with the app, as links to its files, some of which can be damaged.

    The links are made once for all tests: each test restores the files that it damages.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._spoilt: set[str] = set()
        if not folder.exists():
            folder.mkdir()
            for path in FOLDER.iterdir():
                (folder / path.name).symlink_to(path)

    def path_in(self, folder: Path, file: str) -> Path:
        """Return the path of a file beside the members, here in place of the real one."""
        return (self.folder if folder == FOLDER else folder) / file

    def path_of(self, name: str, folder: Path = FOLDER) -> Path:
        """Return the path of a member, here in place of the real one."""
        return path_of(name, self.folder if folder == FOLDER else folder)

    def flip(self, name: str) -> None:
        """Change seven bytes of a file: it loads, but is another model."""
        content = bytearray(path_of(name).read_bytes())
        for at in range(7):
            content[-1000 * (at + 1)] ^= 0x40
        self.put(f"{name}.safetensors", bytes(content))

    def cut(self, name: str) -> None:
        """Cut a file to half its length."""
        content = path_of(name).read_bytes()
        self.put(f"{name}.safetensors", content[: len(content) // 2])

    def put(self, file: str, content: bytes) -> None:
        """Write another file under this name."""
        self.lose(file)
        (self.folder / file).write_bytes(content)

    def lose(self, file: str) -> None:
        """Delete the file of this name."""
        (self.folder / file).unlink(missing_ok=True)
        self._spoilt.add(file)

    def restore(self, file: str) -> None:
        """Restore the file that comes with the app."""
        (self.folder / file).unlink(missing_ok=True)
        (self.folder / file).symlink_to(FOLDER / file)
        self._spoilt.discard(file)

    def restore_all(self) -> None:
        """Restore all files that come with the app."""
        for file in tuple(self._spoilt):
            self.restore(file)


SPOIL = {
    "does not match `checkpoints/{index}`": SpoiltShelf.flip,
    "is damaged": SpoiltShelf.cut,
}
"""Beginnings of the errors about a file, by its damage."""


@pytest.fixture
def spoilt_shelf(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SpoiltShelf]:
    """The collection that comes with the app, whose files a test may damage one by one."""
    found = SpoiltShelf(tmp_path_factory.getbasetemp() / "spoilt")
    for module in (checkpoint_store, probe_store, findings, future):
        monkeypatch.setattr(module, "path_of", found.path_of)
    monkeypatch.setattr(checkpoint_store, "path_in", found.path_in)
    for _ in _without_memory():
        yield found
    found.restore_all()


def _check_there(path: Path) -> None:
    """Accept made-up files, which are on no list."""
    if not path.exists():
        raise FileNotFoundError(path)


def _without_memory() -> Iterator[None]:
    """Forget the results of one shelf before the next."""
    kept = (
        load_listed_member,
        remembered_record,
        probe_store._taken,
        findings.entries,
        trainings.read_shipped_losses,
    )
    for remembering in kept:
        remembering.cache_clear()
    yield
    for remembering in kept:
        remembering.cache_clear()


def _make(name: str, path: Path) -> None:
    member = MEMBERS[name]
    known = {"loss": LOSS, "accuracy": ACCURACY, "accuracies": _accuracies(member.task)}
    record = record_of(member.config, task=member.task.name, recipe=member.recipe, **known)
    model = noisy(build(member.config))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(LOUDNESS)
    save(path, model, record)


def _accuracies(task: Task) -> dict[str, float]:
    if task is CLASSIFICATION:
        return dict.fromkeys(KINDS, 0.75)
    return {"sentences": 0.25} if task is TRANSLATION else ACCURACIES
