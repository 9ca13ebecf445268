"""The folder of the collection: its index, the loading of a model, and files of measured numbers."""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from core.device import choose_device
from core.learning.checkpoints import Config, Record, open_checkpoint, read_record
from core.learning.checkpoints import load as load_checkpoint
from core.learning.collection.members import MEMBERS, SHIPPED
from core.learning.training import Model
from core.store import cached

FOLDER = Path(__file__).parents[3] / "checkpoints"
INDEX = "index.json"
HASH = "sha256"
"""Key of a file's hash in the index: nothing else proves that weights are the measured ones."""


class AlteredError(OSError):
    """A file that can be read, but differs from the file that the index lists."""


class UnlistedError(OSError):
    """A file that the index does not list."""


class IndexMissingError(OSError):
    """The index is missing or cannot be read, so that no file can be compared with it."""


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """Return the path of a member's checkpoint."""
    return folder / f"{name}.safetensors"


def is_available(name: str, folder: Path = FOLDER) -> bool:
    """Return whether a member's checkpoint can be read."""
    try:
        read_record(path_of(name, folder))
    except OSError:
        return False
    return True


def _row(path: Path) -> dict[str, Any]:
    record = read_record(path)
    return {
        "task": record.task,
        "steps": record.recipe.steps,
        "seed": record.recipe.seed,
        "loss": record.loss,
        "accuracy": record.accuracy,
        "accuracies": dict(record.accuracies),
    }


def write_index(
    folder: Path = FOLDER,
    *,
    anew: Iterable[str] = MEMBERS,
    names: Iterable[str] = MEMBERS,
    row: Callable[[Path], dict[str, Any]] = _row,
    index: str = INDEX,
) -> None:
    """Write the index of these names; names not in `anew` keep their row."""
    rows: dict[str, Any] = {}
    kept, again = read_index(folder, index), set(anew)
    for name in names:
        path = path_of(name, folder)
        if name in kept and name not in again:
            rows[name] = kept[name]
        else:
            with suppress(OSError):  # missing or damaged
                rows[name] = {**row(path), HASH: digest(path)}
    (folder / index).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def altered_members(names: Iterable[str] = SHIPPED, folder: Path = FOLDER) -> list[str]:
    """Return the names whose file is missing or differs from the index."""
    listed = rows_of(folder / INDEX)
    return [name for name in names if listed.get(name, {}).get(HASH) != digest(path_of(name, folder))]


def read_index(folder: Path, index: str = INDEX) -> Mapping[str, Any]:
    """Return the rows of the index in a folder; empty if it has no readable index."""
    try:
        return rows_of(folder / index)
    except IndexMissingError:
        return {}


def rows_of(index: Path) -> Mapping[str, Any]:
    """Return the rows of an index by name. Raises IndexMissingError."""
    try:
        return _rows(index.read_bytes())
    except (OSError, ValueError) as error:
        raise IndexMissingError(f"{index.name} cannot be read: {error}") from error


@lru_cache(maxsize=8)
def _rows(content: bytes) -> Mapping[str, Any]:
    """Return the rows in the bytes of an index; cached by value, because every loaded file is looked up."""
    rows: Mapping[str, Any] = json.loads(content)
    return rows


def check_listed(path: Path, index: str = INDEX) -> None:
    """Compare a file with its hash in the index beside it; raises an OSError with the reason."""
    with open_checkpoint(path):
        row = rows_of(path.parent / index).get(path.stem)
    if row is None:
        raise UnlistedError(f"{index} does not list {path.name}")
    if row[HASH] != digest(path):
        raise AlteredError(f"{path.name} does not match {index}")


def is_as_listed(path: Path, index: str = INDEX) -> bool:
    """Return whether a file can be read and is as listed, if the index lists it."""
    try:
        check_listed(path, index)
    except OSError as error:
        return isinstance(error, UnlistedError | IndexMissingError)
    return True


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal; None if there is no file."""
    return sha256(path.read_bytes()).hexdigest() if path.exists() else None


@cache
def record_of(name: str) -> Record:
    """Return the record of a member; raises KeyError for an unknown one and errors of `check_listed`."""
    if name not in MEMBERS:
        raise KeyError(f"{name!r} is not in the collection")
    check_listed(path_of(name))
    return read_record(path_of(name))


@cached
def load_listed_member(name: str, config: Config | None = None) -> Model:
    """Return the model of a member, or its ablation to `config`; raises as `check_listed` and `load`."""
    check_listed(path_of(name))
    # The first caller may be in inference mode, and another may want gradients through the same weights.
    with torch.inference_mode(mode=False):
        return load_checkpoint(path_of(name), config=config).to(choose_device())


SUMS = "SHA256SUMS"
"""The file that lists the checksums of files of measured numbers."""


def path_in(folder: Path, file: str) -> Path:
    """Return the path of a file."""
    return folder / file


def read_numbers(file: str, folder: Path = FOLDER) -> Mapping[str, Any]:
    """Return the content of a file; raises FileNotFoundError, or AlteredError for an unlisted one."""
    content = path_in(folder, file).read_bytes()
    if _sums(folder).get(file) != sha256(content).hexdigest():
        raise AlteredError(f"{file} does not match {SUMS}")
    found: Mapping[str, Any] = json.loads(content)
    return found


def write_numbers(file: str, numbers: Mapping[str, Any], folder: Path = FOLDER) -> None:
    """Write a file, one line for each name, and list its checksum."""
    lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in numbers.items()]
    content = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    path_in(folder, file).write_bytes(content)
    sums = {**_sums(folder), file: sha256(content).hexdigest()}
    text = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    path_in(folder, SUMS).write_text(text, "utf-8")


def _sums(folder: Path) -> dict[str, str]:
    """Return the listed checksums by file; empty if there is no list."""
    path = path_in(folder, SUMS)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
