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


def standing_out(
    patterns: Float[np.ndarray, "layer head query key"], special: Collection[int] = ()
) -> StandingOut | None:
    """The head whose queries attend most to a single key each, those at `special` positions left aside.

    Many heads of trained models leave all their attention with a special token, and say no more by it than
    that they found nothing (Clark et al. 2019, section 3.2). None where fewer than two words are left.
    """
    kept = [at for at in range(patterns.shape[-1]) if at not in special]
    if len(kept) < 2:
        return None
    largest = patterns[..., kept, :][..., kept].max(axis=-1).mean(axis=-1)
    layer, head = np.unravel_index(largest.argmax(), largest.shape)
    return StandingOut(int(layer), int(head), float(largest[layer, head]))
