"""The gradient of the last block at initialisation, in models of more and more blocks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.measures.blocks.gradients import DEPTHS
from core.model.blocks import Block
from core.model.config import ModelConfig, Norm
from core.sources import LoadedModel

COMPARED: tuple[Norm, ...] = ("pre", "post")
"""The placements of the norm that theorem 1 of Xiong et al. 2020 is about."""


def last_block_gradients(
    fresh: Callable[[ModelConfig], LoadedModel], config: ModelConfig, *, depths: Sequence[int] = DEPTHS
) -> Mapping[Norm, Float[np.ndarray, "depth"]]:
    """The norm of the gradient of the last block's second feed-forward matrix, at each of the `depths`.

    The loss is that of `gradients_at_start`, in double precision too. Of blocks without a feed-forward layer
    it is the output matrix of their attention.
    """
    return {
        norm: np.array([_of(fresh(replace(config, norm=norm, n_layers=depth))) for depth in depths])
        for norm in COMPARED
    }


def expected_of_pre(depths: Sequence[int], first: float) -> Float[np.ndarray, "depth"]:
    """What falls as 1/√L from `first` at the first of the depths."""
    return first * np.sqrt(depths[0] / np.array(depths, dtype=float))


def _of(new: LoadedModel) -> float:
    with torch.inference_mode(mode=False), torch.enable_grad():
        model, tokens = new.model.double(), new.tokens
        loss = cross_entropy(model(tokens)[0, :-1], tokens[0, 1:])
        (gradient,) = torch.autograd.grad(loss, [_matrix(model.blocks[-1])])
    return float(gradient.norm())


def _matrix(block: object) -> Tensor:
    assert isinstance(block, Block)
    linear = block.mlp.contract if block.has_mlp else block.attention.output
    weight: Tensor = linear.weight
    return weight
