"""Plain arrays that visitors share: nobody can change them."""

import numpy as np
from torch import Tensor


def read_only(array: np.ndarray) -> np.ndarray:
    """The same array, locked."""
    array.flags.writeable = False
    return array


def array_of(tensor: Tensor) -> np.ndarray:
    """The numbers of `tensor`, read-only; those of a tensor on the CPU are shared and not copied."""
    return read_only(tensor.cpu().numpy())
