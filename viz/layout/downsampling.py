"""A matrix too large for visible cells: from afar in blocks, and a part of it from near.

Attention is sparse, so a mean would hide the details: a block shows its largest number and knows its place.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viz.layout.cells import Cell, Matrix, Numbers
from viz.layout.grid import SMALLEST_WHOLE_CELL, Grid, fit, word_widths
from viz.room import Room
from viz.text import label

MOST_BLOCKS = 64
"""Greatest number of visible blocks in a row; 1024 words make blocks of 16 × 16."""

NEAR = 24
"""Number of words around a cell that are shown in full, and large enough for a hall."""

Places = NDArray[np.intp]


class Downsampled(NamedTuple):
    """Matrices with visible cells, and their grid.

    Each of their cells is a block of `side` × `side` cells; `side` is 1 if the cells themselves are visible.
    """

    matrices: list[Matrix]
    grid: Grid
    side: int

    def block_of(self, cell: Cell | None) -> Cell | None:
        """Return the block that shows this cell of the whole matrix."""
        return None if cell is None else (cell[0] // self.side, cell[1] // self.side)


def downsample(
    whole: Sequence[Matrix], grid: Grid, room: Room, *, selected: Cell | None = None
) -> Downsampled:
    """Return matrices with the same words in a `grid` that fits a room, in blocks if they are too large.

    From `least_seen` pixels on, cells are drawn as they are. Blocks are as small as that allows, and at most
    `MOST_BLOCKS` are in a row. They are named after their first words, or the words of the `selected` cell.
    """
    side, fitted = 1, fit(grid, room)
    if fitted.cell < least_seen(room):
        side, fitted = _smallest_blocks(whole[0], grid, room, selected)
    is_one = len(whole) == 1
    shown = [_in_blocks(one, side, selected, is_one=is_one) for one in whole] if side > 1 else list(whole)
    return Downsampled(shown, fitted, side)


def least_seen(room: Room) -> int:
    """Return pixels of the smallest cell drawn in a room: a file is magnified or drawn in vectors."""
    return 1 if room.is_printed else SMALLEST_WHOLE_CELL


def _smallest_blocks(matrix: Matrix, grid: Grid, room: Room, selected: Cell | None) -> tuple[int, Grid]:
    """Return the side of the smallest visible blocks, and a grid that fits them."""
    longest = max(matrix.values.shape)
    for side in range(max(2, ceil(longest / MOST_BLOCKS)), longest + 1):
        queries, keys = map(word_widths, _called(matrix, side, selected))
        fitted = fit(replace(grid, query_widths=queries, key_widths=keys), room)
        if fitted.cell >= least_seen(room):
            break
    return side, fitted


def largest_of_blocks(values: Numbers, side: int) -> tuple[Numbers, Places, Places]:
    """Return the number of each `side` × `side` block that is furthest from 0, with its row and column.

    A block at the edge may be smaller. A block without any number is NaN.
    """
    rows, columns = (ceil(n / side) for n in values.shape)
    edges = [(0, n * side - has) for n, has in zip((rows, columns), values.shape, strict=True)]
    # Padding holds no number, so it is never the largest of a block that has one.
    filled = np.pad(values, edges, constant_values=np.nan)
    blocks = filled.reshape(rows, side, columns, side).swapaxes(1, 2).reshape(rows, columns, side**2)
    at = np.where(np.isnan(blocks), -1.0, np.abs(blocks)).argmax(axis=2)
    largest = np.take_along_axis(blocks, at[..., None], axis=2)[..., 0]
    first_rows, first_columns = side * np.arange(rows)[:, None], side * np.arange(columns)
    return largest, first_rows + at // side, first_columns + at % side


def _in_blocks(matrix: Matrix, side: int, selected: Cell | None, *, is_one: bool) -> Matrix:
    """Return a matrix whose cells are blocks of `side` × `side`, each with the place of its number.

    Unless it `is_one` alone, it has a short legend and no bold words in hovers: several share two megabytes,
    and markup weighs more than words.
    """
    largest, queries, keys = largest_of_blocks(matrix.values, side)
    called_queries, called_keys = _called(matrix, side, selected)
    most = "largest" if matrix.scale.low >= 0 else "number furthest from 0"
    shown = f"{'a cell shows the ' * is_one}{most} of {side} × {side}"
    return replace(
        matrix,
        values=largest,
        queries=called_queries,
        keys=called_keys,
        legend=(*matrix.legend, shown),
        places=np.stack([queries, keys], axis=2),
        said=_said(matrix, queries, keys, bold=is_one),
    )


def near(matrix: Matrix, around: Cell) -> Matrix:
    """Return the part of a matrix around a cell, `NEAR` words each way if there are that many."""
    ends = zip(around, matrix.values.shape, strict=True)
    firsts = [(max(0, min(at - NEAR // 2, n - NEAR)), n) for at, n in ends]
    rows, columns = (range(first, min(n, first + NEAR)) for first, n in firsts)
    places = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=2)
    return replace(
        matrix,
        values=matrix.values[np.ix_(rows, columns)],
        queries=[matrix.queries[at] for at in rows],
        keys=[matrix.keys[at] for at in columns],
        places=places,
    )


def cell_of(x: float, y: float, data: object = None) -> Cell:
    """Return the (query, key) of a click on a matrix: the cell itself, or the largest of its block."""
    query, key = map(int, data.split(",")) if isinstance(data, str) else (round(y), round(x))
    return query, key


def _called(matrix: Matrix, side: int, selected: Cell | None) -> list[list[str]]:
    """Return the names of the blocks of queries and keys: the number and the word of one member each."""
    named = []
    for words, chosen in zip((matrix.queries, matrix.keys), selected or (None, None), strict=True):
        places = list(range(0, len(words), side))
        if chosen is not None:
            places[chosen // side] = chosen
        named.append([f"{at + 1} {words[at]}" for at in places])
    return named


def _said(matrix: Matrix, queries: Places, keys: Places, *, bold: bool) -> list[list[str]]:
    """Return the hover text of each block: both words of its largest number, and the number."""
    form = "<b>{}</b> ({})" if bold else "{} ({})"
    query_names, key_names = (
        [form.format(label(word), at) for at, word in enumerate(words, start=1)]
        for words in (matrix.queries, matrix.keys)
    )

    def said(query: int, key: int, number: float) -> str:
        if np.isnan(number):
            return matrix.gap.hover
        return f"query {query_names[query]} → key {key_names[key]}: {matrix.scale.digits(number)}"

    rows = zip(queries.tolist(), keys.tolist(), matrix.values[queries, keys].tolist(), strict=True)
    return [list(map(said, *row)) for row in rows]
