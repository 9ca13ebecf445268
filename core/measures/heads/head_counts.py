"""The same sentence read by models that differ in the number of their heads alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from core.learning.collection.members import HEADS
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import UnavailableError, find

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


def with_each(config: ModelConfig) -> list[ModelConfig]:
    """A configuration with 1, 2, 4 and 8 heads."""
    return [replace(config, n_heads=n_heads) for n_heads in HEADS]


def read_with_each(
    words: Sequence[str], config: ModelConfig, *, source: str, seed: int, layer: int
) -> HeadCounts:
    """Read `words` with 1, 2, 4 and 8 heads, as far as the source has such models.

    Raises UnavailableError, saying what to do, where it has none.
    """
    found, missing = {}, []
    for n_heads in HEADS:
        try:
            found[n_heads] = read(words, replace(config, n_heads=n_heads), source=source, seed=seed)
        except UnavailableError as error:
            missing.append(error)
    if not found:
        raise missing[0]
    n = len(words)
    patterns = np.full((len(found), max(found), n, n), np.nan, dtype=np.float32)
    for row, (n_heads, reading) in enumerate(found.items()):
        patterns[row, :n_heads] = reading.patterns()[layer]
    first = next(iter(found.values()))
    return HeadCounts(tuple(found), patterns, first.allowed(), first.unknown)


def records_table(config: ModelConfig, *, source: str) -> pd.DataFrame:
    """What the intact models behind `config` can do on unseen sentences, for each number of heads.

    Columns `heads`, `loss` in nats, `task` (the share of right words) and the shares of `PHENOMENA`; no rows
    for models that have learned nothing, or that are missing.
    """
    rows = []
    for n_heads in HEADS:
        try:
            record = find(source).record(replace(config, n_heads=n_heads))
        except UnavailableError:
            continue
        if record is not None:
            answers = (record.accuracies.get(name, float("nan")) for name in PHENOMENA)
            rows.append((n_heads, record.loss, record.accuracy, *answers))
    return pd.DataFrame(rows, columns=["heads", "loss", "task", *PHENOMENA])
