"""Heads followed through layers, and matched between models."""

from functools import lru_cache
from itertools import permutations

import numpy as np
from jaxtyping import Float, Int

from core.arrays import read_only

Matrix = Float[np.ndarray, "query key"]
Patterns = Float[np.ndarray, "layer head query key"]

RESIDUAL_SHARE = 0.5
"""Share of a state that a layer is assumed to pass on unchanged."""


def mean_over_heads(patterns: Patterns) -> Float[np.ndarray, "layer query key"]:
    """Return the mean pattern of each layer, in double precision."""
    return patterns.mean(axis=1, dtype=np.float64)


def steps(patterns: Patterns, *, residual: bool = True) -> Float[np.ndarray, "layer query key"]:
    """Return the origin of each word's state in one layer: 0.5·A + 0.5·I (Abnar & Zuidema 2020, section 3).

    Rows are divided by their sums; without residual connections the step is A, the mean over heads.
    """
    attention = mean_over_heads(patterns)
    if residual:
        attention = (1 - RESIDUAL_SHARE) * attention + RESIDUAL_SHARE * np.eye(attention.shape[-1])
    sums = attention.sum(axis=-1, keepdims=True)
    return np.divide(attention, sums, out=np.zeros_like(attention), where=sums > 0)


def rollout(patterns: Patterns, *, residual: bool = True) -> Matrix:
    """Return each word's share in each last state: the product of `steps` (Abnar & Zuidema 2020, eq 1)."""
    first, *others = steps(patterns, residual=residual)
    rolled: Matrix = first
    for step in others:
        rolled = step @ rolled
    return rolled


HeadPatterns = Float[np.ndarray, "head query key"]

MOST_MATCHED = 8
"""Greatest number of heads for which all permutations are tried: 40,320 for eight heads."""

CLEAR = 0.005
"""Least margin in mean distance by which the best matching beats every other one."""


def pattern_distances(a: HeadPatterns, b: HeadPatterns) -> Float[np.ndarray, "head_of_a head_of_b"]:
    """Return the mean total variation between the rows of any two heads: 0 if equal, 1 at most."""
    # Head by head: all pairs of heads of a long text at once would be hundreds of megabytes.
    rows = [[np.abs(one - other).sum(axis=-1).mean() / 2 for other in b] for one in a]
    return np.array(rows)


def best_matching(distances: Float[np.ndarray, "head_of_a head_of_b"]) -> tuple[int, ...] | None:
    """Return the partner in B of each head of A, by the smallest mean distance; None if none is clear."""
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
