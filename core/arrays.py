"""Plain read-only arrays that visitors share, and the memory that results hold."""

import sys
from collections.abc import Mapping
from sys import getsizeof
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

NOT_OF_A_RESULT = (type, FunctionType, ModuleType, torch.device, torch.dtype)
"""Kinds of objects that exist anyway and belong to no result."""

PLAIN = (str, bytes, int, float, complex)
"""Kinds of objects that hold no other objects."""


def read_only(array: np.ndarray) -> np.ndarray:
    """Lock an array and return it."""
    array.flags.writeable = False
    return array


def array_of(tensor: Tensor) -> np.ndarray:
    """Return the numbers of `tensor` as a read-only array; a tensor on the CPU is shared, not copied."""
    return read_only(numbers_of(tensor))


def numbers_of(tensor: Tensor) -> np.ndarray:
    """Return the numbers of a tensor on any device; numbers of 16 bits become single precision."""
    single = tensor.detach().cpu()
    if single.dtype in (torch.bfloat16, torch.float16):
        single = single.float()
    found: np.ndarray = single.numpy()
    return found


def bytes_held(found: Any) -> int:
    """Return the bytes that a result holds, with its objects, arrays, tensors and tables.

    An object that may hold more later, or that would exist without the result, states the bytes to count as
    `most_bytes`.
    """
    met: set[int] = set()
    storages: dict[int, int] = {}
    rest, total = [found], 0
    while rest:
        one = rest.pop()
        if id(one) in met or isinstance(one, NOT_OF_A_RESULT):
            continue
        met.add(id(one))
        if isinstance(one, PLAIN):
            total += getsizeof(one)
            continue
        most = getattr(one, "most_bytes", None)
        if most is not None:
            total += most
        elif isinstance(one, Tensor):
            storages[one.untyped_storage().data_ptr()] = one.untyped_storage().nbytes()
        elif _is_table(one):
            total += int(np.sum(one.memory_usage(deep=True)))
        elif isinstance(one, np.ndarray) and one.base is not None:
            rest.append(one.base)
        else:
            total += getsizeof(one)
            rest += _parts(one)
    return total + sum(storages.values())


def _is_table(found: Any) -> bool:
    """Return whether this is a pandas table. It imports no pandas: a table has loaded it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(found, pandas.DataFrame | pandas.Series)


def _parts(found: Any) -> list[Any]:
    if isinstance(found, nn.Module):
        return [*found.parameters(), *found.buffers()]
    if isinstance(found, Mapping):
        return [*found, *found.values()]
    if isinstance(found, list | tuple | set | frozenset):
        return list(found)
    if isinstance(found, np.ndarray):
        return found.ravel().tolist() if found.dtype == object else []
    return list(getattr(found, "__dict__", {}).values())
