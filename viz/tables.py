"""The tables behind the matrix figures, for reading numbers, screen readers and spreadsheets."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import Numbers, checked, visible
from viz.text import plain, quoted, unique_words

MOST_COLUMNS = 256
"""Greatest number of words for which a table has a column each."""

LISTED = 1000
"""Number of cells listed of a matrix that is too large for a table."""


def matrix_table(
    matrix: ArrayLike,
    words: Sequence[str],
    *,
    keys: Sequence[str] | None = None,
    allowed: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return a row for each query and a column for each key; a masked weight is missing.

    `keys` has other words for the keys. A word that occurs more than once carries its position, counted from
    1: `the (4)`.
    """
    keys = words if keys is None else keys
    values = checked(visible(matrix, allowed), words, keys)
    index, columns = pd.Index(unique_words(words), name="query"), pd.Index(unique_words(keys), name="key")
    return pd.DataFrame(values, index=index, columns=columns)


def pairs_table(matrices: Mapping[str, ArrayLike], words: Sequence[str]) -> pd.DataFrame:
    """Return a row for each pair of words, a column for each matrix by name; a masked number is missing."""
    names = unique_words(words)
    pairs = pd.MultiIndex.from_product([names, names], names=["query", "key"])
    columns = {name: np.ravel(matrix) for name, matrix in matrices.items()}
    return pd.DataFrame(columns, index=pairs).reset_index()


def cells_table(matrix: ArrayLike, words: Sequence[str]) -> pd.DataFrame:
    """Return `matrix_table`, or for more than 256 words the `LISTED` numbers furthest from 0.

    Its columns are then query, key and value; a column for each word would take megabytes.
    """
    if len(words) <= MOST_COLUMNS:
        return matrix_table(matrix, words)
    values = checked(visible(matrix), words, words)
    far = np.where(np.isnan(values), -1, np.abs(values)).ravel()
    order = np.argsort(-far, kind="stable")[:LISTED]
    queries, keys = np.unravel_index(order[far[order] >= 0], values.shape)
    names = np.array([f"{word} ({at})" for at, word in enumerate(map(plain, words), start=1)], dtype=object)
    return pd.DataFrame({"query": names[queries], "key": names[keys], "value": values[queries, keys]})


def largest_changes(
    a: ArrayLike, b: ArrayLike, words: Sequence[str], *, allowed: ArrayLike | None = None, n_rows: int = 10
) -> pd.DataFrame:
    """Return the cells in which B differs most from A, the largest change of either sign first.

    Columns are query, key, A, B and change = B − A. A cell that is masked in either has no row.
    """
    before, after = (checked(visible(matrix, allowed), words, words) for matrix in (a, b))
    change = after - before
    queries, columns = np.nonzero(~np.isnan(change))
    # Rounded, so that cells whose changes are one number to the eye keep their order on every machine.
    order = np.argsort(-np.abs(change[queries, columns]).round(5), kind="stable")[:n_rows]
    at, names = (queries[order], columns[order]), np.array(unique_words(words), dtype=object)
    words_of = {"query": names[at[0]], "key": names[at[1]]}
    return pd.DataFrame({**words_of, "A": before[at], "B": after[at], "change": change[at]})


def weights_table(
    patterns: ArrayLike,
    words: Sequence[str],
    *,
    keys: Sequence[str] | None = None,
    allowed: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return the matrices of patterns (layer, head, query, key) one below the other, counted from 1."""
    heads = visible(patterns, allowed)
    below = {
        (layer + 1, head + 1): matrix_table(heads[layer, head], words, keys=keys)
        for layer, head in np.ndindex(heads.shape[:2])
    }
    return pd.concat(below, names=["layer", "head"])


def heads_table(patterns: ArrayLike, *, allowed: ArrayLike | None = None) -> pd.DataFrame:
    """Return a row for each head of patterns (layer, head, query, key), counted from 1.

    Entropy in bits, 0 if each query attends to one key only, is the mean over the queries that see a key. So
    is the mean distance, in words, from a query to its keys; it is left out if queries and keys are not the
    same words. Both are computed from rows divided by their sums, which are below 1 if keys are left out.
    """
    weights = visible(patterns, allowed)
    shares, (n_queries, n_keys) = _shares(weights), weights.shape[2:]
    apart = np.abs(np.subtract.outer(np.arange(n_queries), np.arange(n_keys)))
    distances = _over_queries(shares, shares * apart) if n_queries == n_keys else None
    return table_of_heads(entropies(weights), np.nan_to_num(weights).max(axis=(-2, -1)), distances)


def table_of_heads(bits: Numbers, largest: Numbers, distance: Numbers | None) -> pd.DataFrame:
    """Return a table of all heads from known numbers (layer, head)."""
    layers, heads = np.indices(bits.shape).reshape(2, -1) + 1
    columns = {"entropy in bits": bits, "largest weight": largest}
    if distance is not None:
        columns["mean distance"] = distance
    return pd.DataFrame({"layer": layers, "head": heads} | {name: c.ravel() for name, c in columns.items()})


def word_label(words: Sequence[str], at: int) -> str:
    """Return a word of `words` for a title; a repeated one with its position: `“the” (4)`."""
    shown = plain(words[at])
    repeated = sum(plain(word) == shown for word in words) > 1
    return f"{quoted(shown)} ({at + 1})" if repeated else quoted(shown)


def entropies(weights: Numbers) -> Numbers:
    """Return the mean entropy in bits over the queries of (…, query, key), each row divided by its sum.

    The result is (…); missing weights count as 0.
    """
    shares = _shares(weights)
    return _over_queries(shares, -shares * np.log2(np.where(shares > 0, shares, 1)))


def _shares(weights: Numbers) -> Numbers:
    """Return rows that sum to 1, or to 0 without a weight; missing weights count as 0."""
    filled = np.nan_to_num(weights)
    total = filled.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(filled, total, out=np.zeros_like(filled), where=total > 0))


def _over_queries(shares: Numbers, each: Numbers) -> Numbers:
    """Return the sum over keys, averaged over the queries that see a key; NaN if none does."""
    seeing = shares.sum(axis=-1) > 0
    n_seeing = seeing.sum(axis=-1)
    total = (each.sum(axis=-1) * seeing).sum(axis=-1)
    return np.where(n_seeing, total / np.maximum(n_seeing, 1), np.nan)
