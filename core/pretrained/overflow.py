"""Numbers too large to go on with: weights may be finite and what is computed with them not."""

from typing import TypeVar

import torch
from torch import Tensor, nn

from core.unavailable import UnavailableError

M = TypeVar("M", bound=nn.Module)

LARGEST_COMPUTED = 1e15
"""The largest number that a part of a model may give: its square, and sums of those, are finite too."""


def guarded(model: M) -> M:
    """Let every part of a model check what it gives; they raise UnavailableError, so that views say why."""
    for part in model.modules():
        part.register_forward_hook(_check)
    return model


def _check(part: nn.Module, given: object, found: object) -> None:
    if not (isinstance(found, Tensor) and found.is_floating_point() and found.numel()):
        return
    largest = float(torch.linalg.vector_norm(found.detach(), ord=torch.inf))
    if not largest <= LARGEST_COMPUTED:  # NaN compares with nothing
        raise UnavailableError(
            "From this text the model computes numbers beyond 10¹⁵, too large to be shown: its weights may "
            "be damaged. Choose another model."
        )
