"""How low the rank of a head is: singular values of what it compares queries and keys with."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from core.measures.reading import read
from core.model.blocks import Block
from core.model.models import Stack
from core.sources import LoadedModel

FLOOR = 1e-7
"""Singular values below this share of the largest are rounding: they count as zero and are drawn here."""

Values = Float[np.ndarray, "value"]


def comparing(model: Stack, layer: int, head: int) -> Float[Tensor, "d_model d_model"]:
    """QKᵀ of one head: what stands between two words in the score xᵢQKᵀxⱼᵀ (CS 224N note, eq 25)."""
    block = model.blocks[layer]
    assert isinstance(block, Block)
    attention = block.attention
    query = attention.query.weight[attention.slice_of(head)].double()
    key = attention.key.weight[attention.shared_slice_of(head)].double()
    return query.T @ key


def singular_values(matrix: Float[Tensor, "row column"]) -> Values:
    """Singular values as shares of the largest, in falling order, none below `FLOOR`."""
    found = torch.linalg.svdvals(matrix.detach().cpu().double())
    shares = found / found[0] if found[0] > 0 else found
    return shares.clamp(min=FLOOR).numpy()


def rank(values: Values) -> int:
    """How many of them are not zero."""
    return int((values > FLOOR).sum())


def weight_values(loaded: LoadedModel, *, layer: int) -> list[Values]:
    """The singular values of QKᵀ of every head of a layer."""
    model = loaded.model
    return [singular_values(comparing(model, layer, head)) for head in range(model.config.n_heads)]


def sentence_values(loaded: LoadedModel, *, layer: int) -> list[Values]:
    """The singular values of xQKᵀxᵀ of every head, which has a row and a column for each word."""
    reading = read(loaded)
    q, k = (torch.tensor(reading.vectors(layer, name)).double() for name in "qk")
    return [singular_values(one @ other.T) for one, other in zip(q, k, strict=True)]


OF = {"QKᵀ": weight_values, "xQKᵀxᵀ": sentence_values}
"""What a rank can be asked of, by its name."""


def values_table(named: Mapping[str, Values]) -> pd.DataFrame:
    """The singular values of each matrix, counted from 1, down to the first that is zero.

    Columns `number`, `matrix` (its name) and `size`.
    """
    tables = [
        pd.DataFrame({"number": range(1, len(values) + 1), "matrix": name, "size": values})[
            : rank(values) + 1
        ]
        for name, values in named.items()
    ]
    return pd.concat(tables, ignore_index=True)
