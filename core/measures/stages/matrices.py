"""Scores of a head as it is, with one matrix for queries and keys, and without any matrix."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

from core.measures.softmax import softmax

Matrices = Literal["none", "Q = K", "three"]
NONE: Matrices = "none"
TIED: Matrices = "Q = K"
THREE: Matrices = "three"
CHOICES: tuple[Matrices, ...] = (NONE, TIED, THREE)
"""The vectors are compared themselves, by one matrix of the head, or by two; the third makes the values."""

Rows = Float[np.ndarray, "word dimension"]
Square = Float[np.ndarray, "query key"]

TIE = 1e-6
"""Weights no further apart than this are equal but for rounding: their words have the same vector."""

ROUNDING = 1e-5
"""Share of the largest score below which a difference is the rounding of single precision."""


@dataclass(frozen=True)
class Comparison:
    """Scores of all words with all words, before bias and mask, and their softmax."""

    scores: Square
    pattern: Square

    @property
    def attends_to_itself(self) -> Bool[np.ndarray, "query"]:
        """Whether no key has a larger weight for a word than the word itself."""
        return np.diagonal(self.pattern) >= self.pattern.max(axis=1) - TIE


def compare(
    x: Rows, q: Rows, k: Rows, *, matrices: Matrices, scale: float = 1.0, unit_length: bool = False
) -> Comparison:
    """Compare the words of a sentence in double precision.

    Without matrices the scores are XXᵀ (FNLP slides), of vectors of length 1 if `unit_length`. Those have no
    larger dot product than with themselves (Cauchy and Schwarz), so a word then attends most to itself. With
    one matrix the queries are the keys, and with three the scores are those of the head; both are scaled.
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
    """The largest difference between an entry and the one across the diagonal: max |S − Sᵀ|."""
    return float(np.abs(matrix - matrix.T).max())


def is_symmetric(matrix: Square) -> bool:
    """Return whether the matrix equals its transpose, up to rounding."""
    return asymmetry(matrix) <= ROUNDING * float(np.abs(matrix).max())


def least_symmetric_pair(matrix: Square) -> tuple[int, int]:
    """The pair (i, j) whose entry exceeds the one across the diagonal by most."""
    i, j = np.unravel_index(np.argmax(matrix - matrix.T), matrix.shape)
    return int(i), int(j)
