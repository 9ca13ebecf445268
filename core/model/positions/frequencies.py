"""The frequencies that sinusoids and rotary positions share: one for each pair of dimensions."""

import torch
from jaxtyping import Float
from torch import Tensor

LONGEST_WAVELENGTH = 10_000.0


def angles(
    n_positions: int, width: int, *, base: float = LONGEST_WAVELENGTH
) -> Float[Tensor, "position pair"]:
    """p · base^(−2i/width) in radians for position p and pair of dimensions i, in double precision."""
    frequencies = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.arange(n_positions, dtype=torch.float64)[:, None] * frequencies
