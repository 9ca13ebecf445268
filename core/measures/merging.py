"""Attention between words from attention between pieces, and the equal weights heads are compared with."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int

Groups = Sequence[Sequence[int]]
"""The positions of the pieces of each word; what is in no group is left out."""


def merge(
    pattern: Float[np.ndarray, "... query key"], groups: Groups
) -> Float[np.ndarray, "... query_word key_word"]:
    """Return weights between words: means over a query's pieces, sums over a key's (Clark et al. 2019)."""
    order, first = _in_order(groups)
    # Sums of stretches take as long as the matrix is large; a product of matrices would take far longer.
    summed = np.add.reduceat(pattern[..., order], first, axis=-1)
    sizes = np.array([len(group) for group in groups], dtype=pattern.dtype)
    merged: np.ndarray = np.add.reduceat(summed[..., order, :], first, axis=-2) / sizes[:, None]
    return merged


def merge_allowed(allowed: Bool[np.ndarray, "query key"], groups: Groups) -> Bool[np.ndarray, "word word"]:
    """Which word may attend to which: one of its pieces to one of the other's."""
    order, first = _in_order(groups)
    over_keys = np.logical_or.reduceat(allowed[:, order], first, axis=1)
    merged: np.ndarray = np.logical_or.reduceat(over_keys[order], first, axis=0)
    return merged


def _in_order(groups: Groups) -> tuple[Int[np.ndarray, "piece"], Int[np.ndarray, "word"]]:
    """Return the positions of all pieces word by word, and where each word begins; raises ValueError."""
    sizes = [len(group) for group in groups]
    if not all(sizes):
        raise ValueError("every word must have at least one piece")
    return np.concatenate([list(group) for group in groups]), np.cumsum([0, *sizes[:-1]])


def equal_weights(
    allowed: Bool[np.ndarray, "... query key"], groups: Groups | None = None
) -> Float[np.ndarray, "... row column"]:
    """Return the weights of a query that attends alike to all it may see, merged into words by `groups`."""
    equal = allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), 1)
    return equal if groups is None else merge(equal, groups)
