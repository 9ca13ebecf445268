"""Plain arrays that visitors share: nobody can change them, and it is known how much memory they hold."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor, nn


def read_only(array: np.ndarray) -> np.ndarray:
    """The array itself, locked."""
    array.flags.writeable = False
    return array


def array_of(tensor: Tensor) -> np.ndarray:
    """The numbers of `tensor`, read-only; those of a tensor on the CPU are shared and not copied."""
    return read_only(tensor.cpu().numpy())


def bytes_held(found: Any) -> int:
    """The memory that the arrays, tensors and tables in a result hold: of a part of an array, all of it.

    Looks into what results are made of: tuples, lists, sets, mappings, modules, and objects with fields.
    """
    return sum(_storages(found, set()).values())


def _storages(found: Any, met: set[int]) -> dict[int, int]:
    """The bytes of each piece of memory in `found`, by where it lies; `met` is what has been looked into."""
    if found is None or isinstance(found, str | bytes | int | float | complex | type) or id(found) in met:
        return {}
    met.add(id(found))
    if isinstance(found, Tensor):
        return {found.untyped_storage().data_ptr(): found.untyped_storage().nbytes()}
    if isinstance(found, np.ndarray):
        whole = found.base
        return {id(found): found.nbytes} if whole is None else _storages(whole, met)
    if isinstance(found, pd.DataFrame | pd.Series):
        return {id(found): int(np.sum(found.memory_usage(deep=True)))}
    held: dict[int, int] = {}
    for part in _parts(found):
        held |= _storages(part, met)
    return held


def _parts(found: Any) -> list[Any]:
    if isinstance(found, nn.Module):
        return [*found.parameters(), *found.buffers()]
    if isinstance(found, Mapping):
        return [*found, *found.values()]
    if isinstance(found, list | tuple | set | frozenset):
        return list(found)
    return list(getattr(found, "__dict__", {}).values())
