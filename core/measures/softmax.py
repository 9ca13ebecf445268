"""Softmax over the last axis of an array: its weights, their entropy, and how they answer to scores."""

import numpy as np
from jaxtyping import Bool, Float

Scores = Float[np.ndarray, "*row key"]
Weights = Float[np.ndarray, "*row key"]


def softmax(scores: Scores, allowed: Bool[np.ndarray, "*row key"] | None = None) -> Weights:
    """The weights of each row, over the allowed keys where not all are.

    A row that may see nothing has no weight anywhere, as in `core.model.attention.attention_pattern`.
    """
    visible = scores if allowed is None else np.where(allowed, scores, -np.inf)
    largest = visible.max(axis=-1, keepdims=True)
    exponentials = np.exp(visible - np.where(np.isfinite(largest), largest, 0))
    sums = exponentials.sum(axis=-1, keepdims=True)
    return np.asarray(exponentials / np.where(sums > 0, sums, 1))


def entropy(weights: Weights) -> Float[np.ndarray, "*row"]:
    """Return −Σ p log₂ p of each row, in bits.

    log₂(keys) where all weigh the same, 0 where one has everything.
    """
    logarithms = np.log2(np.where(weights > 0, weights, 1))
    return np.asarray(0.0 - (weights * logarithms).sum(axis=-1))


def softmax_gradient(weights: Weights) -> Float[np.ndarray, "*row"]:
    """Size of the derivative of a softmax by its scores: the Frobenius norm of diag(p) − ppᵀ.

    0 where one key has all the weight: then no small change of the scores changes anything.
    """
    squares = (weights**2).sum(axis=-1)
    return np.asarray(np.sqrt(np.maximum(squares - 2 * (weights**3).sum(axis=-1) + squares**2, 0)))
