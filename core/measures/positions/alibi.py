"""Linear bias as numbers: the slope in the note and in each head, and the weights of a bias alone."""

import numpy as np
import torch
from jaxtyping import Float

from core.model.positions.alibi import alibi_slopes, linear_bias

NOTE_SLOPE = 1.0
"""The slope of CS 224N note eq 13, the same for every head."""


def slopes(n_heads: int) -> list[float]:
    """The slope of each head as ALiBi has it."""
    return alibi_slopes(n_heads).tolist()


def alone(n_words: int, slope: float) -> Float[np.ndarray, "distance"]:
    """The weights that the last word gives to each distance back if it matches all words equally well."""
    last = linear_bias(n_words, n_words, slopes=torch.tensor([slope], dtype=torch.float64))[0, -1]
    return last.softmax(dim=-1).flip(0).numpy()
