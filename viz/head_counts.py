"""The heads of one layer of models that differ in their number: a row of tiles for each model."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from core.words import counted, enumerated
from viz.head_grid import SIZE, head_grid
from viz.heads import describe_head_grid
from viz.picture import Picture, finished
from viz.tables import heads_table, matrix_table
from viz.theme import Theme
from viz.tiles import Head, tile_at


def head_counts(
    patterns: Float[np.ndarray, "model head query key"],
    counts: Sequence[int],
    *,
    words: Sequence[str],
    of: str,
    theme: Theme,
    selected: Head | None,
    allowed: Bool[np.ndarray, "query key"],
    size: int = SIZE,
) -> Picture:
    """The tiles of every model, which has as many heads as `counts` says; what it lacks is not a number.

    They are those `of` a layer, as titles name it, between `words`. `selected` frames the
    (model, head) counted from 0. A click reports coordinates for `head_hit`.
    """
    rows = [counted(count, "head") for count in counts]
    return finished(
        head_grid(patterns, theme=theme, selected=selected, allowed=allowed, rows=rows, size=size),
        alt=describe_head_grid(patterns, rows=rows),
        table=lambda: _table(patterns, counts),
        data=lambda: _weights(patterns, counts, words, allowed),
        title=f"Attention weights of models with {_so_many(counts)}, {of}",
    )


def _so_many(counts: Sequence[int]) -> str:
    return counted(counts[0], "head") if len(counts) == 1 else f"{enumerated(counts)} heads"


def head_hit(x: float, y: float, counts: Sequence[int]) -> Head | None:
    """How many heads the model has whose tile was clicked, and which of them that is, counted from 0.

    None beside the tiles.
    """
    tile = tile_at(x, y, n_layers=len(counts), n_heads=max(counts))
    if tile is None or tile[1] >= counts[tile[0]]:
        return None
    return counts[tile[0]], tile[1]


def _table(patterns: Float[np.ndarray, "model head query key"], counts: Sequence[int]) -> pd.DataFrame:
    """A row for each head, and how many heads its model has."""
    table = heads_table(patterns).rename(columns={"layer": "heads"})
    table["heads"] = table["heads"].map(dict(enumerate(counts, start=1)))
    return table[table["head"] <= table["heads"]].reset_index(drop=True)


def _weights(
    patterns: Float[np.ndarray, "model head query key"],
    counts: Sequence[int],
    words: Sequence[str],
    allowed: Bool[np.ndarray, "query key"],
) -> pd.DataFrame:
    """The matrices of the heads below each other, and how many heads the model of each has."""
    below = {
        (count, head + 1): matrix_table(patterns[model, head], words, allowed=allowed)
        for model, count in enumerate(counts)
        for head in range(count)
    }
    return pd.concat(below, names=["heads", "head"])
