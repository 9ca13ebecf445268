"""Whole sentences right by source length, from the records of translators, and what may be claimed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot

import pandas as pd

from core.learning.checkpoints import Record
from core.learning.evaluation.translation import LENGTHS, SENTENCES, Share
from core.measures.findings import finding

Span = tuple[int, int]

MOST_ERRORS = 2
"""A difference counts as one if it is more than so many standard errors."""

DIFFERENT_SHORTEST = 115
"""How many of the test sentences of the shortest group are different; in every longer one all are."""

ONE_OF_ALL = "translation-lstm-dot"
"""A translator that stands for all where it is about what they have learned from, which is the same."""

NEAR_TO_TRAINING = "test sentences with a neighbour in training, of so many"
"""What `near_to_training` has measured for its recipe, by its name in the findings."""


@dataclass(frozen=True)
class Difference:
    """By how much one share is larger than another, with its standard error."""

    value: float
    error: float

    @property
    def sign(self) -> int:
        """1 where the first share is larger by more than chance explains, −1 where the second is, or 0."""
        if abs(self.value) <= MOST_ERRORS * self.error:
            return 0
        return 1 if self.value > 0 else -1


def difference(first: Share, second: Share) -> Difference:
    """`first` − `second`, of sentences drawn independently: their squared errors add up.

    Translators are tested with the same sentences, so that the error is rather too large than too small.
    """
    return Difference(first.value - second.value, hypot(first.error, second.error))


def by_source_length(record: Record) -> Mapping[Span, Share]:
    """The share of test sentences that a translator gets right, for each group of source lengths.

    Empty where its record has none.
    """
    known = record.accuracies
    names = {span: f"sentences {span[0]}–{span[1]}" for span in LENGTHS}
    return {
        span: Share(round(known[name] * SENTENCES), SENTENCES)
        for span, name in names.items()
        if name in known
    }


def table_by_length(records: Mapping[str, Record]) -> pd.DataFrame:
    """Return the shares of all of these translators, by the names given.

    Columns: model; words, the middle of the group; first and last, its ends; right and n; share; low and
    high, one standard error below and above.
    """
    rows = []
    for name, record in records.items():
        for (first, last), share in by_source_length(record).items():
            low, high = share.value - share.error, share.value + share.error
            rows.append((name, (first + last) / 2, first, last, share.right, share.n, share.value, low, high))
    columns = ["model", "words", "first", "last", "right", "n", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def share_near_to_training() -> Share | None:
    """The test sentences with a neighbour in training, where they were counted for what is there now."""
    found = finding(ONE_OF_ALL, NEAR_TO_TRAINING)
    return None if found is None else Share(*map(int, found))


def training_steps(records: Iterable[Record]) -> frozenset[int]:
    """The numbers of steps for which these translators were trained."""
    return frozenset(record.recipe.steps for record in records)


def highest_of_none(n: int) -> float:
    """The share that `n` failures out of `n` leave possible with 95 % confidence (the rule of three)."""
    return 3 / n
