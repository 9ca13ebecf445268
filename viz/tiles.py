"""Tiles of many heads: where they and their names stand, their numbers, and what a click among them means."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf, isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viz.layout.canvas import BAR, BESIDE_BAR, LEGEND, Box, bar_room, is_beside_bar, legend_width
from viz.layout.cells import DOT, Numbers
from viz.layout.kinds import MASKED_WEIGHT, WEIGHT
from viz.room import Room
from viz.text import em_width, label, wrapped

TYPE, LINE, APART = 15, 1.15, 0.15
"""Pixels of the usual type; in em the distance of two lines, and the least between two numbers."""

PADDING = 5
"""Pixels around all tiles."""

LARGEST_TILE = 160
"""Pixels of a tile at most, in a room that the figure does not have to fill."""

LEAST_CELL, LEAST_MAGNIFIED, LEAST_PRINTED = 2.0, 1.0, 0.25
"""Pixels of the room that a cell takes at least: about two of a screen, also in a magnified lecture, as a
line of one pixel is pale. A file has up to four dots for a pixel of its room."""

HIGH = 560
"""Pixels of height on a page of unknown height."""

SIDE, LEAST_BESIDE = 160, 60
"""Pixels of width that the colour bar and its legend need beside the tiles, and that the tiles need then."""

LEVELS = 254

LEAST_GAP, LARGEST_GAP, GAP_SHARE = 5, 14, 0.08
SMALLEST_WHOLE = 4
"""Pixels of a unit from which on it is cut to whole pixels; a smaller one would lose too much."""

Codes = NDArray[np.uint8]
"""0 for a masked cell, 1 for a weight of 0, up to 255 for a weight at the end of the scale.

