"""The pretrained models on this machine: descriptions before loading, and a few models in memory."""

import os
import re
from collections import OrderedDict, deque
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import cachetools
import torch
from cachetools import LRUCache, TTLCache

from core.device import choose_device
from core.memory import give_back
from core.model.config import ModelConfig
from core.model.models import EncoderDecoder, Stack
from core.pretrained import FolderError, Pretrained, family_of, outline_of, read, with_configs
from core.pretrained.converting import guarded
from core.pretrained.errors import ReplacedError, visible_text
from core.pretrained.fetched import FOLDER
from core.pretrained.tokenizer import NO_ROW_FOR_ALL, NO_TOKENIZER
from core.pretrained.weights import bytes_on_disk, read_json, read_outlines
from core.store import STORE, free_memory

Stamp = tuple[tuple[str, int, int], ...]

ELSEWHERE = "ATTENTION_LAB_MODELS"
"""Environment variable with more folders of models, separated as in PATH."""

KEPT = "ATTENTION_LAB_MODELS_IN_MEMORY"
"""Environment variable with the number of models kept in memory at once."""

USUALLY_KEPT = 2

BYTES = 4

SHARE = 0.5
"""Share of the free memory above which a model is loaded only on request."""

MOST_CHECKED = 256
"""Greatest number of folders whose description is cached."""

LASTS = 1.0
"""Seconds for which a search for folders is valid: a page asks some forty times while it is drawn."""

DEPTH = 2
"""Number of levels below a place that are searched for folders with a model."""

MOST_SEARCHED = 2_000

CACHED, SNAPSHOTS = "models--", "snapshots"
"""Names of the folders in a cache of the hub."""

MODULE = re.compile(r"\d+_[A-Z]\w*")
"""Names of the folders that sentence-transformers adds after a model, such as `1_Pooling`."""

VARIANTS = 16
"""Greatest number of ablations of a model kept beside it; they share every weight, but not modules."""


class MemoryShortError(FolderError):
    """A model needs more memory than is free."""


class LargeModelError(FolderError):
    """A model needs a large share of the free memory, and is loaded only on request."""


class FolderSummary(NamedTuple):
    """A model as its folder describes it, sizes in bytes; `lacks` says why it cannot read a text."""

    family: str
    n_parameters: int
    on_disk: int
    lacks: str = ""

    @property
    def in_memory(self) -> int:
        return self.n_parameters * BYTES


class CachedModel:
    """A model in memory, and its ablations, which share its weights. Visitors share them all."""

    def __init__(self, pretrained: Pretrained, stack: Stack) -> None:
        self.pretrained, self.stack = pretrained, stack
        self.in_memory = sum(parameter.nbytes for parameter in pretrained.model.parameters())
        self.device = choose_device()

        @lru_cache(maxsize=VARIANTS)
        def variant(config: ModelConfig) -> Stack:
            other = guarded(with_configs(stack, config))
            assert isinstance(other, Stack)
            return other

        self._variant = variant

    def variant(self, config: ModelConfig) -> Stack:
        """Return the model with other switches; raises ValueError if it lacks the weights for them."""
        return self.stack if config == self.stack.config else self._variant(config)


REVISION = 7
"""Number of characters of a revision in the name of a folder in a cache of the hub."""

_kept: OrderedDict[Path, CachedModel] = OrderedDict()
_checked: LRUCache[tuple[Path, Stamp], FolderSummary | str] = LRUCache(MOST_CHECKED)
_lock = Lock()

# One model is read at a time, because two would count on the same free memory. Models that are already loaded
# need not wait.
_reading = Lock()


def models() -> dict[str, Path]:
    """Return the folders with a model by their names, those of this checkout first.

    The others are in places that the operator names, or a few levels below. If several folders share a name,
    all but the first have their parents' names too.
    """
    named = filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))
    places = (FOLDER.parent, *(Path(os.path.abspath(os.path.expanduser(one))) for one in named))
    return dict(found_folders(places))


