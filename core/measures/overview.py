"""All heads of a long text at once: of each the largest weight of every block, and four numbers."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import ceil

import numpy as np
from jaxtyping import Bool, Float

from core.arrays import read_only
from core.measures.heads.sinks import largest_shares
from core.measures.prediction import entropy

MOST_BLOCKS = 64
"""Most blocks in a row that are kept of each head: more than a tile has room for where heads are many."""

PerHead = Float[np.ndarray, "layer head"]
Heads = Float[np.ndarray, "head query key"]


@dataclass(frozen=True, eq=False)
class Overview:
    """Blocks of `side` × `side` weights of every head, by the largest of each: a mean would wash it away.

    A block is `allowed` where any of its cells is. `bits` is the mean entropy of the rows of a head,
    `largest` its largest weight and `distance` how many rows its queries are from what they attend to.
    `shares` are what `core.measures.heads.sinks` compares.
    """

    side: int
    blocks: Float[np.ndarray, "layer head block_of_queries block_of_keys"]
    allowed: Bool[np.ndarray, "block_of_queries block_of_keys"]
    bits: PerHead
    largest: PerHead
    distance: PerHead
    shares: PerHead


def overview(
    layers: Iterable[Heads], allowed: Bool[np.ndarray, "query key"], special: Collection[int] = ()
) -> Overview:
    """The overview of `layers`, which are asked for one after the other and not kept.

    What is at `special` positions has no part in the shares.
    """
    side = ceil(len(allowed) / MOST_BLOCKS)
    found = [(*_summary(heads, side), largest_shares(heads, special)) for heads in layers]
    blocks, bits, largest, distance, shares = (read_only(np.stack(one)) for one in zip(*found, strict=True))
    may = read_only(_of_blocks(np.logical_or, allowed, side))
    return Overview(side, blocks, may, bits, largest, distance, shares)


def _summary(heads: Heads, side: int) -> tuple[np.ndarray, ...]:
    """The blocks of one layer and three numbers of each head; rows that see nothing do not count."""
    blocks = _of_blocks(np.maximum, heads, side)
    seeing = heads.sum(axis=-1) > 0
    n_seeing = np.maximum(seeing.sum(axis=-1), 1)
    at = np.arange(heads.shape[-1], dtype=heads.dtype)
    # Row by row: the distances are a matrix of their own for each query otherwise.
    away = np.stack([heads[:, query] @ np.abs(at - query) for query in range(len(at))], axis=-1)
    bits = entropy(heads) * seeing
    return blocks, bits.sum(axis=-1) / n_seeing, blocks.max(axis=(-2, -1)), away.sum(axis=-1) / n_seeing


def _of_blocks(join: np.ufunc, matrices: np.ndarray, side: int) -> np.ndarray:
    """What `join` makes of each block of the last two axes; one at the edge may be smaller."""
    for axis in (-2, -1):
        matrices = join.reduceat(matrices, np.arange(0, matrices.shape[axis], side), axis=axis)
    return matrices
