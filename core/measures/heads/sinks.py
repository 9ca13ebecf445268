"""Where weights are large, and which words take attention for nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float


def largest_of_a_choice(
    pattern: Float[np.ndarray, "query key"], allowed: Bool[np.ndarray, "query key"]
) -> tuple[tuple[int, int], Bool[np.ndarray, "query"]]:
    """Return the (query, key) of the largest weight, and which queries may attend to more than one key.

    Rows without a choice count only where no query has one. Of equals the first.
    """
    has_choice = allowed.sum(axis=1) > 1
    counted = np.where(allowed & (has_choice | ~has_choice.any())[:, None], pattern, -1.0)
    query, key = divmod(int(counted.argmax()), counted.shape[1])
    return (query, key), has_choice


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
    """Return the mean largest weight of a head's queries without `special`; NaN for fewer than two words."""
    kept = [at for at in range(patterns.shape[-1]) if at not in special]
    if len(kept) < 2:
        return np.full(patterns.shape[:-2], np.nan)
    # Query by query: the weights of the words kept would be a second copy of all of them.
    largest = [patterns[..., query, :][..., kept].max(axis=-1) for query in kept]
    return np.asarray(np.mean(largest, axis=0))


def standing_out(shares: Float[np.ndarray, "layer head"], equal: float) -> StandingOut | None:
    """Return the head with the largest of its `largest_shares`; None where that is little more than `equal`.

    `equal` is the same of equal weights. Special tokens do not count: many heads leave all attention with one
    where they find nothing (Clark et al. 2019, section 3.2).
    """
    found = largest(shares)
    return found if found is not None and clearly_above(found.share, equal) else None


def clearly_above(share: float, equal: float) -> bool:
    """Return whether a share of attention is so far above what equal weights give that it says something."""
    return share - equal >= LEAST * (1 - equal)


def largest(shares: Float[np.ndarray, "layer head"]) -> StandingOut | None:
    """Return the head with the largest of its `largest_shares`; None where fewer than two words are left."""
    if np.isnan(shares).all():
        return None
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return StandingOut(int(layer), int(head), float(shares[layer, head]))


MOST = 0.5
"""A word is a sink if it gets more than this share of the attention."""

FEWEST = 3
"""Least number of queries that make a habit."""

FULL_STOPS = frozenset(".!?…。！？")

Place = Literal["first word", "full stop", "special token"]


@dataclass(frozen=True)
class Sink:
    """A sink: its mean `share` over `n_queries`, and the share by `chance`, with equal weights.

    `at` is the position of a special token, and None for a first word or full stops.
    """

    place: Place
    share: float
    chance: float
    n_queries: int
    at: int | None = None


def attention_sink(
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    words: Sequence[str],
    special: Collection[int] = (),
) -> Sink | None:
    """Return the attention sink of a head; None where it has none.

    Each of the `special` tokens can be one; the first word is then none. Queries that are the sink themselves
    do not count, nor those that see so few words that equal weights put half of them there.
    """
    at = np.arange(len(words))
    stops = np.array([word in FULL_STOPS for word in words])
    found = [
        None if 0 in special else _sink_on("first word", pattern, equal, at == 0),
        _sink_on("full stop", pattern, equal, stops),
        *(_on_special(pattern, equal, position, at == position) for position in special),
    ]
    return max((sink for sink in found if sink is not None), key=lambda sink: sink.share, default=None)


def _on_special(
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    position: int,
    there: Bool[np.ndarray, "key"],
) -> Sink | None:
    found = _sink_on("special token", pattern, equal, there)
    return None if found is None else replace(found, at=position)


def _sink_on(
    place: Place,
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    there: Bool[np.ndarray, "key"],
) -> Sink | None:
    chance = equal @ there
    counted = ~there & (chance > 0) & (chance < MOST)
    if counted.sum() < FEWEST:
        return None
    share = float((pattern * ((equal > 0) & there)).sum(axis=1)[counted].mean())
    return Sink(place, share, float(chance[counted].mean()), int(counted.sum())) if share > MOST else None


class Again(NamedTuple):
    """From `query` the word after it is predicted, which stood at `key` before; weights found and equal."""

    query: int
    key: int
    weight: float
    equal: float


def mentioned_again(
    pattern: Float[np.ndarray, "query key"], equal: Float[np.ndarray, "query key"], words: Sequence[str]
) -> Again | None:
    """Return the largest weight on the earlier mention of the next word; None where none is large."""
    cells = [
        Again(at, before, float(pattern[at, before]), float(equal[at, before]))
        for at, word in enumerate(words[1:])
        for before in range(at)
        if words[before].lower() == word.lower()
    ]
    best = max(cells, key=lambda one: one.weight, default=None)
    return best if best is not None and clearly_above(best.weight, best.equal) else None
