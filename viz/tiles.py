"""Positions of the tiles of many heads, and the head that a click among them means."""

from dataclasses import dataclass, replace
from math import ceil, floor, inf
from typing import NamedTuple

LEAST_GAP, LARGEST_GAP, GAP_SHARE = 5, 14, 0.08
SMALLEST_WHOLE = 4
"""Pixels of a unit from which on it is cut to whole pixels; a smaller one would lose too much."""

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


def tiling(
    shape: tuple[int, int, int, int],
    *,
    width: float,
    height: float,
    least_cell: float,
    largest_tile: float = inf,
    whole: bool = False,
) -> Tiling:
    """Return the largest tiles for patterns (layer, head, query, key) in so many pixels.

    If cells would be smaller than `least_cell`, several weights share one. Cells of `whole` pixels look alike
    on a screen that does not magnify them.
    """
    n_layers, n_heads, n_queries, n_keys = shape
    pitch = min(width / n_heads, height / n_layers)
    gap = min(max(GAP_SHARE * pitch, LEAST_GAP), LARGEST_GAP)
    tile_width, tile_height = (
        max(1.0, min((room + gap) / n - gap, largest_tile))
        for room, n in ((width, n_heads), (height, n_layers))
    )
    block = max(1, ceil(least_cell * max(n_queries / tile_height, n_keys / tile_width)))
    rows, columns = ceil(n_queries / block), ceil(n_keys / block)
    cell = min(tile_width / columns, tile_height / rows)
    units = ceil(cell / gap)
    unit = cell / units
    if whole and unit >= SMALLEST_WHOLE:
        unit = floor(unit)
    gap_units = max(1, int(gap / unit))
    across = Strip(n_tiles=n_heads, n_cells=columns, unit=unit, units=units, gap_units=gap_units)
    return Tiling(across, replace(across, n_tiles=n_layers, n_cells=rows), block)


def tile_at(x: float, y: float, *, n_layers: int, n_heads: int) -> Head | None:
    """Return the layer and head, counted from 0, of a click at these data coordinates.

    A click in a gap means the nearest tile, one outside all of them none.
    """
    layer, head = round(y) - 1, round(x) - 1
    return (layer, head) if 0 <= layer < n_layers and 0 <= head < n_heads else None
