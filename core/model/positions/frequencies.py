"""The frequencies that sinusoids and rotary positions share: one for each pair of dimensions."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

LONGEST_WAVELENGTH = 10_000.0


@dataclass(frozen=True, kw_only=True)
class RotaryScaling:
    """Slower rotations, with which a model reads longer texts than in its first training.

    Every frequency is divided by `factor` (Chen et al. 2023). With a `trained_length`, the length of the
    texts of the first training, only slow frequencies are divided (Llama 3.1). Frequencies with at least
    `fast_turns` turns within this length do not change. Frequencies with at most `slow_turns` are divided.
    Between both, the frequency is interpolated.
    """

    factor: float
    trained_length: int | None = None
    slow_turns: float = 1.0
    fast_turns: float = 4.0

    def slowed(self, frequencies: Float[Tensor, "pair"]) -> Float[Tensor, "pair"]:
        """Return the frequencies that a model with this scaling rotates at."""
        if self.trained_length is None:
            return frequencies / self.factor
        turns = self.trained_length * frequencies / (2 * math.pi)
        kept = ((turns - self.slow_turns) / (self.fast_turns - self.slow_turns)).clamp(0, 1)
        return frequencies * (kept + (1 - kept) / self.factor)


def angles(
    n_positions: int,
    width: int,
    *,
    base: float = LONGEST_WAVELENGTH,
    scaling: RotaryScaling | None = None,
) -> Float[Tensor, "position pair"]:
    """Return p · base^(−2i/width) in radians for position p and pair i, in double precision."""
    frequencies = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    if scaling is not None:
        frequencies = scaling.slowed(frequencies)
    return torch.arange(n_positions, dtype=torch.float64)[:, None] * frequencies
