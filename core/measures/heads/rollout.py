"""Several heads at a time: the mean over the heads of a layer, and attention rolled out over layers."""

import numpy as np
from jaxtyping import Float

Matrix = Float[np.ndarray, "query key"]
Patterns = Float[np.ndarray, "layer head query key"]

RESIDUAL_SHARE = 0.5
"""How much of a state a layer is taken to hand on unchanged, past its attention."""


def mean_over_heads(patterns: Patterns) -> Float[np.ndarray, "layer query key"]:
    """The mean pattern of every layer."""
    return patterns.mean(axis=1, dtype=np.float64)


def steps(patterns: Patterns, *, residual: bool = True) -> Float[np.ndarray, "layer query key"]:
    """The origin of each word's state in one layer: half from attention, half from the word itself.

    0.5·A + 0.5·I with A the mean over heads, each row divided by its sum (Abnar and Zuidema 2020, section
    3). Without residual connections a layer hands nothing on past its attention, and the step is A. A row
    of a query that may see nothing, and hands nothing on, stays zero.
    """
    attention = mean_over_heads(patterns)
    if residual:
        attention = (1 - RESIDUAL_SHARE) * attention + RESIDUAL_SHARE * np.eye(attention.shape[-1])
    sums = attention.sum(axis=-1, keepdims=True)
    return np.divide(attention, sums, out=np.zeros_like(attention), where=sums > 0)


def rollout(patterns: Patterns, *, residual: bool = True) -> Matrix:
    """How much of each word's state after the last of these layers comes from each word of the sentence.

    The product of the steps, the last layer's on the left (Abnar and Zuidema 2020, equation 1): the sum
    over all paths from the query down to the key, each the product of the shares along it.
    """
    first, *others = steps(patterns, residual=residual)
    rolled: Matrix = first
    for step in others:
        rolled = step @ rolled
    return rolled
