"""Layer normalisation: each token by its own mean and standard deviation."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

EPSILON = 1e-5
"""Added to the variance, as torch does, so that a constant vector gives zeros and not NaN."""


def layer_norm(x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
    """`x` less its mean, divided by its standard deviation, over the last axis (CS 224N note eq 27–28).

    The variance is the mean squared deviation, divided by d and not by d − 1.
    """
    deviation = x - x.mean(dim=-1, keepdim=True)
    variance = deviation.square().mean(dim=-1, keepdim=True)
    return deviation / torch.sqrt(variance + EPSILON)


class LayerNorm(nn.Module):
    """Layer normalisation with a learned gain and bias per dimension."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        return layer_norm(x) * self.gain + self.bias
