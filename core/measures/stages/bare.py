"""Self-attention without parameters: each word is its own query, key and value."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.measures.softmax import softmax

TIE = 1e-9
"""Two weights closer than this share the place at the top: their words have the same vector."""


@dataclass(frozen=True)
class Bare:
    """softmax(XXᵀ)X and what leads to it, in double precision."""

    x: Float[np.ndarray, "word d_model"]
    scores: Float[np.ndarray, "query key"]
    pattern: Float[np.ndarray, "query key"]
    output: Float[np.ndarray, "word d_model"]

    @property
    def looks_at_itself(self) -> Bool[np.ndarray, "query"]:
        """Whether no key has a larger weight for a word than the word itself."""
        return np.diagonal(self.pattern) >= self.pattern.max(axis=1) - TIE

    @property
    def lengths(self) -> Float[np.ndarray, "word"]:
        """How long each word's vector is."""
        return np.linalg.norm(self.x, axis=1)


def attend_bare(vectors: Float[np.ndarray, "word d_model"], *, normalised: bool) -> Bare:
    """Attention of word vectors with themselves (FNLP slides), each made 1 long first if `normalised`.

    Vectors of one length have no larger dot product than with themselves (Cauchy and Schwarz), so then a
    word attends to itself first.
    """
    x = vectors.astype(np.float64)
    if normalised:
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
    scores = x @ x.T
    pattern = softmax(scores)
    return Bare(x, scores, pattern, pattern @ x)
