"""Large weights, and attention sinks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float


def largest_of_a_choice(
    pattern: Float[np.ndarray, "query key"], allowed: Bool[np.ndarray, "query key"]
) -> tuple[tuple[int, int], Bool[np.ndarray, "query"]]:
    """Return the (query, key) of the largest weight, and which queries may attend to more than one key.

    Rows without a choice count only if no query has one. Of equal weights the first counts.
    """
    has_choice = allowed.sum(axis=1) > 1
    counted = np.where(allowed & (has_choice | ~has_choice.any())[:, None], pattern, -1.0)
    query, key = divmod(int(counted.argmax()), counted.shape[1])
    return (query, key), has_choice


LEAST = 0.25
"""Least distance from equal weights, as a share of that to full attention, at which a head stands out."""


class MostFocusedHead(NamedTuple):
    """A layer and a head, counted from 0, and the mean over queries of their largest attention weight."""

    layer: int
    head: int
    share: float


def largest_shares(
    patterns: Float[np.ndarray, "... head query key"], special: Collection[int] = ()
) -> Float[np.ndarray, "... head"]:
    """Return the mean largest weight of a head's queries; `special` words do not count. NaN for under two."""
    kept = [at for at in range(patterns.shape[-1]) if at not in special]
    if len(kept) < 2:
        return np.full(patterns.shape[:-2], np.nan)
    # Query by query: selecting all words at once would copy all weights.
    largest = [patterns[..., query, :][..., kept].max(axis=-1) for query in kept]
    return np.asarray(np.mean(largest, axis=0))


def most_focused_head(shares: Float[np.ndarray, "layer head"], equal: float) -> MostFocusedHead | None:
    """Return the head with the largest of `largest_shares`; None if that is little above `equal`.

    `equal` is the value that equal weights would give. Special tokens do not count: many heads put all
    attention on one if they find nothing (Clark et al. 2019, section 3.2).
    """
    found = largest(shares)
    return found if found is not None and clearly_above(found.share, equal) else None


def clearly_above(share: float, equal: float) -> bool:
    """Return whether a share of attention is far enough above equal weights to be meaningful."""
    return share - equal >= LEAST * (1 - equal)


def largest(shares: Float[np.ndarray, "layer head"]) -> MostFocusedHead | None:
    """Return the head with the largest of `largest_shares`; None for under two words."""
    if np.isnan(shares).all():
        return None
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return MostFocusedHead(int(layer), int(head), float(shares[layer, head]))


MAJORITY = 0.5
"""Share of the attention above which a word is a sink."""

FEWEST = 3
"""Least number of queries for a sink."""

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
    """Return the attention sink of a head; None if it has none.

    Each of the `special` tokens can be one; if position 0 is special, there is no "first word" sink. Queries
    at the sink itself do not count, nor queries that would give it half of their attention or more with equal
    weights.
    """
    at = np.arange(len(words))
    stops = np.array([word in FULL_STOPS for word in words])
    found = [
        None if 0 in special else _sink_on("first word", pattern, equal, at == 0),
        _sink_on("full stop", pattern, equal, stops),
        *(_sink_on("special token", pattern, equal, at == one, at=one) for one in special),
    ]
    return max((sink for sink in found if sink is not None), key=lambda sink: sink.share, default=None)


def _sink_on(
    place: Place,
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    there: Bool[np.ndarray, "key"],
    *,
    at: int | None = None,
) -> Sink | None:
    chance = equal @ there
    counted = ~there & (chance > 0) & (chance < MAJORITY)
    if counted.sum() < FEWEST:
        return None
    share = float((pattern * ((equal > 0) & there)).sum(axis=1)[counted].mean())
    sink = Sink(place, share, float(chance[counted].mean()), int(counted.sum()), at)
    return sink if share > MAJORITY else None


class NextWordMention(NamedTuple):
    """A `query` whose next word stands at an earlier `key`; its `weight` on the key, and an equal share."""

    query: int
    key: int
    weight: float
    equal: float


def find_next_word_mention(
    pattern: Float[np.ndarray, "query key"], equal: Float[np.ndarray, "query key"], words: Sequence[str]
) -> NextWordMention | None:
    """Return the largest weight on the earlier mention of the next word; None if none is large."""
    cells = [
        NextWordMention(at, before, float(pattern[at, before]), float(equal[at, before]))
        for at, word in enumerate(words[1:])
        for before in range(at)
        if words[before].lower() == word.lower()
    ]
    best = max(cells, key=lambda one: one.weight, default=None)
    return best if best is not None and clearly_above(best.weight, best.equal) else None
