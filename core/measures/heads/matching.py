"""Heads of two models matched by their attention weights on one sentence."""

from functools import lru_cache
from itertools import permutations

import numpy as np
from jaxtyping import Float, Int

from core.arrays import read_only

Patterns = Float[np.ndarray, "head query key"]

MOST_MATCHED = 8
"""Greatest number of heads whose permutations are all tried: 40,320 of eight heads."""

CLEAR = 0.005
"""By how much the best matching beats every other one at least, in mean distance."""


def pattern_distances(a: Patterns, b: Patterns) -> Float[np.ndarray, "head_of_a head_of_b"]:
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
