"""Gradients at initialisation: how strongly the loss pulls at the weights of every block of a deep model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float
from torch import nn
from torch.nn.functional import cross_entropy

from core.model.config import NORMS, ModelConfig, Norm
from core.sources import LoadedModel

DEPTHS = (2, 4, 8, 12, 24)
"""The numbers of layers that can be compared."""


@dataclass(frozen=True)
class DepthGradients:
    """The loss of a model that has learned nothing, and the gradient norm of every block, from the first on.

    `loss` is the mean cross-entropy in nats of the next word. A block's norm is the length of the gradient
    of that loss by all of the block's matrices together. Both are computed in double precision: 24 blocks
    without a norm between them lose a third of a gradient's digits to single.
    """

    loss: float
    blocks: Float[np.ndarray, "layer"]


def gradients_at_start(
    fresh: Callable[[ModelConfig], LoadedModel],
    config: ModelConfig,
    *,
    n_layers: int,
    norms: Sequence[Norm] = NORMS,
) -> dict[Norm, DepthGradients]:
    """What a backward pass finds in `fresh` models `n_layers` deep, one for each of the `norms`.

    The models are made one after the other, and nobody else has them. They guess the next of their words
    among the different ones of them, and are alike in everything but `config.norm`. Xiong et al. 2020 look at
    the same gradients (section 3). Raises ValueError unless there are two different words: else there is
    nothing to guess.
    """
    deep = replace(config, n_layers=n_layers)
    return {norm: _gradients(fresh, replace(deep, norm=norm)) for norm in norms}


def _gradients(fresh: Callable[[ModelConfig], LoadedModel], config: ModelConfig) -> DepthGradients:
    with torch.inference_mode(mode=False), torch.enable_grad():
        new = fresh(config)
        if len(set(new.words)) < 2:
            raise ValueError("there must be two different words at least, or the next one is no question")
        model, tokens = new.model.double(), new.tokens
        loss = cross_entropy(model(tokens)[0, :-1], tokens[0, 1:])
        torch.autograd.backward(loss)
    blocks = np.array([_gradient_norm(block) for block in model.blocks])
    blocks.flags.writeable = False
    return DepthGradients(loss.item(), blocks)


def _gradient_norm(block: nn.Module) -> float:
    """The length of the gradients of all its matrices, taken as one vector."""
    squares = [p.grad.square().sum() for p in block.parameters() if p.ndim == 2 and p.grad is not None]
    return float(torch.stack(squares).sum().sqrt())
