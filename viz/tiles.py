"""Tiles of many heads in one figure: where they and their names stand, and which head a click means."""

from abc import abstractmethod
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import (
    BAR,
    BESIDE_BAR,
    LEGEND,
    Box,
    Canvas,
    bar_room,
    canvas,
    is_beside_bar,
    legend_width,
)
from viz.layout.cells import DOT, Numbers, checked_selection, visible
from viz.layout.figure import Figure
from viz.layout.kinds import MASKED_WEIGHT, WEIGHT
from viz.layout.masked import below, dots, drawing
from viz.layout.rows import name_axis
from viz.layout.scale import weight_scale
from viz.layout.sketch import trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import entropies
from viz.text import em_width, label, plain, wrapped
from viz.theme import ColourScale, Theme
from words import counted

TYPE, LINE, APART = 15, 1.15, 0.15
"""Pixels of the usual type; in em the distance of two lines, and the least between two numbers."""

PADDING, FRAME = 5, 4
"""Pixels around all tiles, and of the frame of the chosen one."""

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiling:
    """Equal tiles of square cells, and gaps between them; a cell stands for `block` × `block` weights.

    What has two directions is an array (across, down): `n_tiles` of `n_cells` each. All is measured in units
    of `unit` pixels, because Plotly draws equal cells many times faster: a cell takes `units` of them, a gap
    `gap_units`. In data coordinates a tile and the gap behind it measure 1; the first tile is centred on 1.
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

    def at(self, pixels: ArrayLike) -> Numbers:
        """The data coordinates so many `pixels` behind the beginning of the first tile."""
        return 1 + (pixels - self.tile / 2) / self.pitch


def tiling(shape: tuple[int, ...], room: Room, *, width: float, height: float, largest: float) -> Tiling:
    """Return the largest tiles for patterns (layer, head, query, key) in so many pixels, up to `largest`.

    If cells would be too small, several weights share one. On a screen that does not magnify them cells of
    whole pixels look alike.
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


