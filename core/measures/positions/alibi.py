"""Linear bias as numbers to look at: the note's form, the form of each head, and what a bias alone does."""

import numpy as np
import torch
from jaxtyping import Bool, Float

from core.model.masks import MASKS
from core.model.positions.alibi import alibi_slopes, linear_bias

NOTE_SLOPE = 1.0
"""The slope of CS 224N note eq 13, the same for every head."""


def slopes(n_heads: int) -> list[float]:
    """The slope of each head as ALiBi has it."""
    return alibi_slopes(n_heads).tolist()


def bias(n_words: int, slope: float) -> Float[np.ndarray, "query key"]:
    """What is added to the scores: −slope · distance."""
    return linear_bias(n_words, n_words, slopes=torch.tensor([slope], dtype=torch.float64))[0].numpy()


def alone(n_words: int, slope: float) -> Float[np.ndarray, "distance"]:
    """The weights that the last word gives to each distance back if it matches all words equally well."""
    last = linear_bias(n_words, n_words, slopes=torch.tensor([slope], dtype=torch.float64))[0, -1]
    return last.softmax(dim=-1).flip(0).numpy()


def allowed(mask: str, n_words: int) -> Bool[np.ndarray, "query key"]:
    """Which query may attend to which key under the mask a configuration names."""
    return MASKS[mask].allowed(n_words)[0, 0].numpy()
