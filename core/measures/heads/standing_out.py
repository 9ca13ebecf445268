"""The head that stands out on a sentence: every query of it attends to one key, and hardly to others."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

LEAST = 0.25
"""A head stands out from so far on the way from equal weights to all attention where it is sought."""


class StandingOut(NamedTuple):
    """A layer and a head, counted from 0, and the mean over queries of their largest attention weight."""

    layer: int
    head: int
    share: float


def largest_shares(
    patterns: Float[np.ndarray, "... head query key"], special: Collection[int] = ()
) -> Float[np.ndarray, "... head"]:
    """The mean over the queries of a head of their largest weight, what is at `special` positions left aside.

    Not a number where fewer than two words are left.
    """
    kept = [at for at in range(patterns.shape[-1]) if at not in special]
    if len(kept) < 2:
        return np.full(patterns.shape[:-2], np.nan)
    # Query by query: the weights of the words kept would be a second copy of all of them.
    largest = [patterns[..., query, :][..., kept].max(axis=-1) for query in kept]
    return np.asarray(np.mean(largest, axis=0))


def standing_out(shares: Float[np.ndarray, "layer head"], equal: float) -> StandingOut | None:
    """The head with the largest of its `largest_shares`; None where that is little more than `equal`.

    `equal` is the same of equal weights on all that may be seen, which under the causal mask is much: the
    first query sees one key. Special tokens do not count: many heads of trained models leave all their
    attention with one, and say no more by it than that they found nothing (Clark et al. 2019, section 3.2).
    """
    found = largest(shares)
    return found if found is not None and clearly_above(found.share, equal) else None


def clearly_above(share: float, equal: float) -> bool:
    """Whether a share of attention is so far above what equal weights give that it says something."""
    return share - equal >= LEAST * (1 - equal)


def largest(shares: Float[np.ndarray, "layer head"]) -> StandingOut | None:
    """The head with the largest of its `largest_shares`; None where fewer than two words are left."""
    if np.isnan(shares).all():
        return None
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return StandingOut(int(layer), int(head), float(shares[layer, head]))
