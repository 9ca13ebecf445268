"""The weight between two words that a real model reads in pieces: a mean of sums of the weights of these."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.contract.sheet import Numbers, Part, Remark, Steps
from pages.shell.scene import Scene
from viz.latex import decimal
from viz.tables import unique_words
from viz.text import counted

TERMS_SHOWN = 4
"""Number of pieces of a query whose sum is spelt out."""

NO_DOT_PRODUCT = (
    "The weight between two words has no dot product of its own. Show *pieces* to follow one of theirs down "
    "to it."
)


def merged_weight(scene: Scene, cell: tuple[int, int], *, name: str) -> tuple[Part, ...]:
    """How the weight of a cell is made of those between pieces; `name` is unique on the page."""
    queries, keys = (scene.attention.pieces(at) for at in cell)
    weights = scene.pattern[np.ix_(queries, keys)]
    return (
        Steps(name, mean(weights.sum(axis=1)) if len(queries) > 1 else _sum(weights[0])),
        Remark(f"{_said(len(queries), len(keys))} {NO_DOT_PRODUCT}"),
        Numbers(name, lambda: _table(weights, scene, queries, keys)),
    )


def mean(terms: np.ndarray, *, most: int = TERMS_SHOWN) -> str:
    """The mean of some weights in LaTeX, with up to `most` of them spelt out; one alone is its own mean."""
    if len(terms) == 1:
        return decimal(terms[0])
    return rf"\tfrac{{1}}{{{len(terms)}}}\,({_added(terms, most)}) = {decimal(terms.mean())}"


def _sum(terms: np.ndarray) -> str:
    return f"{_added(terms, TERMS_SHOWN)} = {decimal(terms.sum())}"


def _added(terms: np.ndarray, most: int) -> str:
    return " + ".join(decimal(one) for one in terms[:most]) + r" + \cdots" * (len(terms) > most)


def _said(n_queries: int, n_keys: int) -> str:
    summed = (
        f"the sum over the {counted(n_keys, 'piece')} of the key" if n_keys > 1 else "the weight of the key"
    )
    if n_queries == 1:
        return f"This is {summed}."
    return f"This is the mean, over the {counted(n_queries, 'piece')} of the query, of {summed}."


def _table(weights: np.ndarray, scene: Scene, queries: Sequence[int], keys: Sequence[int]) -> pd.DataFrame:
    """The weights between the pieces."""
    rows, columns = (unique_words([scene.labels[at] for at in own]) for own in (queries, keys))
    return pd.DataFrame(weights, index=pd.Index(rows, name="query"), columns=columns)
