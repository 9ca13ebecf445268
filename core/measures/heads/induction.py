"""Induction heads: they find what came after the last time, measured where nothing else could be found."""

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Bool, Float

from core.arrays import array_of
from core.device import device_of
from core.model.config import ModelConfig
from core.model.forward import PATTERNS, forward_pass
from core.model.masks.combining import window_if_any
from core.model.models import Stack, Tokens
from core.model.positions import SCHEMES

HALF, ROWS = 25, 8
"""How many random tokens are repeated, and in how many rows."""

TWICE = "river lamp seven coat green window salt paper " * 2
"""Words in no order that grammar knows, and the same again: what shows a reader such a head."""

Patterns = Float[np.ndarray, "layer head row query key"]
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
) -> tuple[Patterns, Pairs, Pairs]:
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
