"""A matrix too large for its cells to be seen: from afar in blocks, and a part of it from near.

Attention is sparse, so a mean would wash away what there is to see: a block shows its largest number and
knows where that stands.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from viz.parts.cells import Cell, Matrix, Numbers
from viz.text import label

LARGEST_PLAIN = 256
"""Up to so many words every cell of a matrix is drawn."""

MOST_BLOCKS = 64
"""So many blocks in a row can be told apart and hit; 1024 words make blocks of 16 × 16."""

NEAR = 32
"""So many words around a cell are read in full."""

Places = NDArray[np.intp]


def side_of(matrix: Matrix) -> int:
    """How many cells a block has in each direction; 1 for a matrix whose own cells can be seen."""
    longest = max(matrix.values.shape)
    return ceil(longest / MOST_BLOCKS) if longest > LARGEST_PLAIN else 1


def largest_of_blocks(values: Numbers, side: int) -> tuple[Numbers, Places, Places]:
    """The number of each block of `side` × `side` that is furthest from 0, and its row and column.

    A block at the edge may be smaller. Where nothing in it is a number, neither is the block's.
    """
    rows, columns = (ceil(n / side) for n in values.shape)
    edges = [(0, n * side - has) for n, has in zip((rows, columns), values.shape, strict=True)]
    # A place outside the matrix holds no number, so it is never the largest of a block that has one.
    filled = np.pad(values, edges, constant_values=np.nan)
    blocks = filled.reshape(rows, side, columns, side).swapaxes(1, 2).reshape(rows, columns, side**2)
    at = np.where(np.isnan(blocks), -1.0, np.abs(blocks)).argmax(axis=2)
    largest = np.take_along_axis(blocks, at[..., None], axis=2)[..., 0]
    first_rows, first_columns = side * np.arange(rows)[:, None], side * np.arange(columns)
    return largest, first_rows + at // side, first_columns + at % side


def block_of(cell: Cell | None, matrix: Matrix) -> Cell | None:
    """The cell of `from_afar(matrix)` that holds this one of the matrix."""
    side = side_of(matrix)
    return None if cell is None else (cell[0] // side, cell[1] // side)


def from_afar(matrix: Matrix, *, briefly: bool = False) -> Matrix:
    """A matrix whose cells are blocks: called after its first words, each says where its number stands.

    `briefly`, as one of several narrow ones that share two megabytes, it has a short line, and
    no word of a hover is bold, for markup weighs more than words.
    """
    side = side_of(matrix)
    if side == 1:
        return matrix
    largest, queries, keys = largest_of_blocks(matrix.values, side)
    size = f"largest of {side} × {side}"
    shown = (size,) if briefly else (f"a cell shows the {size}", "a click opens that one")
    return replace(
        matrix,
        values=largest,
        queries=_first_of_blocks(matrix.queries, side),
        keys=_first_of_blocks(matrix.keys, side),
        legend=(*matrix.legend, *shown),
        places=np.stack([queries, keys], axis=2),
        said=_said(matrix, queries, keys, bold=not briefly),
    )


def near(matrix: Matrix, around: Cell) -> Matrix:
    """The part of a matrix around a cell, `NEAR` words each way where there are so many."""
    rows, columns = (_span(at, n) for at, n in zip(around, matrix.values.shape, strict=True))
    places = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=2)
    return replace(
        matrix,
        values=matrix.values[np.ix_(rows, columns)],
        queries=[matrix.queries[at] for at in rows],
        keys=[matrix.keys[at] for at in columns],
        places=places,
    )


def cell_of(x: float, y: float, data: object = None) -> Cell:
    """The (query, key) that a click on a matrix means: the cell itself, or the largest of its block."""
    if isinstance(data, str):
        query, key = map(int, data.split(","))
        return query, key
    return round(y), round(x)


def _span(at: int, n: int) -> range:
    """The places around `at`, as many on either side as there are."""
    first = max(0, min(at - NEAR // 2, n - NEAR))
    return range(first, min(n, first + NEAR))


def _first_of_blocks(words: Sequence[str], side: int) -> list[str]:
    return [f"{at + 1} {words[at]}" for at in range(0, len(words), side)]


def _said(matrix: Matrix, queries: Places, keys: Places, *, bold: bool) -> list[list[str]]:
    """What a hover says of each block: the two words of its largest number, and the number."""
    query_names, key_names = (_named(words, bold=bold) for words in (matrix.queries, matrix.keys))
    numbers = matrix.values[queries, keys].tolist()

    def said(query: int, key: int, number: float) -> str:
        if np.isnan(number):
            return matrix.gap.hover
        return f"query {query_names[query]} → key {key_names[key]}: {matrix.scale.digits(number)}"

    rows = zip(queries.tolist(), keys.tolist(), numbers, strict=True)
    return [[said(*one) for one in zip(*row, strict=True)] for row in rows]


def _named(words: Sequence[str], *, bold: bool) -> list[str]:
    """Words with their positions, as a hover says them."""
    form = "<b>{}</b> ({})" if bold else "{} ({})"
    return [form.format(label(word), at) for at, word in enumerate(words, start=1)]