Not 255 for a masked cell: Plotly writes the `/` that many of those become in base64 with six characters.
"""

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


def tiling(shape: tuple[int, ...], room: Room, *, width: float, height: float, largest: float) -> Tiling:
    """Return the largest tiles for patterns (layer, head, query, key) in so many pixels, up to `largest`.

    If cells would be too small, several weights share one. On a screen that does not magnify them cells of
    whole pixels look alike.
    """
    n_layers, n_heads, n_queries, n_keys = shape
    least = LEAST_PRINTED if room.is_printed else LEAST_MAGNIFIED if room.fills else LEAST_CELL
    pitch = min(width / n_heads, height / n_layers)
    gap = min(max(GAP_SHARE * pitch, LEAST_GAP), LARGEST_GAP)
    tile_width, tile_height = (
        max(1.0, min((free + gap) / n - gap, largest)) for free, n in ((width, n_heads), (height, n_layers))
    )
    block = max(1, ceil(least * max(n_queries / tile_height, n_keys / tile_width)))
    rows, columns = ceil(n_queries / block), ceil(n_keys / block)
    cell = min(tile_width / columns, tile_height / rows)
    units = ceil(cell / gap)
    unit = cell / units
    if unit >= SMALLEST_WHOLE and not room.is_printed and not room.fills:
        unit = floor(unit)
    gap_units = max(1, int(gap / unit))
    across = Strip(n_tiles=n_heads, n_cells=columns, unit=unit, units=units, gap_units=gap_units)
    return Tiling(across, replace(across, n_tiles=n_layers, n_cells=rows), block)


class Content(NamedTuple):
    """Patterns of a `shape` (row, head, query, key), and the names of their rows.

    A number stands for `side` × `side` weights, and some cells are masked if it `masks`.
    """

    shape: tuple[int, ...]
    rows: Sequence[str]
    side: int
    masks: bool

    def legend(self, block: int, width: float) -> list[str]:
        """Return the lines beside and below a colour bar of so many pixels, the name of the bar first."""
        side = block * self.side
        shared = f"a cell shows the largest of {side} × {side} weights" if side > 1 else ""
        masked = f"{DOT} {MASKED_WEIGHT.legend}" if self.masks else ""
        return [WEIGHT, *(line for one in (shared, masked) if one for line in wrapped(one, width / LEGEND))]


class Layout(NamedTuple):
    """Where all is in pixels: the size of the figure, its tiles, and its colour bar with the legend.

    Of the names of rows and of heads those have a text that have the room.
    """

    width: float
    height: float
    box: Box
    tiles: Tiling
    bar: Box
    legend: list[str]
    legend_room: float
    rows: list[str]
    heads: list[str]
    type_size: float


def layout(content: Content, room: Room) -> Layout:
    """Return the layout with the largest cells, the colour bar below the tiles or beside them.

    The usual type gives way to the smallest if that names all. On a page the tiles become higher than the
    room if that gives every weight a cell.
    """
    heights = {room.tallest if isfinite(room.tallest) else HIGH: inf if room.fills else LARGEST_TILE}
    if not room.fills and not room.is_printed:
        heights[inf] = LEAST_CELL * max(content.shape[2:])
    found = []
    for tallest, largest in heights.items():
        for size in (TYPE, room.smallest_type):
            both = (_laid_out(content, room, tallest, largest, size, is_beside=at) for at in (False, True))
            best = max(filter(None, both), key=lambda one: one.tiles.across.cell / one.tiles.block)
            if all(best.rows) and all(best.heads):
                break
        if best.tiles.block == 1:
            return best
        found.append(best)
    return found[0]


def _laid_out(
    content: Content, room: Room, tallest: float, largest: float, size: float, *, is_beside: bool
) -> Layout | None:
    """Return a layout in this type, its bar below the tiles or beside them; None if it has no room there."""
    left, above = max(map(em_width, content.rows)) * size + 2 * PADDING, 2 * size
    width = room.width - left - 2 * PADDING - SIDE * is_beside
    if is_beside and width < LEAST_BESIDE:
        return None
    free = SIDE - 4 * PADDING if is_beside else width
    for block in (1, 99):  # the legend has one more line if weights share a cell
        foot = 0 if is_beside else 3 * PADDING + bar_room(content.legend(block, free), free)
        height = max(tallest - above - 2 * PADDING - foot, 1.0)
        tiles = tiling(content.shape, room, width=width, height=height, largest=largest)
        if tiles.block == 1:
            break
    legend = content.legend(tiles.block, free)
    box = Box(left, above, tiles.across.length, tiles.down.length)
    place = (box.right + 4 * PADDING, box.top) if is_beside else (left, box.bottom + 3 * PADDING)
    wide = max(BESIDE_BAR * is_beside_bar(legend, free) + legend_width(legend[:1]), legend_width(legend))
    bar = Box(*place, max(BAR + LEGEND, wide), bar_room(legend, free))
    ends = max(box.right + 2 * PADDING, bar.right), max(box.bottom + 2 * PADDING, bar.bottom)
    step = ceil(LINE * size / tiles.down.pitch)
    rows = [label(name) if at % step == 0 else "" for at, name in enumerate(content.rows)]
    heads = _head_names(tiles.across, size)
    width = min(ceil(ends[0]), int(room.width))
    return Layout(width, ceil(ends[1]), box, tiles, bar, legend, free, rows, heads, size)


def _head_names(strip: Strip, size: float) -> list[str]:
    """Return heads counted from 1, without the word `head` if it has no room; every n-th if numbers touch."""
    n, pitch = strip.n_tiles, strip.pitch / size
    if em_width(f"head {n}") <= pitch:
        return [f"head {at}" for at in range(1, n + 1)]
    step = ceil((em_width(str(n)) + APART) / pitch)
    return [str(at + 1) if at % step == 0 else "" for at in range(n)]


def tiled(shares: Numbers, tiles: Tiling) -> Codes:
    """Return the codes of all patterns in one image of units, with empty rows and columns for the gaps.

    The patterns are shares of the end of their scale.
    """
    codes = np.where(np.isnan(shares), 0, 1 + np.rint(LEVELS * np.clip(shares, 0, 1))).astype(np.uint8)
    codes = _largest_of_blocks(codes, tiles)
    units, gap = tiles.across.units, tiles.across.gap_units
    codes = codes.repeat(units, axis=2).repeat(units, axis=3)
    apart = np.pad(codes, ((0, 0), (0, 0), (0, gap), (0, gap)))
    n_layers, n_heads, rows, columns = apart.shape
    return apart.swapaxes(1, 2).reshape(n_layers * rows, n_heads * columns)[:-gap, :-gap]


def _largest_of_blocks(codes: Codes, tiles: Tiling) -> Codes:
    """Return for each cell of a tile the largest code of its block, masked only if the whole block is."""
    n_layers, n_heads, n_queries, n_keys = codes.shape
    rows, columns, block = tiles.down.n_cells, tiles.across.n_cells, tiles.block
    if block == 1:
        return codes
    filled = np.pad(codes, ((0, 0), (0, 0), (0, rows * block - n_queries), (0, columns * block - n_keys)))
    blocks = filled.reshape(n_layers, n_heads, rows, block, columns, block)
    # One cell of every block after the other: a maximum over two short axes would take thirty times as long.
    cells = [blocks[:, :, :, row, :, column] for row, column in np.ndindex(block, block)]
    return np.asarray(np.maximum.reduce(cells))


def tile_at(x: float, y: float, *, n_layers: int, n_heads: int) -> Head | None:
    """Return the layer and head, counted from 0, of a click at these data coordinates.

    A click in a gap means the nearest tile, one outside all of them none.
    """
    layer, head = round(y) - 1, round(x) - 1
    return (layer, head) if 0 <= layer < n_layers and 0 <= head < n_heads else None
