"""Heads whose attention rests: most of it lies on the first word or on the full stop, whatever looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

MOST = 0.5
"""Attention rests on a word that gets more than this share of it."""

FEWEST = 3
"""So many queries at least make a habit."""

FULL_STOPS = frozenset(".!?…。！？")

Place = Literal["first word", "full stop"]


@dataclass(frozen=True)
class Resting:
    """Where attention rests: its mean `share` over `n_queries` queries, and what equal weights would give."""

    place: Place
    share: float
    chance: float
    n_queries: int


def resting(
    pattern: Float[np.ndarray, "query key"], allowed: Bool[np.ndarray, "query key"], words: Sequence[str]
) -> Resting | None:
    """Where the attention of a head rests; None where it does not.

    Queries that are such a word themselves do not count, nor do those that see so few words that equal
    weights would put half of them there.
    """
    first = np.arange(len(words)) == 0
    stops = np.array([word in FULL_STOPS for word in words])
    found = [
        _resting("first word", pattern, allowed, first),
        _resting("full stop", pattern, allowed, stops),
    ]
    return max((rest for rest in found if rest is not None), key=lambda rest: rest.share, default=None)


def _resting(
    place: Place,
    pattern: Float[np.ndarray, "query key"],
    allowed: Bool[np.ndarray, "query key"],
    there: Bool[np.ndarray, "key"],
) -> Resting | None:
    seen = allowed & there
    chance = seen.sum(axis=1) / np.maximum(allowed.sum(axis=1), 1)
    counted = seen.any(axis=1) & ~there & (chance < MOST)
    if counted.sum() < FEWEST:
        return None
    share = float((pattern * seen).sum(axis=1)[counted].mean())
    return Resting(place, share, float(chance[counted].mean()), int(counted.sum())) if share > MOST else None
