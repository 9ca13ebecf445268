"""Positions of the tiles of many heads, and the head that a click among them means."""

from dataclasses import dataclass, replace
from math import ceil
from typing import NamedTuple

from viz.parts.grid import whole_pixels

LARGEST_TILE, LARGEST_UNIT = 110, 10
LEAST_CELL = 2
"""Pixels of a cell: a line of one pixel alone is pale, and a lecture hall does not see it."""

LEAST_GAP, LARGEST_GAP, GAP_SHARE = 5, 14, 0.08

Head = tuple[int, int]
"""A layer and a head, both counted from 0."""


@dataclass(frozen=True, kw_only=True)
class Strip:
    """Tiles in one direction: `n_tiles` of `n_cells` cells each, and gaps between them.

    All is measured in units of `unit` pixels, because Plotly draws equal cells many times faster: a cell
    takes `units` of them, a gap `gap_units`. In data coordinates a tile and the gap behind it measure 1, and
    the first tile is centred on 1.
    """

    n_tiles: int
    n_cells: int
    unit: float
    units: int
    gap_units: int

    @property
    def cell(self) -> float:
        """Pixels of a cell."""
        return self.units * self.unit

    @property
    def tile(self) -> float:
        """Pixels of a tile."""
        return self.n_cells * self.cell

    @property
    def pitch(self) -> float:
        """Pixels from one tile to the next."""
        return self.tile + self.gap_units * self.unit

    @property
    def length(self) -> float:
        """Pixels from the first tile to the end of the last."""
        return (self.n_tiles - 1) * self.pitch + self.tile

    def at(self, pixels: float) -> float:
        """The data coordinate `pixels` behind the beginning of the first tile."""
        return 1 + (pixels - self.tile / 2) / self.pitch


class Tiling(NamedTuple):
    """Tiles in both directions. A cell of a tile stands for `block` × `block` weights."""

    across: Strip
    down: Strip
    block: int


def tiling(n_layers: int, n_heads: int, n_queries: int, n_keys: int, *, room: float) -> Tiling:
    """The largest tiles for so many heads in `room` pixels of width.

    Where cells would be smaller than `LEAST_CELL`, several weights share one.
    """
    pitch = room / n_heads
    gap = min(max(GAP_SHARE * pitch, LEAST_GAP), LARGEST_GAP)
    tile = max(1.0, min(pitch - gap, LARGEST_TILE))
    block = ceil(max(n_queries, n_keys) * LEAST_CELL / tile)
    rows, columns = ceil(n_queries / block), ceil(n_keys / block)
    cell = tile / max(rows, columns)
    units = ceil(cell / LARGEST_UNIT)
    unit = whole_pixels(cell / units)
    gap_units = max(1, int(gap / unit))
    across = Strip(n_tiles=n_heads, n_cells=columns, unit=unit, units=units, gap_units=gap_units)
    return Tiling(across, replace(across, n_tiles=n_layers, n_cells=rows), block)


def tile_at(x: float, y: float, *, n_layers: int, n_heads: int) -> Head | None:
    """The layer and head, counted from 0, of a click at these data coordinates of `head_grid`.

    A click in a gap means the nearest tile, one outside all of them none.
    """
    layer, head = round(y) - 1, round(x) - 1
    return (layer, head) if 0 <= layer < n_layers and 0 <= head < n_heads else None
