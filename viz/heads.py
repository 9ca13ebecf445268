"""All heads of a model as tiles: of every layer, of a long text, or of models with different head counts."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import (
    BAR,
    BESIDE_BAR,
    LEGEND,
    Canvas,
    Rect,
    bar_room,
    canvas,
    is_beside_bar,
    legend_width,
)
from viz.layout.cell_marks import below, dots, drawing
from viz.layout.cells import DOT, MASKED_WEIGHT, WEIGHT, Numbers, checked_selection, visible
from viz.layout.figure import Figure, trace_of
from viz.layout.rows import name_axis
from viz.layout.scale import weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.tables import entropies, heads_table, matrix_table, table_of_heads, weights_table
from viz.text import em_width, label, plain, wrapped
from viz.theme import ColourScale, Theme
from viz.tiles import LEAST_CELL, LEVELS, Head, Tiling, tile_at, tiled, tiling
from words import count_heads, counted

TYPE, LINE, APART = 15, 1.15, 0.15
"""Usual type in pixels; distance of two lines in em, and least distance between two numbers."""

PADDING, FRAME = 5, 4
"""Pixels around all tiles, and of the frame of the chosen tile."""

LARGEST_TILE, HIGH = 160, 560
"""Greatest pixels of a tile in a room that need not be filled, and height on a page of unknown height."""

SIDE, LEAST_BESIDE = 160, 60
"""Width of the colour bar with its legend beside the tiles, and least width of the tiles then."""


class Layout(NamedTuple):
    """Positions in pixels: the figure, its tiles, and its colour bar with the legend below or beside it.

    Names of rows and heads have a text only if they have room.
    """

    width: float
    height: float
    box: Rect
    tiles: Tiling
    bar: Rect
    legend: list[str]
    beside_bar: float
    rows: list[str]
    heads: list[str]
    type_size: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles(Picture):
    """A tile for each of the `patterns`, (row, head, query, key), rows below each other.

    `allowed` broadcasts to the patterns; a forbidden cell is a gap with a dot. `selected` frames a (row,
    head) counted from 0. A click reports data coordinates, which `tile_at` turns into a head.
    """

    patterns: ArrayLike
    allowed: ArrayLike | None = None
    selected: Head | None = None

    hover = "layer %{y:.0f} · head %{x:.0f}<extra></extra>"
    row = "{}"
    side = 1

    @property
    def weights(self) -> Numbers:
        """The patterns, NaN where masked."""
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
        """Number of queries and keys, in words."""

    @property
    def heads(self) -> str:
        """Number of heads, in words."""
        n_layers, n_heads = np.shape(self.patterns)[:2]
        return count_heads(n_layers, n_heads)

    def has_tiles(self, weights: Numbers) -> NDArray[np.bool_]:
        """Return (row, head): whether a row has this head."""
        return np.ones(weights.shape[:2], dtype=bool)

    def alt(self) -> str:
        bits, details = self.entropies, f"attention of {self.heads}, {self.extent}."
        if np.isnan(bits).all():
            return f"{details} All of it is masked."
        least, most = f"{np.nanmin(bits):.1f}", f"{np.nanmax(bits):.1f}"
        if least == most:
            return f"{details} Entropy {least} bits{' in every head' * (bits.size > 1)}."
        for name, at in (("Most focused", np.nanargmin(bits)), ("Least focused", np.nanargmax(bits))):
            row, head = divmod(int(at), bits.shape[1])
            place = f"{self.row.format(plain(self.names[row]))}, head {head + 1}"
            details += f" {name}: {place}, entropy {bits[row, head]:.1f} bits."
        return details

    def draw(self, room: Room) -> Figure:
        """Draw one heatmap of small whole numbers, however many heads there are."""
        weights, theme = self.weights, room.theme
        if weights.ndim != 4:
            raise ValueError(
                f"patterns must have the axes (row, head, query, key), got shape {weights.shape}"
            )
        checked_selection(self.selected, weights.shape, "(row, head)")
        has_tiles = self.has_tiles(weights)
        found = self._layout(room, masks=bool(np.isnan(weights[has_tiles]).any()))
        tiles, bar = found.tiles, found.bar
        drawn = canvas(found.width, found.height, theme)
        scale = weight_scale(theme, largest=float(np.nanmax(weights, initial=0)))
        (x0, y0), (dx, dy) = tiles.at(tiles.unit / 2), tiles.unit / tiles.pitch
        drawn.add_trace(
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
        drawn.legend_of_bar(found.legend, bar.left, bar.top, found.beside_bar)
        drawn.image(**_beneath(tiles, has_tiles, theme), xref="x", yref="y")
        row, head = (None, None) if self.selected is None or room.is_printed else self.selected
        _set_axes(drawn, found, row, head)
        if row is not None and head is not None:
            (x0, y0), (x1, y1) = (
                tiles.at(tiles.pitch * (head, row) + away) for away in (-FRAME / 2, tiles.tile + FRAME / 2)
            )
            line = {"color": theme.selection, "width": FRAME}
            drawn.shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, xref="x", yref="y", line=line)
        return drawn.finished()

    def _layout(self, room: Room, *, masks: bool) -> Layout:
        """Return the layout with the largest cells, the colour bar below the tiles or beside them.

        The usual type gives way to the smallest if that names all tiles. On a page the tiles exceed the
        room's height if that gives every weight a cell, or if fewer weights share one.
        """
        heights = {room.tallest if isfinite(room.tallest) else HIGH: inf if room.fills else LARGEST_TILE}
        if not room.fills and not room.is_printed:
            heights[inf] = LEAST_CELL * max(np.shape(self.patterns)[2:])
        found = []
        for tallest, largest in heights.items():
            for size in (TYPE, room.smallest_type):
                limits = room, tallest, largest, size
                both = (self._laid_out(*limits, masks=masks, is_beside=at) for at in (False, True))
                best = max(filter(None, both), key=lambda one: one.tiles.cell / one.tiles.block)
                if all(best.rows) and all(best.heads):
                    break
            if best.tiles.block == 1:
                return best
            found.append(best)
        return min(found, key=lambda one: one.tiles.block)

    def _laid_out(
        self, room: Room, tallest: float, largest: float, size: float, *, masks: bool, is_beside: bool
    ) -> Layout | None:
        """Return a layout in this type, its bar below the tiles or beside them; None without room."""
        left, above = max(map(em_width, self.names)) * size + 2 * PADDING, 2 * size
        width = room.width - left - 2 * PADDING - SIDE * is_beside
        if is_beside and width < LEAST_BESIDE:
            return None
        free = SIDE - 4 * PADDING if is_beside else width
        for block in (1, 99):  # the legend has one more line if weights share a cell
            foot = 0 if is_beside else 3 * PADDING + bar_room(self._legend(block, free, masks=masks), free)
            height = max(tallest - above - 2 * PADDING - foot, 1.0)
            tiles = tiling(np.shape(self.patterns), room, width=width, height=height, largest=largest)
            if tiles.block == 1:
                break
        box = Rect(left, above, *tiles.length.tolist())
        place = (box.right + 4 * PADDING, box.top) if is_beside else (left, box.bottom + 3 * PADDING)
        free = room.width - place[0] - PADDING
        legend, beside_bar = self._legend(tiles.block, free, masks=masks), 0 if is_beside else free
        first = BESIDE_BAR * is_beside_bar(legend, beside_bar) + legend_width(legend[:1])
        bar = Rect(*place, max(BAR + LEGEND, first, legend_width(legend)), bar_room(legend, beside_bar))
        right, bottom = max(box.right + 2 * PADDING, bar.right), max(box.bottom + 2 * PADDING, bar.bottom)
        across, down = tiles.pitch / size
        step = ceil(LINE / down)
        rows = [label(name) if at % step == 0 else "" for at, name in enumerate(self.names)]
        heads, width = _head_names(tiles.n_tiles[0], across), min(ceil(right), int(room.width))
        return Layout(width, ceil(bottom), box, tiles, bar, legend, beside_bar, rows, heads, size)

    def _legend(self, block: int, width: float, *, masks: bool) -> list[str]:
        """Return the lines beside and below a colour bar of this width, the name of the bar first."""
        side = block * self.side
        shared = f"a cell shows the largest of {side} × {side} weights" if side > 1 else ""
        masked = f"{DOT} {MASKED_WEIGHT.legend}" if masks else ""
        return [WEIGHT, *(line for one in (shared, masked) if one for line in wrapped(one, width / LEGEND))]


@dataclass(frozen=True, kw_only=True, eq=False)
class Heads(Tiles):
    """Every head of every layer, between `words`; `keys` may have other names.

    A row or a column of a pattern stands for a `unit`.
    """

    words: Sequence[str]
    keys: Sequence[str] | None = None
    unit: str = "word"

    @property
    def extent(self) -> str:
        n_queries, n_keys = np.shape(self.patterns)[2:]
        return f"{counted(n_queries, f'query {self.unit}')} by {counted(n_keys, f'key {self.unit}')}"

    def table(self) -> pd.DataFrame:
        return heads_table(self.patterns, allowed=self.allowed)

    def data(self) -> pd.DataFrame:
        return weights_table(self.patterns, self.words, keys=self.keys, allowed=self.allowed)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsInBlocks(Tiles):
    """Every head of a text whose weights are too many to keep.

    A number of the `patterns` is the largest of `side` × `side` weights. `bits`, `largest` and `distance` are
    the entropy, the largest weight and the mean distance of every head (layer, head) over `n` rows and
    columns, each of which is called `unit`.
    """

    side: int
    bits: Numbers
    largest: Numbers
    distance: Numbers
    n: int
    unit: str = "word"

    @property
    def entropies(self) -> Numbers:
        return self.bits

    @property
    def extent(self) -> str:
        return f"{counted(self.n, self.unit)} each way"

    def table(self) -> pd.DataFrame:
        return table_of_heads(self.bits, self.largest, self.distance)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsByCount(Heads):
    """The heads of one layer of several models, a row for each model with its number in `counts`.

    A missing head is NaN. A click reports coordinates for `head_hit`.
    """

    counts: Sequence[int]

    hover = "head %{x:.0f}<extra></extra>"
    row = "model with {}"

    @property
    def names(self) -> list[str]:
        return [counted(count, "head") for count in self.counts]

    @property
    def heads(self) -> str:
        return counted(len(self.counts), "model")

    def has_tiles(self, weights: Numbers) -> NDArray[np.bool_]:
        return np.arange(weights.shape[1]) < np.array(self.counts)[:, None]

    def table(self) -> pd.DataFrame:
        table = super().table().rename(columns={"layer": "heads"})
        table["heads"] = table["heads"].map(dict(enumerate(self.counts, start=1)))
        return table[table["head"] <= table["heads"]].reset_index(drop=True)

    def data(self) -> pd.DataFrame:
        matrices = {
            (count, head + 1): matrix_table(self.weights[model, head], self.words)
            for model, count in enumerate(self.counts)
            for head in range(count)
        }
        return pd.concat(matrices, names=["heads", "head"])


def head_hit(x: float, y: float, counts: Sequence[int]) -> Head | None:
    """Return the number of heads of the clicked model, and the head from 0; None beside the tiles."""
    tile = tile_at(x, y, n_layers=len(counts), n_heads=max(counts))
    return None if tile is None or tile[1] >= counts[tile[0]] else (counts[tile[0]], tile[1])


def _head_names(n: int, pitch: float) -> list[str]:
    """Return heads counted from 1, `pitch` em apart; the word `head` and some numbers give way."""
    if em_width(f"head {n}") <= pitch:
        return [f"head {at}" for at in range(1, n + 1)]
    step = ceil((em_width(str(n)) + APART) / pitch)
    return [str(at + 1) if at % step == 0 else "" for at in range(n)]


def _clear_below(colours: ColourScale) -> ColourScale:
    """Return the colours from code 1 on; code 0 is clear and shows the dots below."""
    first, levels = 1 / (1 + LEVELS), LEVELS / (1 + LEVELS)
    return ((0.0, "rgba(0,0,0,0)"), *((first + stop * levels, colour) for stop, colour in colours))


def _set_axes(drawn: Canvas, found: Layout, row: int | None, head: int | None) -> None:
    """Name the tiles, with the selected row and head in bold."""
    size, tiles = found.type_size, found.tiles
    if found.heads[0] == "1":
        x, y = found.box.left - 2 * PADDING, found.box.top - PADDING / 2
        drawn.note("head", x, y, "right bottom", size=size)
    domains = drawn.domains(found.box, PADDING)
    first, last = tiles.at(-PADDING), tiles.at(tiles.length + PADDING)
    for at, (axis, names, chosen) in enumerate((("xaxis", found.heads, head), ("yaxis", found.rows, row))):
        labels = [f"<b>{name}</b>" if one == chosen else name for one, name in enumerate(names)]
        look = {"tickvals": list(range(1, len(names) + 1)), "ticktext": labels, "tickangle": 0}
        ends = {"side": "top", "range": (first[0], last[0])} if at == 0 else {"range": (last[1], first[1])}
        drawn.layout[axis] = {**name_axis(size), **look, **ends, "domain": domains[at]}


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
