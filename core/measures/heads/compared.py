"""Heads followed through layers, and matched between models."""

from functools import lru_cache
from itertools import permutations

import numpy as np
from jaxtyping import Float, Int

from core.arrays import read_only

Matrix = Float[np.ndarray, "query key"]
Patterns = Float[np.ndarray, "layer head query key"]

RESIDUAL_SHARE = 0.5
"""How much of a state a layer is taken to hand on unchanged, past its attention."""


def mean_over_heads(patterns: Patterns) -> Float[np.ndarray, "layer query key"]:
    """Return the mean pattern of every layer."""
    return patterns.mean(axis=1, dtype=np.float64)


def steps(patterns: Patterns, *, residual: bool = True) -> Float[np.ndarray, "layer query key"]:
    """Return the origin of each word's state in one layer: half from attention, half from the word itself.

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
    """Return the share of each word in each word's state after the last of these layers.

    The product of the steps, the last layer's on the left (Abnar and Zuidema 2020, equation 1): the sum
    over all paths from the query down to the key, each the product of the shares along it.
    """
    first, *others = steps(patterns, residual=residual)
    rolled: Matrix = first
    for step in others:
        rolled = step @ rolled
    return rolled


HeadPatterns = Float[np.ndarray, "head query key"]

MOST_MATCHED = 8
"""Greatest number of heads whose permutations are all tried: 40,320 of eight heads."""

CLEAR = 0.005
"""By how much the best matching beats every other one at least, in mean distance."""


def pattern_distances(a: HeadPatterns, b: HeadPatterns) -> Float[np.ndarray, "head_of_a head_of_b"]:
    """Return the total variation between each head of `a` and each of `b`, as a mean over the queries.

    It is the share of the attention of a word that goes elsewhere: 0 for equal weights, 1 at most.
    """
    # Head by head: all pairs of heads of a long text at once would be hundreds of megabytes.
    rows = [[np.abs(one - other).sum(axis=-1).mean() / 2 for other in b] for one in a]
    return np.array(rows)


def best_matching(distances: Float[np.ndarray, "head_of_a head_of_b"]) -> tuple[int, ...] | None:
    """Return for each head of A its partner in B: the one-to-one matching with the smallest mean distance.

    None if the second-best matching is not clearly worse.
    """
    n = len(distances)
    assert distances.shape == (n, n), f"two models with other heads: {distances.shape}"
    assert 1 < n <= MOST_MATCHED, f"{n} heads cannot be matched"
    candidates = _permutations(n)
    costs = distances[np.arange(n), candidates].mean(axis=1)
    best, second = np.argpartition(costs, 1)[:2]
    return tuple(map(int, candidates[best])) if costs[second] - costs[best] > CLEAR else None


@lru_cache(maxsize=MOST_MATCHED)
def _permutations(n: int) -> Int[np.ndarray, "permutation head"]:
    return read_only(np.array(list(permutations(range(n)))))
