"""What a head finds where a word is about to come again: the weight on its earlier mention."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from core.measures.heads.standing_out import clearly_above


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
    """The largest weight on the earlier mention of the word that comes next; None where none is large.

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
