"""Tiles of many heads: where they and their names stand, their numbers, and what a click among them means."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viz.layout.canvas import BAR, BAR_LINE, BESIDE_BAR, LEGEND, LEGEND_LINE, MARKUP, Box
from viz.layout.cells import DOT, Numbers
from viz.layout.kinds import MASKED_WEIGHT
from viz.room import Room
from viz.text import em_width, label

TYPE, PADDING = 15, 5
"""Pixels: the usual type, and the room around all tiles."""

APART, APART_ONCE, LINE = 0.15, 0.5, 1.15
"""Em between two numbers at least, between `head 1` and the next number, and from one line to the next."""

LARGEST_TILE = 160
"""Pixels of a tile at most, in a room that the figure does not have to fill."""

LEAST_CELL, LEAST_MAGNIFIED, LEAST_PRINTED = 2.0, 1.0, 0.25
"""Pixels of the room that a cell takes at least: about two of a screen, also in a magnified lecture, as a
line of one pixel is pale. A file has up to four dots for a pixel of its room."""

TALLEST, HIGH = 1.3, 560
"""How many times as high as wide a printed figure may be, and pixels of one on a page of unknown height."""

SIDE = 160
"""Pixels of width that the colour bar and its legend need beside the tiles."""

LEAST_BESIDE, SHORTEST_BAR = 60, 90
"""Pixels of width that the tiles need beside their colour bar, and that a bar has at least."""

LABEL, MOST_LINES = "attention weight", 4
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


def tiling(
    shape: tuple[int, ...],
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


class Key(NamedTuple):
    """The place and length of the colour bar, and the notes beside it."""

    box: Box
    bar: float
    notes: list[tuple[str, float, float]]


class Layout(NamedTuple):
    """Where all is in pixels; every `step`-th name of the rows and of the heads is written."""

    width: float
    height: float
    box: Box
    tiles: Tiling
    key: Key
    rows: list[str]
    heads: list[str]
    leads: bool
    type_size: float


class Content(NamedTuple):
    """Patterns of a `shape` (row, head, query, key), and the names of their rows.

    A number stands for `side` × `side` weights, and some cells are masked if it `masks`.
    """

    shape: tuple[int, ...]
    rows: Sequence[str]
    side: int
    masks: bool


def layout(content: Content, room: Room) -> Layout:
    """Return the layout with the largest cells, the colour bar below the tiles or beside them.

    On a page the tiles become higher than the room if that gives every weight a cell.
    """
    usual = TALLEST * room.width if room.is_printed else HIGH
    best = _best(content, room, room.height or usual, inf if room.fills else LARGEST_TILE)
    if best.tiles.block > 1 and not room.fills and not room.is_printed:
        higher = _best(content, room, inf, LEAST_CELL * max(content.shape[2:]))
        best = higher if higher.tiles.block == 1 else best
    return best


def _best(content: Content, room: Room, tallest: float, largest: float) -> Layout:
    """Return the layout with the largest cells; the usual type gives way to the smallest for all names."""
    for size in (TYPE, room.smallest_type):
        both = (_laid_out(content, room, tallest, largest, size, bar_beside) for bar_beside in (False, True))
        best = max(filter(None, both), key=lambda one: one.tiles.across.cell / one.tiles.block)
        if all(best.rows) and all(best.heads):
            break
    return best


def _laid_out(
    content: Content, room: Room, tallest: float, largest: float, type_size: float, bar_beside: bool
) -> Layout | None:
    """Return a layout in this type, its tiles not above the `largest` size; None if its bar has no room."""
    shape, rows, block_side, masks = content
    left, above = max(map(em_width, rows)) * type_size + 2 * PADDING, 2 * type_size
    width = room.width - left - 2 * PADDING - SIDE * bar_beside
    if bar_beside and width < LEAST_BESIDE:
        return None
    least = LEAST_PRINTED if room.is_printed else LEAST_MAGNIFIED if room.fills else LEAST_CELL
    for n_lines in range(MOST_LINES + 1):  # of the key, which is known only with its tiles
        foot = 4 * PADDING if bar_beside else 6 * PADDING + BAR_LINE + LEGEND_LINE * n_lines
        tiles = tiling(
            shape,
            width=width,
            height=max(tallest - above - foot, 1.0),
            least_cell=least,
            largest_tile=largest,
            whole=not room.is_printed and not room.fills,
        )
        box = Box(left, above, tiles.across.length, tiles.down.length)
        items = _legend(tiles.block * block_side, masks=masks)
        place = (box.right + 4 * PADDING, box.top) if bar_beside else (box.left, box.bottom + 3 * PADDING)
        key = _key(items, *place, room.width - place[0] - PADDING, stacked=bar_beside)
        if bar_beside or key.box.height <= BAR_LINE + LEGEND_LINE * n_lines:
            break
    heads, leads = _head_names(tiles.across, type_size)
    step = ceil(LINE * type_size / tiles.down.pitch)
    names = [label(name) if at % step == 0 else "" for at, name in enumerate(rows)]
    right, bottom = max(box.right, key.box.right), max(box.bottom, key.box.bottom)
    size = min(ceil(right + 2 * PADDING), int(room.width)), ceil(bottom + PADDING)
    return Layout(*size, box, tiles, key, names, heads, leads, type_size)


def _legend(block: int, *, masks: bool) -> list[str]:
    shared = [f"a cell shows the largest of {block} × {block} weights"] if block > 1 else []
    return [LABEL, *shared, *([f"{DOT} {MASKED_WEIGHT.legend}"] if masks else [])]


def _key(items: Sequence[str], left: float, top: float, width: float, *, stacked: bool) -> Key:
    """Return a bar with its label at its right, and the other items there if they fit, else below it.

    A `stacked` key has all of them below its bar.
    """
    wide = [em_width(MARKUP.sub("", item)) * LEGEND for item in items]
    beside, together = BESIDE_BAR - BAR, sum(wide) + (len(wide) - 1) * LEGEND
    fits = not stacked and SHORTEST_BAR + beside + together <= width
    taken = 0.0 if stacked else together if fits else wide[0]
    bar = max(min(BAR, width - beside - taken), SHORTEST_BAR)
    n_beside = 0 if stacked else len(items) if fits else 1
    notes = [("&nbsp;&nbsp; ".join(items[:n_beside]), bar + beside, LEGEND_LINE / 4)] if n_beside else []
    lines = items[n_beside:]
    broken = [line for one in lines for line in _broken(one, width)]
    notes += [(line, 0.0, BAR_LINE + (at + 0.5) * LEGEND_LINE) for at, line in enumerate(broken)]
    ends = (x + em_width(MARKUP.sub("", text)) * LEGEND for text, x, _ in notes)
    box = Box(left, top, max(bar + beside / 2, *ends, 0.0), BAR_LINE + LEGEND_LINE * len(broken))
    return Key(box, bar, notes)


def _broken(text: str, width: float) -> list[str]:
    """Return lines of whole words that take at most so many pixels, unless a word alone takes more."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and em_width(MARKUP.sub("", longer)) * LEGEND > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _head_names(strip: Strip, size: float) -> tuple[list[str], bool]:
    """Return heads counted from 1, and whether `head` stands before their row instead of above a tile.

    If there is no room to write it every time it is written once. If numbers would touch, every n-th stays.
    """
    n, pitch = strip.n_tiles, strip.pitch / size
    if em_width(f"head {n}") <= pitch:
        return [f"head {at}" for at in range(1, n + 1)], False
    if (em_width("head 1") + em_width("2")) / 2 + APART_ONCE <= pitch:
        return ["head 1", *map(str, range(2, n + 1))], False
    step = ceil((em_width(str(n)) + APART) / pitch)
    return [str(at + 1) if at % step == 0 else "" for at in range(n)], True


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
