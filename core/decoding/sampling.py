"""Sampling of the next word: temperature, top-k and top-p."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

Probabilities = Float[Tensor, "vocab"]


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Settings of sampling: logits are divided by `temperature`, and some words may be left out.

    Candidates are at most the `top_k` likeliest words, and no more than add up to a probability of `top_p`
    (Holtzman et al. 2020, section 3.1). Raises ValueError for a value out of range.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.temperature < float("inf"):
            raise ValueError(f"temperature must be above 0 and finite, got {self.temperature}")
        if self.top_k is not None and self.top_k < 1:
            raise ValueError(f"top_k must be at least 1, got {self.top_k}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be above 0 and at most 1, got {self.top_p}")


def next_word_distribution(logits: Float[Tensor, "vocab"], sampling: Sampling) -> Probabilities:
    """Return the distribution of the next word on the CPU in double precision, the same on any device."""
    probabilities = (logits.detach().cpu().double() / sampling.temperature).softmax(dim=-1)
    left = probabilities * candidate_words(probabilities, sampling)
    return left / left.sum()


def candidate_words(probabilities: Probabilities, sampling: Sampling) -> Bool[Tensor, "vocab"]:
    """Return the candidates: the likeliest words within `top_k` and `top_p`; of equals the first."""
    order = probabilities.argsort(descending=True, stable=True)
    ranked = probabilities[order]
    # A word stays while those before it have not reached top_p: the likeliest always stays.
    left = (ranked.cumsum(0) - ranked) < sampling.top_p
    if sampling.top_k is not None:
        left[sampling.top_k :] = False
    return torch.zeros_like(left).scatter(0, order, left)


def sample_by_inverse_cdf(probabilities: Probabilities, chance: float) -> int:
    """Return the word at which the cumulative probabilities, in the vocabulary's order, exceed `chance`."""
    totals = probabilities.cumsum(0)
    found = int(torch.searchsorted(totals, torch.tensor(chance, dtype=totals.dtype), right=True))
    # Rounding may leave the last total below 1; then the last possible word is drawn.
    return min(found, int(probabilities.nonzero()[-1]))
