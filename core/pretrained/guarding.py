"""A guard of computed numbers: finite weights may compute infinite ones, which cannot be drawn."""

import math
from typing import TypeVar

import torch
from torch import Tensor, nn

from core.unavailable import UnavailableError

M = TypeVar("M", bound=nn.Module)

LARGEST_COMPUTED = 1e15
"""The largest number that a part of a model may compute: sums of its square are finite too."""


def guarded(model: M) -> M:
    """Let every part of a model check its output, and raise UnavailableError with a sentence.

    An `Identity` returns its input, which another part has checked.
    """
    for part in model.modules():
        if not isinstance(part, nn.Identity):
            part.register_forward_hook(_check_numbers)
    return model


def _check_numbers(part: nn.Module, given: object, found: object) -> None:
    if not (isinstance(found, Tensor) and found.is_floating_point() and found.numel()):
        return
    largest = _largest(found.detach())
    if found.dtype == torch.float16 and not math.isfinite(largest):
        raise UnavailableError(
            "From this text the model computes numbers beyond 65,504, the largest that its 16 bits can hold. "
            "Choose another text or another model."
        )
    if not largest <= LARGEST_COMPUTED:  # NaN compares with nothing
        raise UnavailableError(
            "From this text the model computes numbers beyond 10¹⁵, too large to be shown: its weights may "
            "be damaged. Choose another model."
        )


def _largest(numbers: Tensor) -> float:
    """Return the largest absolute value; NaN if one of the numbers is NaN.

    On a CPU torch (2.13) finds both ends several times as fast as this norm; a GPU computes the norm at once.
    """
    if numbers.device.type != "cpu":
        return float(torch.linalg.vector_norm(numbers, ord=torch.inf))
    least, most = numbers.aminmax()
    return max(-float(least), float(most))