class Layout(NamedTuple):
    """Where all is in pixels: the figure, its tiles, its colour bar and a legend with `free` width.

    Of the names of rows and of heads those have a text that have the room.
    """

    width: float
    height: float
    box: Box
    tiles: Tiling
    bar: Box
    legend: list[str]
    free: float
    rows: list[str]
    heads: list[str]
    type_size: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles(Picture):
    """A tile for each of the `patterns`, (row, head, query, key), under each other and side by side.

    `allowed` broadcasts to the patterns; a cell that it forbids is a gap with a dot. `selected` frames a
    (row, head) counted from 0. A click reports data coordinates, which `tile_at` turns into a head.
    """

    patterns: ArrayLike
    allowed: ArrayLike | None = None
    selected: Head | None = None

    hover = "layer %{y:.0f} · head %{x:.0f}<extra></extra>"
    row = "{}"
    side = 1

    @property
    def weights(self) -> Numbers:
        """The patterns, not a number where masked."""
        return visible(self.patterns, self.allowed)

    @property
    def names(self) -> list[str]:
        """The names of the rows: the layers, counted from 1."""
        return [f"layer {at}" for at in range(1, np.shape(self.patterns)[0] + 1)]

    @property
    def entropies(self) -> Numbers:
        """The entropy in bits of every head (row, head)."""
        return entropies(self.weights)

    @property
    @abstractmethod
    def extent(self) -> str:
        """How many words attend to how many."""

    @property
    def heads(self) -> str:
        """How many heads there are."""
        n_layers, n_heads = np.shape(self.patterns)[:2]
        return f"{counted(n_layers, 'layer')} with {counted(n_heads, 'head')} each"

    def has_tiles(self, weights: Numbers) -> NDArray[np.bool_]:
        """Return (row, head): whether a row has this head."""
        return np.ones(weights.shape[:2], dtype=bool)

    def alt(self) -> str:
        """Tell which head attends to fewest keys and which to most, by their entropies."""
        bits, told = self.entropies, f"attention of {self.heads}, {self.extent}."
        if np.isnan(bits).all():
            return f"{told} All of it is masked."
        for name, at in (("Most focused", np.nanargmin(bits)), ("Least focused", np.nanargmax(bits))):
            row, head = divmod(int(at), bits.shape[1])
            place = f"{self.row.format(plain(self.names[row]))}, head {head + 1}"
            told += f" {name}: {place}, entropy {bits[row, head]:.1f} bits."
        return told

    def draw(self, room: Room) -> Figure:
        """Draw one heatmap of small whole numbers, however many heads there are."""
        weights, theme = self.weights, room.theme
        if weights.ndim != 4:
            raise ValueError(
                f"patterns must have the axes (row, head, query, key), got shape {weights.shape}"
            )
        checked_selection(self.selected, weights.shape, "(row, head)")
        has_tiles = self.has_tiles(weights)
        found = self._layout(weights.shape, room, masks=bool(np.isnan(weights[has_tiles]).any()))
        tiles, bar = found.tiles, found.bar
        drawn = canvas(found.width, found.height, theme)
        scale = weight_scale(theme, largest=float(np.nanmax(weights, initial=0)))
        (x0, y0), (dx, dy) = tiles.at(tiles.unit / 2), tiles.unit / tiles.pitch
        drawn.figure.add_trace(
            trace_of(
                "heatmap",
                z=tiled(weights / scale.high, tiles),
                x0=x0,
                dx=dx,
                y0=y0,
                dy=dy,
                zmin=0,
                zmax=1 + LEVELS,
                colorscale=_clear_below(theme.sequential),
                colorbar=drawn.bar(scale, bar.left, bar.top, BAR) | {"tickvals": (1, 1 + LEVELS)},
                hovertemplate=self.hover,
            )
        )
        drawn.legend_of_bar(found.legend, bar.left, bar.top, found.free)
        drawn.figure.add_layout_image(**_beneath(tiles, has_tiles, theme), xref="x", yref="y")
        row, head = (None, None) if self.selected is None or room.is_printed else self.selected
        _set_axes(drawn, found, row, head)
        if row is not None and head is not None:
            (x0, y0), (x1, y1) = (
                tiles.at(tiles.pitch * (head, row) + away) for away in (-FRAME / 2, tiles.tile + FRAME / 2)
            )
            line = {"color": theme.selection, "width": FRAME}
            drawn.shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, xref="x", yref="y", line=line)
        return drawn.finished()

    def _layout(self, shape: tuple[int, ...], room: Room, *, masks: bool) -> Layout:
        """Return the layout with the largest cells, the colour bar below the tiles or beside them.

        The usual type gives way to the smallest if that names all. On a page the tiles become higher than the
        room if that gives every weight a cell.
        """
        heights = {room.tallest if isfinite(room.tallest) else HIGH: inf if room.fills else LARGEST_TILE}
        if not room.fills and not room.is_printed:
            heights[inf] = LEAST_CELL * max(shape[2:])
        found = []
        for tallest, largest in heights.items():
            for size in (TYPE, room.smallest_type):
                limits = tallest, largest, size
                both = (
                    self._laid_out(shape, room, *limits, masks=masks, is_beside=at) for at in (False, True)
                )
                best = max(filter(None, both), key=lambda one: one.tiles.cell / one.tiles.block)
                if all(best.rows) and all(best.heads):
                    break
            if best.tiles.block == 1:
                return best
            found.append(best)
        return found[0]

    def _laid_out(
        self,
        shape: tuple[int, ...],
        room: Room,
        tallest: float,
        largest: float,
        size: float,
        *,
        masks: bool,
        is_beside: bool,
    ) -> Layout | None:
        """Return a layout in this type, its bar below the tiles or beside them; None if it has no room."""
        left, above = max(map(em_width, self.names)) * size + 2 * PADDING, 2 * size
        width = room.width - left - 2 * PADDING - SIDE * is_beside
        if is_beside and width < LEAST_BESIDE:
            return None
        free = SIDE - 4 * PADDING if is_beside else width
        for block in (1, 99):  # the legend has one more line if weights share a cell
            foot = 0 if is_beside else 3 * PADDING + bar_room(self._legend(block, free, masks=masks), free)
            height = max(tallest - above - 2 * PADDING - foot, 1.0)
            tiles = tiling(shape, room, width=width, height=height, largest=largest)
            if tiles.block == 1:
                break
        legend = self._legend(tiles.block, free, masks=masks)
        box = Box(left, above, *tiles.length.tolist())
        place = (box.right + 4 * PADDING, box.top) if is_beside else (left, box.bottom + 3 * PADDING)
        first = BESIDE_BAR * is_beside_bar(legend, free) + legend_width(legend[:1])
        bar = Box(*place, max(BAR + LEGEND, first, legend_width(legend)), bar_room(legend, free))
        right, bottom = max(box.right + 2 * PADDING, bar.right), max(box.bottom + 2 * PADDING, bar.bottom)
        across, down = tiles.pitch / size
        step = ceil(LINE / down)
        rows = [label(name) if at % step == 0 else "" for at, name in enumerate(self.names)]
        heads, width = _head_names(shape[1], across), min(ceil(right), int(room.width))
        return Layout(width, ceil(bottom), box, tiles, bar, legend, free, rows, heads, size)

    def _legend(self, block: int, width: float, *, masks: bool) -> list[str]:
        """Return the lines beside and below a colour bar of so many pixels, the name of the bar first."""
        side = block * self.side
        shared = f"a cell shows the largest of {side} × {side} weights" if side > 1 else ""
        masked = f"{DOT} {MASKED_WEIGHT.legend}" if masks else ""
        return [WEIGHT, *(line for one in (shared, masked) if one for line in wrapped(one, width / LEGEND))]


