"""Attention as a look-up in a store of keys and values: hard, soft, or a mere average, by its temperature."""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.measures.softmax import entropy, softmax

HARD, UNIFORM = 0.0, math.inf
"""The temperatures of a dictionary, which gives one value, and of the mean of all values."""

TIE = 1e-5
"""Scores no further apart than this are equal but for rounding."""


@dataclass(frozen=True)
class Lookup:
    """What one query gets from a store of keys and values.

    `weights` are 0 for keys that it may not see. `best` is the value of the key with the highest score,
    or the mean value of the keys that share it; `mean` is that of all keys in sight. `entropy` is in bits.
    """

    weights: Float[np.ndarray, "key"]
    output: Float[np.ndarray, "d_head"]
    best: Float[np.ndarray, "d_head"]
    mean: Float[np.ndarray, "d_head"]
    best_keys: tuple[int, ...]
    allowed: Bool[np.ndarray, "key"]

    @property
    def n_seen(self) -> int:
        """How many keys are in sight."""
        return int(self.allowed.sum())

    @property
    def entropy(self) -> float:
        """Entropy of the weights in bits, 0 to log2 of the keys in sight."""
        return float(entropy(self.weights))

    @property
    def from_best(self) -> float:
        """Length of the difference between the output and the value of the best key."""
        return float(np.linalg.norm(self.output - self.best))

    @property
    def from_mean(self) -> float:
        """Length of the difference between the output and the mean value."""
        return float(np.linalg.norm(self.output - self.mean))


def look_up(
    scores: Float[np.ndarray, "key"],
    values: Float[np.ndarray, "key d_head"],
    allowed: Bool[np.ndarray, "key"],
    *,
    temperature: float,
) -> Lookup:
    """The values averaged by softmax(scores / temperature) over the allowed keys (CS 224N note eq 7–8).

    At a temperature of 0 and of infinity it is the limit. Raises ValueError for a negative temperature and
    where no key may be seen.
    """
    if not temperature >= 0:
        raise ValueError(f"a temperature is at least 0, got {temperature}")
    if not allowed.any():
        raise ValueError("there is no key that the query may see")
    seen, values = scores[allowed].astype(np.float64), values.astype(np.float64)
    weights = np.zeros(len(scores))
    weights[allowed] = _softmax_at(seen, temperature)
    best = np.flatnonzero(allowed)[seen >= seen.max() - TIE]
    return Lookup(
        weights=weights,
        output=weights @ values,
        best=values[best].mean(axis=0),
        mean=values[allowed].mean(axis=0),
        best_keys=tuple(best.tolist()),
        allowed=allowed,
    )


def _softmax_at(scores: Float[np.ndarray, "key"], temperature: float) -> Float[np.ndarray, "key"]:
    below = scores - scores.max()
    if temperature == HARD:
        return softmax(np.zeros_like(scores), below >= -TIE)
    return softmax(below / temperature)
