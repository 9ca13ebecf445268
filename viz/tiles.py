"""Tiles in one image: their size, places and numbers, and the tile of a click."""

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from viz.layout.cells import Numbers
from viz.room import Room

LEAST_CELL, LEAST_MAGNIFIED, LEAST_PRINTED = 2.0, 1.0, 0.25
"""Least pixels of a cell in a room: on a screen, magnified, and in print.

A cell takes about two pixels of a screen, even if magnified, because a line of one pixel is pale. A file has
up to four dots for a pixel of its room.
"""

LEAST_GAP, LARGEST_GAP, GAP_SHARE = 5, 14, 0.08
SMALLEST_WHOLE = 4
"""Pixels of a unit from which on it is cut to whole pixels; a smaller one would lose too much."""

LEVELS = 254

Codes = NDArray[np.uint8]
"""0 for a masked cell, 1 for a weight of 0, up to 255 for a weight at the end of the scale.

255 for a masked cell would make many `/` in base64, which Plotly writes with six characters each.
"""

Head = tuple[int, int]
"""A layer and a head, both counted from 0."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiling:
    """Equal tiles of square cells, and gaps between them; a cell stands for `block` × `block` weights.

    Values for both directions are arrays (across, down): `n_tiles` of `n_cells` each. Lengths are in units of
    `unit` pixels, because Plotly draws equal cells many times faster: a cell takes `units` of them, a gap
    `gap_units`. In data coordinates a tile with its gap measures 1; the first tile is centred on 1.
    """

    n_tiles: NDArray[np.int64]
    n_cells: NDArray[np.int64]
    unit: float
    units: int
    gap_units: int
    block: int

    @property
    def cell(self) -> float:
        """Pixels of a cell."""
        return self.units * self.unit

    @property
    def tile(self) -> Numbers:
        """Pixels of a tile."""
        return self.n_cells * self.cell

    @property
    def pitch(self) -> Numbers:
        """Pixels from one tile to the next."""
        return self.tile + self.gap_units * self.unit

    @property
    def length(self) -> Numbers:
        """Pixels from the first tile to the end of the last."""
        return (self.n_tiles - 1) * self.pitch + self.tile

    def at(self, pixels: float | Numbers) -> Numbers:
        """Return the data coordinates of a place `pixels` after the beginning of the first tile."""
        return 1 + (pixels - self.tile / 2) / self.pitch


def tiling(shape: tuple[int, ...], room: Room, *, width: float, height: float, largest: float) -> Tiling:
    """Return the largest tiles for patterns (layer, head, query, key) in this room, up to `largest`.

    If cells would be too small, several weights share one. On a screen without magnification, cells of whole
    pixels look alike.
    """
    least = LEAST_PRINTED if room.is_printed else LEAST_MAGNIFIED if room.fills else LEAST_CELL
    n_layers, n_heads, n_queries, n_keys = shape
    n_tiles, n_cells, size = np.array([n_heads, n_layers]), np.array([n_keys, n_queries]), (width, height)
    gap = min(max(GAP_SHARE * float((size / n_tiles).min()), LEAST_GAP), LARGEST_GAP)
    tile = np.clip((np.array(size) + gap) / n_tiles - gap, 1, largest)
    block = max(1, ceil((least * n_cells / tile).max()))
    n_cells = -(-n_cells // block)
    cell = float((tile / n_cells).min())
    units = ceil(cell / gap)
    unit = cell / units
    if unit >= SMALLEST_WHOLE and not room.is_printed and not room.fills:
        unit = floor(unit)
    gaps = max(1, int(gap / unit))
    return Tiling(n_tiles=n_tiles, n_cells=n_cells, unit=unit, units=units, gap_units=gaps, block=block)


def tiled(shares: Numbers, tiles: Tiling) -> Codes:
    """Return the codes of all patterns in one image of units, with empty rows and columns for the gaps.

    The patterns are shares of the end of their scale. A shared cell shows the largest of its weights.
    """
    codes = np.where(np.isnan(shares), 0, 1 + np.rint(LEVELS * np.clip(shares, 0, 1))).astype(np.uint8)
    units, gap, block = tiles.units, tiles.gap_units, tiles.block
    if block > 1:
        across, down = tiles.n_cells * block - codes.shape[:1:-1]
        filled = np.pad(codes, ((0, 0), (0, 0), (0, down), (0, across)))
        # One cell of every block after the other: a maximum over two short axes takes thirty times as long.
        cells = [filled[..., row::block, column::block] for row, column in np.ndindex(block, block)]
        codes = np.maximum.reduce(cells)
    codes = codes.repeat(units, axis=2).repeat(units, axis=3)
    apart = np.pad(codes, ((0, 0), (0, 0), (0, gap), (0, gap)))
    n_layers, n_heads, rows, columns = apart.shape
    return apart.swapaxes(1, 2).reshape(n_layers * rows, n_heads * columns)[:-gap, :-gap]


def tile_at(x: float, y: float, *, n_layers: int, n_heads: int) -> Head | None:
    """Return the layer and head, from 0, nearest to a click at these coordinates; None outside all tiles."""
    layer, head = round(y) - 1, round(x) - 1
    return (layer, head) if 0 <= layer < n_layers and 0 <= head < n_heads else None
