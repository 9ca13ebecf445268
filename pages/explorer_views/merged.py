"""The weight between two words that a real model reads in pieces: a mean of sums of the weights of these."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from pages.controls.picture import numbers
from pages.shell.scene import Scene
from viz.tables import unique_words
from viz.text import counted

TERMS_SHOWN = 4
"""So many pieces of a query have their sum spelt out."""

NO_DOT_PRODUCT = (
    "The weight between two words has no dot product of its own. Show *pieces* to follow one of theirs down "
    "to it."
)


def merged_weight(scene: Scene, cell: tuple[int, int], *, name: str) -> None:
    """How the weight of a cell is made of those between pieces; `name` is unique on the page."""
    queries, keys = (scene.attention.pieces(at) for at in cell)
    weights = scene.pattern[np.ix_(queries, keys)]
    sums = weights.sum(axis=1)
    with st.container(key=f"{name}_steps"):
        st.latex(_mean(sums))
    st.caption(f"{_said(len(queries), len(keys))} {NO_DOT_PRODUCT}")
    numbers(name, lambda: _table(weights, scene, queries, keys))


def _mean(sums: np.ndarray) -> str:
    shown = " + ".join(f"{one:.3f}" for one in sums[:TERMS_SHOWN]) + r" + \cdots" * (len(sums) > TERMS_SHOWN)
    return rf"\tfrac{{1}}{{{len(sums)}}}\,({shown}) = {sums.mean():.3f}"


def _said(n_queries: int, n_keys: int) -> str:
    summed = (
        f"the sum over the {counted(n_keys, 'piece')} of the key" if n_keys > 1 else "the weight of the key"
    )
    return f"This is the mean, over the {counted(n_queries, 'piece')} of the query, of {summed}."


def _table(weights: np.ndarray, scene: Scene, queries: Sequence[int], keys: Sequence[int]) -> pd.DataFrame:
    """The weights between the pieces."""
    rows, columns = (unique_words([scene.labels[at] for at in own]) for own in (queries, keys))
    return pd.DataFrame(weights, index=pd.Index(rows, name="query"), columns=columns)
