"""Sinusoidal positions: every pair of dimensions is the sine and the cosine of one frequency."""

import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor

from core.model.positions.base import PositionScheme, SchemeDescription, Sizes, Vectors
from core.model.positions.frequencies import angles


class Sinusoidal(PositionScheme):
    """Sines and cosines of falling frequency, added to the word vector."""

    about = SchemeDescription(
        title="sinusoidal positions",
        name="sinusoidal",
        in_brief="+ sines, cosines",
        says="The vector of a position has a sine and a cosine for each of many frequencies, from fast to "
        "slow.",
        formula=r"P_{i,\,2m} = \sin\!\left(i \,/\, 10000^{2m/d}\right) \qquad "
        r"P_{i,\,2m+1} = \cos\!\left(i \,/\, 10000^{2m/d}\right)",
        source="Vaswani et al. 2017",
    )

    def embed(self, x: Vectors) -> Vectors:
        return x + sinusoids(x.shape[1], x.shape[2]).to(x)

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        return """
            exponents = torch.arange(0, d_model, 2).double() / d_model
            angles = torch.arange(n).double()[:, None] / 10_000**exponents
            x = x + torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[:, :d_model].float()
        """


def sinusoids(n_positions: int, d_model: int) -> Float[Tensor, "position d_model"]:
    """Return sin(i / 10000^(2m/d)) in dimension 2m and the cosine in 2m + 1.

    See the FNLP slides and Vaswani et al. 2017, section 3.5.
    """
    turned = angles(n_positions, d_model)
    waves = torch.stack([turned.sin(), turned.cos()], dim=-1)
    return rearrange(waves, "position pair wave -> position (pair wave)")[:, :d_model]
