"""The gradient of the last block at initialisation, in models of more and more blocks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.model.blocks import Block
from core.model.config import ModelConfig, Norm
from core.sources import LoadedModel

DEPTHS = (2, 4, 8, 12, 24)
"""Numbers of blocks of the models that are compared."""

COMPARED: tuple[Norm, ...] = ("pre", "post")
"""Placements of the norm that theorem 1 of Xiong et al. 2020 is about."""


def last_block_gradients(
    fresh: Callable[[ModelConfig], LoadedModel],
    config: ModelConfig,
    *,
    norms: Sequence[Norm] = COMPARED,
    depths: Sequence[int] = DEPTHS,
) -> Mapping[Norm, Float[np.ndarray, "depth"]]:
    """Return the norm of the gradient of the last block's second feed-forward matrix, at each depth.

    The loss is the mean cross-entropy in nats of the next word among the different words of the sentence. The
    models are `fresh`, alike in everything but `config.norm` and the number of blocks. All is computed in
    double precision: 24 blocks without a norm lose a third of a gradient's digits to single. Of blocks
    without a feed-forward layer the matrix is the output matrix of their attention.

    Raises:
        ValueError: There are not two different words, so that there is nothing to guess.
    """
    return {
        norm: np.array([_of(fresh(replace(config, norm=norm, n_layers=depth))) for depth in depths])
        for norm in norms
    }


def expected_of_pre(depths: Sequence[int], first: float) -> Float[np.ndarray, "depth"]:
    """Return a curve that falls as 1/√L from `first` at the first of the depths."""
    return first * np.sqrt(depths[0] / np.array(depths, dtype=float))


def _of(new: LoadedModel) -> float:
    if len(set(new.words)) < 2:
        raise ValueError("there must be two different words at least, or the next one is no question")
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
