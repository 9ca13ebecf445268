"""Attention as lines between words: a table of the lines to draw."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from viz.tables import unique_words
from viz.text import plain
from words import counted

ROUNDING = 1e-6
"""Share of a query's attention by which float32 may miss the requested mass."""


def strongest(pattern: Float[np.ndarray, "query key"], *, mass: float) -> pd.DataFrame:
    """Return the fewest keys of each query that hold `mass` of its attention, as a tidy table.

    With hidden keys a row sums to less than 1, and `mass` is a share of that sum. Columns: query, key
    (positions counted from 0) and weight, heaviest first within a query, the earlier key first among equals.
    A mass of 1 keeps every key with any weight. Raises ValueError unless 0 < mass ≤ 1.
    """
    if not 0 < mass <= 1:
        raise ValueError(f"mass must be above 0 and at most 1, got {mass}")
    order = np.argsort(-pattern, axis=1, kind="stable")
    weights = np.take_along_axis(pattern, order, axis=1).astype(np.float64)
    # A key is needed if the heavier keys do not hold the mass yet.
    held_before = weights.cumsum(axis=1) - weights
    held = held_before >= (mass - ROUNDING) * weights.sum(axis=1, keepdims=True)
    needed = (weights > 0) & (~held | (mass == 1))
    queries, ranks = np.nonzero(needed)
    return pd.DataFrame({"query": queries, "key": order[queries, ranks], "weight": weights[queries, ranks]})


def describe_lines(lines: pd.DataFrame, words: Sequence[str], *, title: str, unit: str = "word") -> str:
    """Return a description of the lines of `strongest`; each of `words` is called `unit`."""
    extent = f"{plain(title)}: {counted(len(lines), 'line')} between {counted(len(words), unit)}."
    if lines.empty:
        return extent
    names = unique_words(words)
    top = lines.loc[lines["weight"].idxmax()]
    query, key = names[int(top["query"])], names[int(top["key"])]
    return f"{extent} The thickest runs from query {query} to key {key}, weight {top['weight']:.2f}."
