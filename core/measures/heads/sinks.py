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

    A query that may attend to one key only gives it all its weight, so its row counts only where no query
    has a choice. The first of several that are equally large.
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
    """Return the mean over a head's queries of their largest weight, without `special` positions.

    Not a number where fewer than two words are left.
    """
    kept = [at for at in range(patterns.shape[-1]) if at not in special]
    if len(kept) < 2:
        return np.full(patterns.shape[:-2], np.nan)
    # Query by query: the weights of the words kept would be a second copy of all of them.
    largest = [patterns[..., query, :][..., kept].max(axis=-1) for query in kept]
    return np.asarray(np.mean(largest, axis=0))


def standing_out(shares: Float[np.ndarray, "layer head"], equal: float) -> StandingOut | None:
    """Return the head with the largest of its `largest_shares`; None where that is little more than `equal`.

    `equal` is the same of equal weights on all that may be seen, which under the causal mask is much: the
    first query sees one key. Special tokens do not count: many heads of trained models leave all their
    attention with one, and say no more by it than that they found nothing (Clark et al. 2019, section 3.2).
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
    """A sink: its place, its mean `share` over `n_queries` queries, and its share of equal weights.

    `at` is the position of a special token.
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

    `equal` are the weights of a head that attends alike to all it may see. `special` are the positions of
    special tokens, each of which can be one; the first word is then no place of its own. Queries that are
    such a word themselves do not count, nor do those that see so few words that equal weights would put half
    of them there.
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
    """From the position `query` the word after it is predicted, and at `key` that word has stood before.

    `weight` is what the query gives it, and `equal` what it would get of equal weights.
    """

    query: int
    key: int
    weight: float
    equal: float


def mentioned_again(
    pattern: Float[np.ndarray, "query key"], equal: Float[np.ndarray, "query key"], words: Sequence[str]
) -> Again | None:
    """Return the largest weight on the earlier mention of the word that comes next; None where none is large.

    What is at one position a coincidence is at another what the head does: its score *earlier mention* is the
    mean over many sentences.
    """
    cells = [
        Again(at, before, float(pattern[at, before]), float(equal[at, before]))
        for at, word in enumerate(words[1:])
        for before in range(at)
        if words[before].lower() == word.lower()
    ]
    best = max(cells, key=lambda one: one.weight, default=None)
    return best if best is not None and clearly_above(best.weight, best.equal) else None
