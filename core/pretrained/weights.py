"""The tensors of a folder by name, with a record of those used."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import torch
from einops import rearrange
from safetensors import SafetensorError, safe_open
from torch import Tensor

from core.pretrained.bounds import check_header, load_json
from core.pretrained.errors import FolderError, NumbersError, ReplacedError

T = TypeVar("T")

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"

POINTER = b"version https://git-lfs.github.com/spec/"
"""The first bytes of a pointer file of Git LFS."""

HEADS = r"(classifier|pre_classifier|qa_outputs|score|classification_head|cls\.seq_relationship)\..*"
"""Names of the tensors of a head that solves another task than predicting words."""

DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
DTYPES |= {"F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2}
DTYPES |= {"I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}
"""Types of numbers in safetensors; all others count as whole numbers of 64 bits."""


@dataclass(frozen=True, eq=False)
class Stored:
    """A tensor in a file, read when needed; `outline` is its shape and type."""

    path: Path
    name: str
    outline: Tensor
    state: tuple[int, ...]

    def read(self) -> Tensor:
        """Return the tensor in its own memory map, closed when the tensor is freed; raises FolderError."""
        with _opened(self.path) as file:
            tensor: Tensor = file.get_tensor(self.name)
        if _state_of(self.path) != self.state:
            raise ReplacedError(f"{self.path.name} was replaced while it was read: read the folder again")
        return tensor


class Weights:
    """Tensors by name, which a family may replace, split and rename; `problems` lists what was wrong.

    All used tensors have one `dtype`.
    """

    def __init__(
        self, tensors: Mapping[str, Tensor | Stored], *, prefix: str = "", dtype: torch.dtype = torch.float32
    ) -> None:
        self._dtype = dtype
        self._tensors = {name.removeprefix(prefix): tensor for name, tensor in tensors.items()}
        self._used: set[str] = set()
        self.problems: list[str] = []
        if len(self._tensors) < len(tensors):
            raise FolderError(f"some tensors have the same name with and without {prefix}")

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._tensors))

    def use(self, name: str, shape: Iterable[int]) -> Tensor:
        """Return a tensor; raises FolderError unless it is there and of this shape."""
        if name not in self._tensors:
            raise FolderError(f"{name} is missing")
        tensor, expected = self._outline(name), tuple(shape)
        self._used.add(name)  # used, even if it is refused below
        if tuple(tensor.shape) != expected:
            raise FolderError(f"{name} must have shape {expected}, got {tuple(tensor.shape)}")
        if not tensor.is_floating_point():
            raise FolderError(f"{name} must hold floating point numbers, got {tensor.dtype}")
        numbers = self._numbers(name).to(self._dtype)
        check_finite(name, numbers)
        return numbers

    def n_rows(self, name: str) -> int:
        """Return the number of rows of a matrix; 0 if there is none of this name."""
        shape = self._outline(name).shape if name in self._tensors else ()
        return int(shape[0]) if len(shape) == 2 else 0

    def take(self, name: str, shape: Iterable[int]) -> Tensor:
        """Return the result of `use` and remove it; a missing tensor is noted and has no numbers here."""
        expected = tuple(shape)
        try:
            tensor = self.use(name, expected)
        except (NumbersError, ReplacedError):
            raise
        except FolderError as error:
            self.problems.append(str(error))
            tensor = torch.empty(expected, device="meta")
        self._tensors.pop(name, None)
        return tensor

    def put(self, name: str, tensor: Tensor) -> None:
        """Add a tensor; raises FolderError if the folder has an unknown one of this name."""
        if name in self._tensors:
            raise FolderError(f"{name} is not known")
        # Copying a part frees the whole; one repeated number needs no copy.
        self._tensors[name] = tensor if 0 in tensor.stride() else tensor.contiguous()

    def separate(self, fused: str, d_model: int, rows: str, **sizes: int) -> None:
        """Replace a fused map by queries, keys and values; `rows` is their layout in einops."""
        for kind, shape in {"weight": (3 * d_model, d_model), "bias": (3 * d_model,)}.items():
            parts = rearrange(self.take(f"{fused}.{kind}", shape), rows, part=3, **sizes)
            for part, tensor in zip(("query", "key", "value"), parts, strict=True):
                self.put(f"{fused}.{part}.{kind}", tensor)

    def merge(self, copy: str, original: str) -> None:
        """Merge two names of one tensor, if both are there and equal or only the copy is."""
        if copy not in self._tensors:
            return
        if original not in self._tensors:
            self._tensors[original] = self._tensors.pop(copy)
        elif same(self._numbers(copy), self._numbers(original)):
            del self._tensors[copy]
        else:  # NaN equals nothing, not even itself
            check_finite(copy, self._numbers(copy))
            check_finite(original, self._numbers(original))

    def _outline(self, name: str) -> Tensor:
        found = self._tensors[name]
        return found.outline if isinstance(found, Stored) else found

    def _numbers(self, name: str) -> Tensor:
        found = self._tensors[name]
        return found.read() if isinstance(found, Stored) else found

    def unused(self) -> list[str]:
        return sorted(set(self._tensors) - self._used)


def check_finite(name: str, tensor: Tensor) -> None:
    """Raise NumbersError for a tensor with a number that is infinite or NaN."""
    if not tensor.is_floating_point() or tensor.is_meta or not tensor.numel():
        return
    bad = next((bound for bound in map(float, tensor.aminmax()) if not math.isfinite(bound)), None)
    if bad is not None:
        raise NumbersError(f"{name} must hold finite numbers, got {bad}")


def same(one: Tensor, other: Tensor) -> bool:
    """Return whether two tensors are equal; without numbers, whether their shapes are."""
    return one.shape == other.shape if one.is_meta or other.is_meta else torch.equal(one, other)


def bytes_on_disk(folder: Path) -> int:
    """Return the bytes of the files with weights in a folder."""
    return sum((folder / file).stat().st_size for file in _files(folder))


def read_outlines(folder: Path) -> dict[str, Tensor]:
    """Return the shape and the type of every tensor in the safetensors of a folder; raises FolderError."""
    return _in_files(folder, _outlines_in)


def read_tensors(folder: Path, dtype: torch.dtype = torch.float32) -> dict[str, Tensor | Stored]:
    """Return every tensor in the safetensors of a folder; raises FolderError.

    Tensors of this `dtype` lie in a read-only mapping of their file, which processes share. All others have
    to be copied, and are read when needed, so that only one at a time is in memory twice.
    """
    return _in_files(folder, partial(_tensors_in, dtype=dtype))


def half_precision(tensors: Iterable[Tensor]) -> torch.dtype | None:
    """Return the 16-bit type of all floating point numbers of a folder, if there is one."""
    dtypes = {tensor.dtype for tensor in tensors if tensor.is_floating_point()}
    return next(iter(dtypes)) if dtypes in ({torch.float16}, {torch.bfloat16}) else None


def _in_files(folder: Path, tensors_in: Callable[[Path], Mapping[str, T]]) -> dict[str, T]:
    tensors: dict[str, T] = {}
    for file, names in _files(folder).items():
        found = tensors_in(folder / file)
        if names is not None and names != set(found):
            raise FolderError(
                f"{INDEX} and {file} disagree about {', '.join(sorted(names ^ set(found))[:5])}"
            )
        tensors |= found
    return tensors


def _files(folder: Path) -> Mapping[str, set[str] | None]:
    """Return the files with weights, each with the tensors that it must have if an index lists them."""
    if (folder / WEIGHTS).is_file():
        return {WEIGHTS: None}
    if not (folder / INDEX).is_file():
        pickled = any(folder.glob("*.bin")) or any(folder.glob("*.pt"))
        other = ": it has a pickle, which could run code when it is opened" if pickled else ""
        raise FolderError(f"the folder has neither {WEIGHTS} nor {INDEX}{other}")
    listed = read_json(folder / INDEX).get("weight_map")
    if not isinstance(listed, dict) or not all(isinstance(file, str) for file in listed.values()):
        raise FolderError(f"{INDEX} has no weight_map of tensors and files")
    files: dict[str, set[str]] = {}
    for name, file in listed.items():
        if Path(file).name != file or not file.endswith(".safetensors"):
            raise FolderError(f"{INDEX} must name safetensors beside it, got {file!r}")
        files.setdefault(file, set()).add(name)
    return files


def _outlines_in(path: Path) -> dict[str, Tensor]:
    with _opened(path) as file:
        names = file.keys()
        return {name: _outline(file.get_slice(name)) for name in names}


def _tensors_in(path: Path, *, dtype: torch.dtype) -> dict[str, Tensor | Stored]:
    state = _state_of(path)
    with _opened(path) as file:
        names = file.keys()
        outlines = {name: _outline(file.get_slice(name)) for name in names}
        return {
            name: file.get_tensor(name) if outline.dtype == dtype else Stored(path, name, outline, state)
            for name, outline in outlines.items()
        }


def _state_of(path: Path) -> tuple[int, ...]:
    """Return the identity of a file at its place; empty if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _outline(part: Any) -> Tensor:
    """Return a tensor without numbers, of the shape and type in a file."""
    dtype = DTYPES.get(part.get_dtype(), torch.int64)
    return torch.empty(part.get_shape(), dtype=dtype, device="meta")


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open the file at `path` and yield it; errors of its content become FolderError."""
    try:
        check_header(path)
        with safe_open(path, framework="pt") as file:
            yield file
    except FileNotFoundError as error:
        raise FolderError(f"{path.name} is missing") from error
    except (SafetensorError, TypeError, RuntimeError) as error:  # torch does not support every shape
        say_if_pointer(path)
        raise FolderError(f"{path.name} is damaged: {error}") from error
    except OSError as error:
        raise FolderError(f"{path.name} cannot be opened: {error.strerror or error}") from error


def say_if_pointer(path: Path) -> None:
    """Raise FolderError for a pointer of Git LFS, with the remedy."""
    with path.open("rb") as file:
        if file.read(len(POINTER)) == POINTER:
            raise FolderError(
                f"{path.name} is a pointer of Git LFS in place of the file: run `git lfs pull` in the folder"
            )


def read_json(path: Path) -> dict[str, object]:
    """Return the object in a JSON file; raises FolderError."""
    try:
        values = load_json(path)
    except FileNotFoundError as error:
        raise FolderError(f"the folder has no {path.name}") from error
    except OSError as error:
        raise FolderError(f"{path.name} cannot be opened: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        say_if_pointer(path)
        raise FolderError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise FolderError(f"{path.name} must hold an object, got {type(values).__name__}")
    return values
