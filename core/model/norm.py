"""Normalisation of each token by its mean and standard deviation, or by its root mean square."""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

NormKind = Literal["layer", "rms"]

EPSILON = 1e-5
"""Added to the variance, so that a constant vector gives zeros and not NaN."""


def layer_norm(
    x: Float[Tensor, "*batch d_model"], *, epsilon: float = EPSILON
) -> Float[Tensor, "*batch d_model"]:
    """Return `x` less its mean, divided by its standard deviation, over the last axis.

    See CS 224N note eq 27–28. The variance is the mean squared deviation, divided by d and not by d − 1. Uses
    torch's own operation: written out it is eight operations, which take a tenth of the time of training a
    small model.
    """
    return functional.layer_norm(x, x.shape[-1:], eps=epsilon)


class LayerNorm(nn.Module):
    """Layer normalisation with a learned gain and bias per dimension."""

    def __init__(self, d_model: int, *, epsilon: float = EPSILON) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        return functional.layer_norm(x, x.shape[-1:], self.gain, self.bias, self.epsilon)


class RMSNorm(nn.Module):
    """Each token divided by its root mean square, with a learned gain (Zhang & Sennrich 2019)."""

    def __init__(self, d_model: int, *, epsilon: float = EPSILON) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        return functional.rms_norm(x, x.shape[-1:], self.gain, self.epsilon)


def make_norm(kind: NormKind, width: int, *, epsilon: float) -> LayerNorm | RMSNorm:
    """Return a norm of a kind over vectors of this width."""
    return (RMSNorm if kind == "rms" else LayerNorm)(width, epsilon=epsilon)
