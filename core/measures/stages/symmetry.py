"""Whether i attends to j as j attends to i: scores with keys of their own, and with the queries as keys."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.softmax import softmax

Matrix = Float[np.ndarray, "query key"]


@dataclass(frozen=True)
class Symmetry:
    """Scores of a head as it is, those with K = Q, and the weights that follow from these, unmasked."""

    scores: Matrix
    tied_scores: Matrix
    tied_pattern: Matrix


def symmetry(
    q: Float[np.ndarray, "query d_head"], k: Float[np.ndarray, "key d_head"], *, scale: float
) -> Symmetry:
    """The scaled dot products of a head, and of its queries with themselves, in double precision."""
    q, k = q.astype(np.float64), k.astype(np.float64)
    tied = q @ q.T * scale
    return Symmetry(q @ k.T * scale, tied, softmax(tied))


ROUNDING = 1e-12
"""An asymmetry below this is rounding in double precision."""


def is_symmetric(matrix: Matrix) -> bool:
    """Whether the matrix equals its transpose, up to rounding."""
    return asymmetry(matrix) < ROUNDING


def asymmetry(matrix: Matrix) -> float:
    """The largest difference between an entry and the one across the diagonal: max |S − Sᵀ|."""
    return float(np.abs(matrix - matrix.T).max())
