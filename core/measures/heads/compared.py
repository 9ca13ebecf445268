"""Heads followed through layers, matched between models, and found by induction."""

from functools import lru_cache
from itertools import permutations

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int

from core.arrays import array_of, read_only
from core.device import device_of
from core.model.config import ModelConfig
from core.model.forward import PATTERNS, forward_pass
from core.model.masks.combining import window_if_any
from core.model.models import Stack, Tokens
from core.model.positions import SCHEMES

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


HALF, ROWS = 25, 8
"""How many random tokens are repeated, and in how many rows."""

TWICE = "river lamp seven coat green window salt paper " * 2
"""Words in no order that grammar knows, and the same again: what shows a reader such a head."""

RowPatterns = Float[np.ndarray, "layer head row query key"]
Pairs = Bool[np.ndarray, "row query key"]


def repeated_tokens(vocab_size: int, *, half: int = HALF, rows: int = ROWS, seed: int = 0) -> Tokens:
    """Rows of `half` random tokens, each followed by the same again; no token stands twice in a half.

    Raises ValueError for a vocabulary with fewer tokens than that.
    """
    if half > vocab_size:
        raise ValueError(f"half must be at most the size of the vocabulary, got {half} and {vocab_size}")
    drawn = np.random.RandomState(seed)
    tokens = torch.from_numpy(np.stack([drawn.permutation(vocab_size)[:half] for _ in range(rows)]))
    return tokens.repeat(1, 2)


def longest_half(config: ModelConfig) -> int:
    """`HALF`, or as many tokens as a model has twice the positions for, and once in its vocabulary."""
    longest = SCHEMES[config.positions].longest(config)
    return min(HALF, config.vocab_size, HALF if longest is None else longest // 2)


def read_repeated(
    model: Stack, *, half: int = HALF, rows: int = ROWS, seed: int = 0, width: int | None = None
) -> tuple[RowPatterns, Pairs, Pairs]:
    """The patterns of a model over repeated random tokens, what could be seen, and what is to be found.

    That is, from each token said again, the one after its earlier mention. Random tokens are used because
    in a sentence grammar tells much the same (Olsson et al. 2022, section 4). With a `width` no token could
    look further than that many.
    """
    tokens = repeated_tokens(model.config.vocab_size, half=half, rows=rows, seed=seed).to(device_of(model))
    n = 2 * half
    window = window_if_any(n, width=width, device=tokens.device)
    forward = forward_pass(model, tokens, allowed=window, keep=PATTERNS, states_only=True)
    patterns = rearrange(forward.patterns(), "layer row head query key -> layer head row query key")
    allowed = np.broadcast_to(array_of(forward.allowed()[:, 0]), (rows, n, n))
    query, key = np.arange(n)[:, None], np.arange(n)
    # The earlier mention of query i stands `half` positions before it, and its successor one after that.
    successor = (query >= half) & (key == query - half + 1)
    return array_of(patterns), allowed, allowed & successor
