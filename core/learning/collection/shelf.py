"""Where the collection lies, its index, and how one of its models is taken from there."""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from core.device import choose_device, kept_on_device
from core.learning.checkpoints import Config, Record, read_record
from core.learning.checkpoints import load as load_checkpoint
from core.learning.collection.members import MEMBERS
from core.learning.training import Model

FOLDER = Path(__file__).parents[3] / "checkpoints"
INDEX = "index.json"
HASH = "sha256"
"""What the index calls the hash of a file: weights have no other way to say that they are those measured."""

SHARED_MODELS = 32
"""How many models are kept for all visitors together; one takes half a megabyte."""


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """The file of a member of the collection."""
    return folder / f"{name}.safetensors"


def is_there(name: str, folder: Path = FOLDER) -> bool:
    """Whether a member has a checkpoint that can be read."""
    try:
        read_record(path_of(name, folder))
    except OSError:
        return False
    return True


def write_index(folder: Path = FOLDER) -> None:
    """List what the checkpoints in `folder` say about themselves, for readers and for the tests."""
    rows = {name: _row(path_of(name, folder)) for name in MEMBERS if is_there(name, folder)}
    (folder / INDEX).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def altered(names: Iterable[str] = MEMBERS, folder: Path = FOLDER) -> list[str]:
    """Which of these members have another file than the one that the index lists, or none."""
    listed = json.loads((folder / INDEX).read_text("utf-8"))
    return [name for name in names if listed.get(name, {}).get(HASH) != digest(path_of(name, folder))]


def digest(path: Path) -> str | None:
    """SHA-256 of a file, in hexadecimal; None where there is none."""
    return sha256(path.read_bytes()).hexdigest() if path.exists() else None


def _row(path: Path) -> dict[str, Any]:
    record = read_record(path)
    return {
        "task": record.task,
        "steps": record.recipe.steps,
        "seed": record.recipe.seed,
        "loss": record.loss,
        "accuracy": record.accuracy,
        "accuracies": dict(record.accuracies),
        HASH: digest(path),
    }


@cache
def record_of(name: str) -> Record:
    """What the checkpoint of a member says about itself.

    Raises KeyError for what is no member, and what `core.learning.checkpoints.read_record` raises.
    """
    if name not in MEMBERS:
        raise KeyError(f"{name!r} is not in the collection")
    return read_record(path_of(name))


@kept_on_device(SHARED_MODELS)
def take(name: str, config: Config | None = None) -> Model:
    """The model of a member, or its ablation to `config`, on the device in use.

    Shared by all visitors: nothing may change it. Raises what `core.learning.checkpoints.load` raises.
    """
    # Who asks first may be in inference mode, and somebody else wants gradients through the same weights.
    with torch.inference_mode(mode=False):
        return load_checkpoint(path_of(name), config=config).to(choose_device())
