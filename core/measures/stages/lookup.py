"""Attention as a lookup, and the purpose of its matrices."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

from core.measures.prediction import entropy, softmax

HARD, UNIFORM = 0.0, math.inf
"""Temperatures of a dictionary, which gives one value, and of the mean of all values."""

TIE = 1e-5
"""Difference of scores that is rounding."""


@dataclass(frozen=True)
class Lookup:
    """The result of one query; `best` is the value of the highest key, or the mean over ties."""

    weights: Float[np.ndarray, "key"]
    output: Float[np.ndarray, "d_head"]
    best: Float[np.ndarray, "d_head"]
    mean: Float[np.ndarray, "d_head"]
    best_keys: tuple[int, ...]
    allowed: Bool[np.ndarray, "key"]

    @property
    def n_seen(self) -> int:
        return int(self.allowed.sum())

    @property
    def entropy(self) -> float:
        return float(entropy(self.weights))

    @property
    def from_best(self) -> float:
        return float(np.linalg.norm(self.output - self.best))

    @property
    def from_mean(self) -> float:
        return float(np.linalg.norm(self.output - self.mean))


def look_up(
    scores: Float[np.ndarray, "key"],
    values: Float[np.ndarray, "key d_head"],
    allowed: Bool[np.ndarray, "key"],
    *,
    temperature: float,
) -> Lookup:
    """Return the values averaged by softmax(scores / temperature) over the allowed keys (note, eq 7–8).

    At 0 and infinity it is the limit. Raises ValueError for a negative temperature, and without an allowed
    key.
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


Matrices = Literal["none", "Q = K", "three"]
NONE: Matrices = "none"
TIED: Matrices = "Q = K"
THREE: Matrices = "three"
CHOICES: tuple[Matrices, ...] = (NONE, TIED, THREE)
"""Comparison of the vectors themselves, by one matrix of the head, or by two; the third makes values."""

Rows = Float[np.ndarray, "word dimension"]
Square = Float[np.ndarray, "query key"]

SAME_WEIGHT = 1e-6
"""Difference of weights that is rounding: their words have the same vector."""

ROUNDING = 1e-5
"""Share of the largest score below which a difference is the rounding of single precision."""


@dataclass(frozen=True)
class Comparison:
    """Scores between all words, before bias and mask, and their softmax."""

    scores: Square
    pattern: Square

    @property
    def is_undecided(self) -> Bool[np.ndarray, "query"]:
        """Whether a word gives several words the same weight: its query is zero, or all have one vector."""
        return np.asarray((np.ptp(self.pattern, axis=1) <= SAME_WEIGHT) & (len(self.pattern) > 1))

    @property
    def attends_to_itself(self) -> Bool[np.ndarray, "query"]:
        """Whether a word has a largest weight, and no other key has a larger one than the word itself."""
        is_largest = np.diagonal(self.pattern) >= self.pattern.max(axis=1) - SAME_WEIGHT
        return is_largest & ~self.is_undecided

    @property
    def has_equals(self) -> bool:
        """Whether a word that attends to itself gives another word as much: both have the same vector."""
        n_largest = (self.pattern >= self.pattern.max(axis=1, keepdims=True) - SAME_WEIGHT).sum(axis=1)
        return bool((self.attends_to_itself & (n_largest > 1)).any())


def compare(
    x: Rows, q: Rows, k: Rows, *, matrices: Matrices, scale: float = 1.0, unit_length: bool = False
) -> Comparison:
    """Compare words in double precision: by XXᵀ (FNLP slides), QQᵀ, or QKᵀ, the last two scaled.

    Vectors of `unit_length` attend most to themselves (Cauchy and Schwarz).
    """
    x, q, k = (one.astype(np.float64) for one in (x, q, k))
    if matrices == NONE:
        if unit_length:
            x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), np.finfo(float).tiny)
        scores = x @ x.T
    else:
        scores = q @ (q if matrices == TIED else k).T * scale
    return Comparison(scores, softmax(scores))


def asymmetry(matrix: Square) -> float:
    """Return the largest difference between an entry and its mirror image: max |S − Sᵀ|."""
    return float(np.abs(matrix - matrix.T).max())


def is_symmetric(matrix: Square) -> bool:
    """Return whether the matrix equals its transpose, up to rounding."""
    return asymmetry(matrix) <= ROUNDING * float(np.abs(matrix).max())


def least_symmetric_pair(matrix: Square) -> tuple[int, int]:
    """Return the pair (i, j) whose entry exceeds its mirror image most."""
    i, j = np.unravel_index(np.argmax(matrix - matrix.T), matrix.shape)
    return int(i), int(j)


def one_sided_pair(matrix: Square) -> tuple[int, int] | None:
    """Return the pair (i, j) in which i gives j its largest weight, and more to j than j gives back.

    Return the pair that differs most by direction; None if no word gives another its largest weight.
    """
    n = len(matrix)
    others = np.where(np.eye(n, dtype=bool), -np.inf, matrix)
    is_largest = (others.max(axis=1) > np.diagonal(matrix) + SAME_WEIGHT)[:, None] & (
        others >= others.max(axis=1, keepdims=True)
    )
    gains = np.where(is_largest, matrix - matrix.T, -np.inf)
    i, j = np.unravel_index(np.argmax(gains), gains.shape)
    return (int(i), int(j)) if gains[i, j] > SAME_WEIGHT else None
