"""Induction heads: they find what came after the last time, measured where nothing else could be found."""

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.device import device_of
from core.forward import PATTERNS, forward_pass
from core.models import Stack, Tokens

HALF, ROWS = 25, 8
"""How many random tokens are repeated, and in how many rows."""


def repeated_tokens(vocab_size: int, *, half: int = HALF, rows: int = ROWS, seed: int = 0) -> Tokens:
    """Rows of `half` random tokens, each followed by the same again; no token stands twice in a half.

    Raises ValueError for a vocabulary with fewer tokens than that.
    """
    if half > vocab_size:
        raise ValueError(f"half must be at most the size of the vocabulary, got {half} and {vocab_size}")
    drawn = np.random.RandomState(seed)
    tokens = torch.from_numpy(np.stack([drawn.permutation(vocab_size)[:half] for _ in range(rows)]))
    return tokens.repeat(1, 2)


def induction_scores(
    model: Stack, *, half: int = HALF, rows: int = ROWS, seed: int = 0
) -> Float[np.ndarray, "layer head"]:
    """The share of attention on the token after the earlier mention, mean over the second half of each row.

    Random tokens are used because in a sentence grammar tells much the same (Olsson et al. 2022, section 4).
    Equal weights on all that a causal model sees would give about 1 / (1.5 · half).
    """
    tokens = repeated_tokens(model.config.vocab_size, half=half, rows=rows, seed=seed)
    patterns = forward_pass(model, tokens.to(device_of(model)), keep=PATTERNS).patterns()
    # The earlier mention of query i stands `half` places before it, and its successor one place after that.
    found = patterns.diagonal(offset=1 - half, dim1=-2, dim2=-1)[..., 1:]
    return array_of(found.mean(dim=(1, 3)))