def _head_names(n: int, pitch: float) -> list[str]:
    """Return heads counted from 1, `pitch` em apart; the word `head` and some numbers give way."""
    if em_width(f"head {n}") <= pitch:
        return [f"head {at}" for at in range(1, n + 1)]
    step = ceil((em_width(str(n)) + APART) / pitch)
    return [str(at + 1) if at % step == 0 else "" for at in range(n)]


def tiled(shares: Numbers, tiles: Tiling) -> Codes:
    """Return the codes of all patterns in one image of units, with empty rows and columns for the gaps.

    The patterns are shares of the end of their scale. Of the weights that share a cell the largest is shown.
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


def _clear_below(colours: ColourScale) -> ColourScale:
    """Return the colours from code 1 on; code 0 is clear and lets the dots below be seen."""
    first, levels = 1 / (1 + LEVELS), LEVELS / (1 + LEVELS)
    return ((0.0, "rgba(0,0,0,0)"), *((first + stop * levels, colour) for stop, colour in colours))


def _set_axes(drawn: Canvas, found: Layout, row: int | None, head: int | None) -> None:
    """Name the tiles, with the selected row and head in bold."""
    size, tiles = found.type_size, found.tiles
    if found.heads[0] == "1":
        place = {"xanchor": "right", "yanchor": "bottom", "font": {"size": size}}
        drawn.note("head", found.box.left - 2 * PADDING, found.box.top - PADDING / 2, **place)
    domains, (first, last) = (
        drawn.domains(found.box, PADDING),
        map(tiles.at, (-PADDING, tiles.length + PADDING)),
    )
    for at, (axis, names, chosen) in enumerate((("xaxis", found.heads, head), ("yaxis", found.rows, row))):
        labels = [f"<b>{name}</b>" if one == chosen else name for one, name in enumerate(names)]
        look = {"tickvals": list(range(1, len(names) + 1)), "ticktext": labels, "tickangle": 0}
        ends = {"side": "top", "range": (first[0], last[0])} if at == 0 else {"range": (last[1], first[1])}
        drawn.figure.layout[axis] = {**name_axis(size), **look, **ends, "domain": domains[at]}


def _beneath(tiles: Tiling, has_tiles: NDArray[np.bool_], theme: Theme) -> dict[str, Any]:
    """Return a thin frame round each tile, with dots in it, below the trace."""
    (wide, high), (across, down) = tiles.tile, tiles.pitch
    inside = f"<rect width='{wide:g}' height='{high:g}' fill='url(#dots)'/>"
    outline = f"x='-.5' y='-.5' width='{wide + 1:g}' height='{high + 1:g}'"
    frame = f"<rect {outline} fill='none' stroke='{theme.line}'/>"
    places = [
        f"<use href='#tile' x='{PADDING + head * across:g}' y='{PADDING + row * down:g}'/>"
        for row, head in np.argwhere(has_tiles).tolist()
    ]
    width, height = tiles.length + 2 * PADDING
    definitions = f"{dots(tiles.cell, theme)}<g id='tile'>{inside}{frame}</g>"
    x, y = tiles.at(-PADDING)
    image = drawing(width, height, definitions, "".join(places))
    return below(image, x=x, y=y, width=width / across, height=height / down)


def tile_at(x: float, y: float, *, n_layers: int, n_heads: int) -> Head | None:
    """Return the layer and head, counted from 0, of a click at these data coordinates.

    A click in a gap means the nearest tile, one outside all of them none.
    """
    layer, head = round(y) - 1, round(x) - 1
    return (layer, head) if 0 <= layer < n_layers and 0 <= head < n_heads else None
