"""The pretrained models that are there: what each is before it is loaded, and a few of them in memory."""

import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import torch

from core.config import ModelConfig
from core.device import choose_device
from core.models import EncoderDecoder, Stack
from core.pretrained import FolderError, Pretrained, family_of, read, with_configs
from core.pretrained.memory import free_memory
from core.pretrained.minilm import FOLDER
from core.pretrained.weights import bytes_on_disk, read_json, shapes

ELSEWHERE = "ATTENTION_LAB_MODELS"
"""The variable of the environment in which an operator names more folders, parted as in PATH."""

KEPT = "ATTENTION_LAB_MODELS_IN_MEMORY"
"""The variable that says how many models are kept in memory at once."""

USUALLY_KEPT = 2

BYTES = 4
"""Of a number in memory: single precision."""


class MemoryShortError(FolderError):
    """A model needs more memory than is free."""


class About(NamedTuple):
    """What a model is, as its folder says before a number of it is read; sizes in bytes."""

    family: str
    n_parameters: int
    on_disk: int

    @property
    def in_memory(self) -> int:
        """What it needs once it is loaded."""
        return self.n_parameters * BYTES


@dataclass(eq=False)
class Kept:
    """A model in memory, and those that share its weights and have other switches. All may be shared."""

    pretrained: Pretrained
    stack: Stack
    _variants: dict[ModelConfig, Stack] = field(default_factory=dict)

    def variant(self, config: ModelConfig) -> Stack:
        """The model with other switches; raises ValueError where that takes weights it does not have."""
        if config == self.stack.config:
            return self.stack
        if config not in self._variants:
            other = with_configs(self.stack, config)
            assert isinstance(other, Stack)
            self._variants[config] = other
        return self._variants[config]


_kept: "OrderedDict[Path, Kept]" = OrderedDict()
_lock = Lock()


def models() -> dict[str, Path]:
    """The folders with a model, by their names: those of this checkout first, in the order of their names.

    A place that an operator names is such a folder, or one of folders.
    """
    found: dict[str, Path] = {}
    named = filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))
    for place in (FOLDER.parent, *map(Path, named)):
        below = sorted(place.iterdir()) if place.is_dir() else []
        for folder in (place, *below):
            if (folder / "config.json").is_file():
                found.setdefault(folder.name, folder)
    return found


def about(folder: Path) -> About:
    """What is in a folder, without reading its numbers; raises FolderError."""
    family = family_of(read_json(folder / "config.json"))
    return About(family.title, sum(map(prod, shapes(folder).values())), bytes_on_disk(folder))


def take(folder: Path, *, free: Callable[[], int | None] = free_memory) -> Kept:
    """The model in a folder, from memory where it is there; the one used least recently makes room.

    Whoever asks for one that is being read waits for it. Raises FolderError, and MemoryShortError before
    anything is read.
    """
    with _lock:
        if folder not in _kept:
            _make_room()
            _check_memory(about(folder), free())
            _kept[folder] = _on_device(read(folder))
        _kept.move_to_end(folder)
        return _kept[folder]


def in_memory(folder: Path) -> bool:
    """Whether the model is loaded."""
    return folder in _kept


def forget_all() -> None:
    """Let go of every model."""
    with _lock:
        _kept.clear()


def how_many() -> int:
    """How many models are kept in memory: at least one."""
    said = os.environ.get(KEPT, "")
    return max(1, int(said)) if said.isdecimal() else USUALLY_KEPT


def _make_room() -> None:
    while len(_kept) >= how_many():
        _kept.popitem(last=False)


def _check_memory(asked: About, free: int | None) -> None:
    if free is not None and asked.in_memory > free:
        raise MemoryShortError(
            f"it needs {asked.in_memory / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"
        )


def _on_device(found: Pretrained) -> Kept:
    """The model where it computes; of an encoder–decoder the encoder, which reads one sentence."""
    model = found.model.encoder if isinstance(found.model, EncoderDecoder) else found.model
    with torch.no_grad():
        return Kept(found, model.requires_grad_(False).to(choose_device()))