@cachetools.cached(TTLCache(1, LASTS), lock=Lock())
def found_folders(places: tuple[Path, ...]) -> dict[str, Path]:
    """Return the folders by unique names; a folder found twice, or through a link, is listed once."""
    once: dict[tuple[str, str], Path] = {}
    for folder in chain.from_iterable(map(folders_with_models, places)):
        once.setdefault((folder.name, os.path.realpath(folder)), folder)
    found: dict[str, Path] = {}
    for folder in once.values():
        with_parents = (_name(folder, n_above) for n_above in range(len(folder.absolute().parts)))
        spellings = chain(with_parents, (f"{_name(folder, 0)} ({at})" for at in count(2)))
        found[next(name for name in spellings if name not in found)] = folder
    return found


def folders_with_models(place: Path) -> list[Path]:
    """Return the folders with a model in a place, or a few levels below it."""
    found, ahead, n_searched = [], deque([(place, DEPTH)]), 0
    while ahead and n_searched < MOST_SEARCHED:
        folder, depth = ahead.popleft()
        n_searched += 1
        if os.path.isfile(folder / "config.json"):
            found.append(folder)
        is_cached = folder.name.startswith(CACHED)
        if is_cached or depth > 0:
            below = folder / SNAPSHOTS if is_cached else folder
            ahead.extend((one, 0 if is_cached else depth - 1) for one in _folders_in(below))
    return found


