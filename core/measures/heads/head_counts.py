"""One sentence read by models that differ in the number of their heads alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from core.learning.checkpoints import Record
from core.learning.collection.members import HEADS
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import LoadedModel

PHENOMENA = ("agreement", "names")
"""Questions about earlier words: the verb in the number of its subject, and a name said again."""


@dataclass(frozen=True)
class HeadCounts:
    """One layer's patterns for each number of heads in `counts`.

    `patterns` has room for as many heads as the largest model has; what a smaller one lacks is not a number.
    """

    counts: tuple[int, ...]
    patterns: Float[np.ndarray, "model head query key"]
    allowed: Bool[np.ndarray, "query key"]
    unknown: tuple[int, ...]


def with_each(config: ModelConfig) -> dict[int, ModelConfig]:
    """A configuration with 1, 2, 4 and 8 heads, by their number."""
    return {n_heads: replace(config, n_heads=n_heads) for n_heads in HEADS}


def read_with_each(models: Mapping[int, LoadedModel], *, layer: int) -> HeadCounts:
    """Read the same words with models that have so many heads."""
    found = {n_heads: read(model) for n_heads, model in models.items()}
    first = next(iter(found.values()))
    n = len(first.words)
    patterns = np.full((len(found), max(found), n, n), np.nan, dtype=np.float32)
    for row, (n_heads, reading) in enumerate(found.items()):
        patterns[row, :n_heads] = reading.patterns()[layer]
    return HeadCounts(tuple(found), patterns, first.allowed(), first.unknown)


def records_table(records: Mapping[int, Record]) -> pd.DataFrame:
    """What models with so many heads can do on unseen sentences.

    Columns `heads`, `loss` in nats, `task` (the share of right words) and the shares of `PHENOMENA`.
    """
    rows = []
    for n_heads, record in records.items():
        answers = (record.accuracies.get(name, float("nan")) for name in PHENOMENA)
        rows.append((n_heads, record.loss, record.accuracy, *answers))
    return pd.DataFrame(rows, columns=["heads", "loss", "task", *PHENOMENA])
