"""Attention sinks: the first word or the full stop, where it gets most of a head's attention whatever looks.

Xiao et al. 2024 found them in large models and gave them their name (section 3.1). In BERT it is the special
token at the end of a sentence (Clark et al. 2019, section 3.2).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

MOST = 0.5
"""A word is a sink if it gets more than this share of the attention."""

FEWEST = 3
"""Least number of queries that make a habit."""

FULL_STOPS = frozenset(".!?…。！？")

Place = Literal["first word", "full stop", "special token"]


@dataclass(frozen=True)
class Sink:
    """A sink: its position, its mean `share` over `n_queries` queries, and what equal weights would give it.

    Of the other queries `n_blind` cannot see it, and `n_narrow` see so little else that they do not count.
    `at` is the position of a special token.
    """

    place: Place
    share: float
    chance: float
    n_queries: int
    n_blind: int = 0
    n_narrow: int = 0
    at: int | None = None


def attention_sink(
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    words: Sequence[str],
    special: Collection[int] = (),
) -> Sink | None:
    """The attention sink of a head; None where it has none.

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
    seeing, narrow = ~there & (chance > 0), ~there & (chance >= MOST)
    counted = seeing & ~narrow
    if counted.sum() < FEWEST:
        return None
    share = float((pattern * ((equal > 0) & there)).sum(axis=1)[counted].mean())
    if share <= MOST:
        return None
    n_counted, n_blind = int(counted.sum()), int((~there & ~seeing).sum())
    return Sink(place, share, float(chance[counted].mean()), n_counted, n_blind, int(narrow.sum()))
