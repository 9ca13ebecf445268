"""All heads of a model as tiles: of every layer, of a long text, or of models with more and fewer heads."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.cells import Numbers
from viz.tables import heads_table, matrix_table, table_of_heads, weights_table
from viz.tiles import Head, Tiles, tile_at
from words import counted


@dataclass(frozen=True, kw_only=True, eq=False)
class Heads(Tiles):
    """Every head of every layer, between `words`; `keys` may have names of their own.

    A row or a column of a pattern stands for a `unit`.
    """

    words: Sequence[str]
    keys: Sequence[str] | None = None
    unit: str = "word"

    @property
    def extent(self) -> str:
        n_queries, n_keys = np.shape(self.patterns)[2:]
        return f"{counted(n_queries, f'query {self.unit}')} by {counted(n_keys, f'key {self.unit}')}"

    def table(self) -> pd.DataFrame:
        return heads_table(self.patterns, allowed=self.allowed)

    def data(self) -> pd.DataFrame:
        return weights_table(self.patterns, self.words, keys=self.keys, allowed=self.allowed)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsInBlocks(Tiles):
    """Every head of a text whose weights are too many to keep.

    A number of the `patterns` is the largest of `side` × `side` weights. `bits`, `largest` and `distance` are
    the entropy, the largest weight and the mean distance of every head (layer, head) over `n` rows and
    columns, each of which is called `unit`.
    """

    side: int
    bits: Numbers
    largest: Numbers
    distance: Numbers
    n: int
    unit: str = "word"

    @property
    def entropies(self) -> Numbers:
        return self.bits

    @property
    def extent(self) -> str:
        return f"{counted(self.n, self.unit)} each way"

    def table(self) -> pd.DataFrame:
        return table_of_heads(self.bits, self.largest, self.distance)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsByCount(Heads):
    """The heads of one layer of models that have as many heads as `counts` says, a row for each model.

    A head that a model lacks is not a number. A click reports coordinates for `head_hit`.
    """

    counts: Sequence[int]

    hover = "head %{x:.0f}<extra></extra>"
    row = "model with {}"

    @property
    def names(self) -> list[str]:
        return [counted(count, "head") for count in self.counts]

    @property
    def heads(self) -> str:
        return counted(len(self.counts), "model")

    def has_tiles(self, weights: Numbers) -> NDArray[np.bool_]:
        return np.arange(weights.shape[1]) < np.array(self.counts)[:, None]

    def table(self) -> pd.DataFrame:
        """List every head, with how many heads its model has."""
        table = super().table().rename(columns={"layer": "heads"})
        table["heads"] = table["heads"].map(dict(enumerate(self.counts, start=1)))
        return table[table["head"] <= table["heads"]].reset_index(drop=True)

    def data(self) -> pd.DataFrame:
        """List the matrices of the heads below each other, with how many heads the model of each has."""
        matrices = {
            (count, head + 1): matrix_table(self.weights[model, head], self.words)
            for model, count in enumerate(self.counts)
            for head in range(count)
        }
        return pd.concat(matrices, names=["heads", "head"])


def head_hit(x: float, y: float, counts: Sequence[int]) -> Head | None:
    """Return how many heads the model has whose tile was clicked, and which of them that is, from 0.

    None beside the tiles.
    """
    tile = tile_at(x, y, n_layers=len(counts), n_heads=max(counts))
    return None if tile is None or tile[1] >= counts[tile[0]] else (counts[tile[0]], tile[1])
