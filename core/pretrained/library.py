"""The pretrained models that are there: what each is before it is loaded, and a few of them in memory."""

import os
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from math import prod
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import torch

from core.device import choose_device
from core.memory import give_back
from core.model.config import ModelConfig
from core.model.models import EncoderDecoder, Stack
from core.pretrained import FolderError, Pretrained, family_of, read, with_configs
from core.pretrained.minilm import FOLDER
from core.pretrained.weights import bytes_on_disk, read_json, shapes
from core.store import STORE, free_memory

ELSEWHERE = "ATTENTION_LAB_MODELS"
"""The variable of the environment in which an operator names more folders, parted as in PATH."""

KEPT = "ATTENTION_LAB_MODELS_IN_MEMORY"
"""The variable that says how many models are kept in memory at once."""

USUALLY_KEPT = 2

BYTES = 4
"""Bytes of a number in memory: single precision."""

SHARE = 0.5
"""A model that needs more than this share of the free memory is read only for somebody who asks for it."""

VARIANTS = 16
"""Most ablations of a model kept beside it: each is made of modules, though it shares every weight."""


class MemoryShortError(FolderError):
    """A model needs more memory than is free."""


class LargeModelError(FolderError):
    """A model needs so much of the free memory that it is not read unasked."""


class About(NamedTuple):
    """What a model is, as its folder says before a number of it is read; sizes in bytes."""

    family: str
    n_parameters: int
    on_disk: int

    @property
    def in_memory(self) -> int:
        """What it needs once it is loaded."""
        return self.n_parameters * BYTES


class Kept:
    """A model in memory, and those that share its weights and have other switches. All may be shared."""

    def __init__(self, pretrained: Pretrained, stack: Stack) -> None:
        self.pretrained, self.stack = pretrained, stack
        self.in_memory = sum(parameter.nbytes for parameter in pretrained.model.parameters())
        self.device = choose_device()

        @lru_cache(maxsize=VARIANTS)
        def variant(config: ModelConfig) -> Stack:
            other = with_configs(stack, config)
            assert isinstance(other, Stack)
            return other

        self._variant = variant

    def variant(self, config: ModelConfig) -> Stack:
        """The model with other switches; raises ValueError where that takes weights it does not have."""
        return self.stack if config == self.stack.config else self._variant(config)


_kept: "OrderedDict[Path, Kept]" = OrderedDict()
_lock = Lock()

# One model is read at a time, for two would both count on the same free memory; whoever wants one that is
# there does not wait for that.
_reading = Lock()


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


def is_pair(folder: Path) -> bool:
    """Whether an encoder with its decoder is in a folder, without reading its numbers; raises FolderError."""
    return family_of(read_json(folder / "config.json")).is_pair


def is_large(folder: Path, *, free: Callable[[], int | None] = free_memory) -> bool:
    """Whether a model that is not in memory is read only where it is asked for; raises FolderError."""
    room = _room(free())
    return room is not None and SHARE * room < about(folder).in_memory <= room


def take(folder: Path, *, asked: bool = False, free: Callable[[], int | None] = free_memory) -> Kept:
    """The model in a folder, from memory where it is there; the one used least recently makes room.

    Whoever wants one that is being read waits for it, and nobody for another one. Raises FolderError, and
    before anything is read or has left MemoryShortError, and LargeModelError unless somebody has `asked` for
    the model, knowing what it needs.
    """
    if (found := _recalled(folder)) is not None:
        return found
    with _reading:
        if (found := _recalled(folder)) is not None:
            return found
        known = about(folder)
        _check_memory(known, _room(free()), asked=asked)
        _make_room(known.in_memory, free)
        STORE.make_room(known.in_memory)
        found = _on_device(read(folder))
        with _lock:
            _kept[folder] = found
        return found


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


def _recalled(folder: Path) -> Kept | None:
    """The model in a folder if it is in memory, where it is now the one used last.

    One on a device that is not in use any more has to be read again.
    """
    with _lock:
        if folder in _kept and _kept[folder].device != choose_device():
            del _kept[folder]
        if folder in _kept:
            _kept.move_to_end(folder)
        return _kept.get(folder)


def _make_room(needs: int, free: Callable[[], int | None]) -> None:
    """Let models go, the one used least recently first, until there are few and so much memory is free."""
    with _lock:
        while _kept and (len(_kept) >= how_many() or _is_short(needs, free())):
            _kept.popitem(last=False)
            give_back()


def _is_short(needs: int, free: int | None) -> bool:
    return free is not None and free < needs


def _room(free: int | None) -> int | None:
    """Return the memory that a model can have if so much is free: all others may leave for it."""
    if free is None:
        return None
    with _lock:
        return free + sum(kept.in_memory for kept in _kept.values())


def _check_memory(known: About, room: int | None, *, asked: bool) -> None:
    if room is None:
        return
    needs, there = f"{known.in_memory / 1e9:.1f} GB", f"{room / 1e9:.1f} GB"
    if known.in_memory > room:
        raise MemoryShortError(f"it needs {needs} of memory, and {there} are free")
    if not asked and known.in_memory > SHARE * room:
        raise LargeModelError(f"it needs {needs} of the {there} of memory that are free")


def _on_device(found: Pretrained) -> Kept:
    """The model where it computes; of an encoder–decoder the encoder is what reads one sentence."""
    model = found.model
    with torch.no_grad():
        model.requires_grad_(False).to(choose_device())
        return Kept(found, model.encoder if isinstance(model, EncoderDecoder) else model)