def _folders_in(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    named = (name for name in names if not name.startswith(".") and not MODULE.fullmatch(name))
    return [folder / name for name in named if os.path.isdir(folder / name)]


def path_below(name: str) -> str:
    """Return the path of a model below the models of this checkout; the name for a model elsewhere."""
    folder = models().get(name)
    if folder is None or not folder.is_relative_to(FOLDER.parent):
        return name
    return folder.relative_to(FOLDER.parent).as_posix()


def _name(folder: Path, n_above: int) -> str:
    """Return the name of a folder with this many parents; a revision in a cache of the hub counts as one."""
    *above, cache, snapshots, own = ("", "", *folder.absolute().parts)
    if cache.startswith(CACHED) and snapshots == SNAPSHOTS:
        in_hub = cache.removeprefix(CACHED).replace("--", "/")
        own = f"{in_hub}@{own[:REVISION]}" if n_above else in_hub
        n_above = max(0, n_above - 1)
    else:
        above = [*above, cache, snapshots]
    return visible_text("/".join([*above[len(above) - n_above :], own]))


def about(folder: Path) -> FolderSummary:
    """Return a description of a folder, without its numbers; raises FolderError if `read` would."""
    key = folder, _stamp(folder)
    with _lock:
        known = _checked.get(key)
    if known is None:
        try:
            known = _check(folder)
        except OSError as error:  # not cached: it may work the next time
            raise FolderError(f"the disk says {error.strerror}") from error
        except Exception as error:  # a folder may hold anything, and must not break the page
            raise FolderError(f"reading it failed with {type(error).__name__}: {error}") from error
        _note(key, known)
    if isinstance(known, str):
        raise FolderError(known)
    return known


def _stamp(folder: Path) -> Stamp:
    """Return the names, times of change and sizes of the files in a folder."""
    try:
        with os.scandir(folder) as files:
            return tuple(sorted(_state_of(file) for file in files))
    except OSError:
        return ()


def _state_of(file: "os.DirEntry[str]") -> tuple[str, int, int]:
    try:
        found = file.stat()
    except OSError:  # a link to nothing
        return file.name, 0, 0
    return file.name, found.st_mtime_ns, found.st_size


def _check(folder: Path) -> FolderSummary | str:
    """Return a description of a folder, or why it cannot be read."""
    try:
        found = outline_of(folder)
        n_parameters = sum(tensor.numel() for tensor in read_outlines(folder).values())
        return FolderSummary(found.family, n_parameters, bytes_on_disk(folder), _lacks(found))
    except FolderError as error:
        return str(error)


def _lacks(found: Pretrained) -> str:
    """Return why a model cannot read any text, as the predicate of a sentence; empty if it can."""
    if found.tokenizer is None:
        return NO_TOKENIZER
    around = found.tokenizer.encode("").pieces
    return NO_ROW_FOR_ALL * any(piece.token >= found.configs[0].vocab_size for piece in around)


def _note(key: tuple[Path, Stamp], known: FolderSummary | str) -> None:
    """Cache a description of a folder, until one of its files changes."""
    with _lock:
        _checked[key] = known


def is_pair(folder: Path) -> bool:
    """Return whether a folder has an encoder–decoder, without reading numbers."""
    try:
        return family_of(read_json(folder / "config.json")).is_pair
    except (FolderError, OSError):
        return False


def is_large(folder: Path) -> bool:
    """Return whether a model not in memory is loaded only on request; raises FolderError."""
    room = _room()
    return room is not None and SHARE * room < about(folder).in_memory <= room


def load_cached(folder: Path, *, asked: bool = False) -> CachedModel:
    """Return the model in a folder, from memory if there; the least recently used one makes room.

    Waits for a model that is being read. Raises FolderError, MemoryShortError, and LargeModelError unless
    `asked`.
    """
    if (found := _recalled(folder)) is not None:
        return found
    with _reading:
        if (found := _recalled(folder)) is not None:
            return found
        known = about(folder)
        _check_memory(known, _room(), asked=asked)
        _make_room(known.in_memory)
        STORE.make_room(known.in_memory)
        try:
            found = on_device(read(folder, half=choose_device().type == "cuda"))
        except ReplacedError:  # not cached: another try may read it
            raise
        except FolderError as error:
            _note((folder, _stamp(folder)), str(error))
            raise
        with _lock:
            _kept[folder] = found
        return found


def in_memory(folder: Path) -> bool:
    """Return whether the model of a folder is loaded."""
    return folder in _kept


def forget_all() -> None:
    """Drop all models."""
    with _lock:
        _kept.clear()


def most_kept() -> int:
    """Return the greatest number of models kept in memory: at least one."""
    setting = os.environ.get(KEPT, "")
    return max(1, int(setting)) if setting.isdecimal() else USUALLY_KEPT


def _recalled(folder: Path) -> CachedModel | None:
    """Return the model in a folder if it is in memory on the device in use, and mark it as used."""
    with _lock:
        if folder in _kept and _kept[folder].device != choose_device():
            del _kept[folder]
        if folder in _kept:
            _kept.move_to_end(folder)
        return _kept.get(folder)


def _make_room(needs: int) -> None:
    """Drop the least recently used models until there are few and `needs` bytes are free."""
    with _lock:
        while _kept:
            free = free_memory()
            if len(_kept) < most_kept() and (free is None or free >= needs):
                return
            _kept.popitem(last=False)
            give_back()


def _room() -> int | None:
    """Return the bytes that a model can have if all others leave."""
    free = free_memory()
    with _lock:
        return None if free is None else free + sum(kept.in_memory for kept in _kept.values())


def _check_memory(known: FolderSummary, room: int | None, *, asked: bool) -> None:
    if room is None:
        return
    needs, there = f"{known.in_memory / 1e9:.1f} GB", f"{room / 1e9:.1f} GB"
    if known.in_memory > room:
        raise MemoryShortError(f"it needs {needs} of memory, and {there} is free")
    if not asked and known.in_memory > SHARE * room:
        raise LargeModelError(f"it needs {needs} of the {there} of free memory")


def on_device(found: Pretrained) -> CachedModel:
    """Move a model to its device; the encoder of a pair reads single sentences."""
    model = found.model
    with torch.no_grad():
        guarded(model).requires_grad_(False).to(choose_device())
        return CachedModel(found, model.encoder if isinstance(model, EncoderDecoder) else model)
