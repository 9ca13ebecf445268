"""A model in double precision, part by part, because a whole copy of a large one would not fit."""

from copy import deepcopy
from typing import Any

import torch
from torch import nn

from core.model.models import Stack


def doubled(model: Stack) -> Stack:
    """Return a model on the CPU that computes in double precision what `model` computes in single.

    Both share their weights in memory. Each part converts them while it computes, a block at a time; of a
    table of vectors only the rows looked up are converted.
    """
    with torch.no_grad():
        shared: dict[int, Any] = {
            id(weight): nn.Parameter(weight.detach().cpu(), requires_grad=False)
            for weight in model.parameters()
        }
        copy = deepcopy(model, shared).cpu()
        children = [part for name, part in copy.named_children() if name not in ("blocks", "positions")]
        for part in (*children, *copy.blocks):
            if isinstance(part, nn.Embedding):
                part.register_forward_hook(lambda part, given, found: found.double())
            else:
                _double_while_it_computes(part)
        # A position scheme is called in other ways than by a forward pass.
        copy.positions = deepcopy(copy.positions).double()
        return copy


def _double_while_it_computes(part: nn.Module) -> None:
    singles = {weight: weight.data for weight in part.parameters()}

    def begin(*_: object) -> None:
        for weight, single in singles.items():
            weight.data = single.double()

    def end(*_: object) -> None:
        for weight, single in singles.items():
            weight.data = single

    part.register_forward_pre_hook(begin)
    part.register_forward_hook(end, always_call=True)
