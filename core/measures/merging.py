"""Attention between words from attention between pieces, and equal weights for comparison."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int

Groups = Sequence[Sequence[int]]
"""The positions of the pieces of each word; pieces outside all groups are left out."""


def merge(
    pattern: Float[np.ndarray, "... query key"], groups: Groups
) -> Float[np.ndarray, "... query_word key_word"]:
    """Return weights between words: means over a query's pieces, sums over a key's (Clark et al. 2019)."""
    order, first = _in_order(groups)
    # Sums over ranges take as long as the matrix is large; a matrix product would take far longer.
    summed = np.add.reduceat(pattern[..., order], first, axis=-1)
    sizes = np.array([len(group) for group in groups], dtype=pattern.dtype)
    merged: np.ndarray = np.add.reduceat(summed[..., order, :], first, axis=-2) / sizes[:, None]
    return merged


def merge_allowed(allowed: Bool[np.ndarray, "query key"], groups: Groups) -> Bool[np.ndarray, "word word"]:
    """Return which word may attend to which, through any of their pieces."""
    order, first = _in_order(groups)
    over_keys = np.logical_or.reduceat(allowed[:, order], first, axis=1)
    merged: np.ndarray = np.logical_or.reduceat(over_keys[order], first, axis=0)
    return merged


def _in_order(groups: Groups) -> tuple[Int[np.ndarray, "piece"], Int[np.ndarray, "word"]]:
    """Return the positions of all pieces word by word, and where each word begins; raises ValueError."""
    sizes = [len(group) for group in groups]
    if not all(sizes):
        raise ValueError("every word must have at least one token")
    return np.concatenate([list(group) for group in groups]), np.cumsum([0, *sizes[:-1]])


def equal_weights(
    allowed: Bool[np.ndarray, "... query key"], groups: Groups | None = None
) -> Float[np.ndarray, "... row column"]:
    """Return the weights of a query that attends equally to all its keys, merged into words by `groups`."""
    equal = allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), 1)
    return equal if groups is None else merge(equal, groups)
