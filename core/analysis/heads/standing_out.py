"""The head that stands out on a sentence: every query of it attends to one key, and hardly to others."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from jaxtyping import Float


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


def standing_out(shares: Float[np.ndarray, "layer head"]) -> StandingOut | None:
    """The head with the largest of its `largest_shares`; None where fewer than two words are left.

    Special tokens do not count: many heads of trained models leave all their attention with one, and say no
    more by it than that they found nothing (Clark et al. 2019, section 3.2).
    """
    if np.isnan(shares).all():
        return None
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return StandingOut(int(layer), int(head), float(shares[layer, head]))
