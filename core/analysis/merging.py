"""Attention between words from attention between the pieces that a pretrained model reads them in."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float

Groups = Sequence[Sequence[int]]
"""The positions of the pieces of each word; what is in no group is left out."""


def merge(
    pattern: Float[np.ndarray, "... query key"], groups: Groups
) -> Float[np.ndarray, "... query_word key_word"]:
    """The weights between words: averaged over the pieces of a query, summed over those of a key.

    So a row still sums to 1 while every piece is in a group (Clark et al. 2019, section 4.1).
    """
    belongs = _membership(groups, pattern.shape[-1]).astype(pattern.dtype)
    averaged = belongs / belongs.sum(axis=1, keepdims=True)
    merged: np.ndarray = averaged @ pattern @ belongs.T
    return merged


def merge_allowed(allowed: Bool[np.ndarray, "query key"], groups: Groups) -> Bool[np.ndarray, "word word"]:
    """Which word may attend to which: one of its pieces to one of the other's."""
    belongs = _membership(groups, allowed.shape[-1])
    merged: np.ndarray = belongs @ allowed @ belongs.T
    return merged


def _membership(groups: Groups, n_pieces: int) -> Bool[np.ndarray, "word piece"]:
    """True where a piece belongs to a word; raises ValueError for a word without pieces."""
    belongs = np.zeros((len(groups), n_pieces), dtype=bool)
    for row, group in zip(belongs, groups, strict=True):
        row[list(group)] = True
    if not belongs.any(axis=1).all():
        raise ValueError("every word must have at least one piece")
    return belongs
