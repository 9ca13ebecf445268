"""All heads of a model in one figure: a tile for each pattern, all of them one heatmap."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from core.words import counted
from viz.parts.canvas import BAR, BAR_LINE, BESIDE_BAR, LEGEND, LEGEND_LINE, MARKUP, Box, Canvas, canvas
from viz.parts.cells import DOT, Numbers, checked_selection, visible
from viz.parts.figure import Figure
from viz.parts.kinds import MASKED_WEIGHT
from viz.parts.masked import below, dots, drawing
from viz.parts.scale import weight_scale
from viz.parts.sketch import trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import entropies, heads_table, matrix_table, table_of_heads, weights_table
from viz.text import em_width, label, plain
from viz.theme import ColourScale, Theme
from viz.tiles import Head, Strip, Tiling, tile_at, tiling

TYPE, PADDING, FRAME = 15, 5, 4
"""Pixels: the usual type, the room around all tiles, and the frame of the chosen one."""

APART, APART_ONCE, LINE = 0.15, 0.5, 1.15
"""Em between two numbers at least, between `head 1` and the next number, and from one line to the next."""

LARGEST_TILE = 160
"""Pixels of a tile at most, in a room that the figure does not have to fill."""

LEAST_CELL, LEAST_MAGNIFIED, LEAST_PRINTED = 2.0, 1.0, 0.25
"""Pixels of the room that a cell takes at least: about two of a screen, also in a magnified lecture, as a
line of one pixel is pale. A file has up to four dots for a pixel of its room."""

TALLEST, HIGH = 1.3, 640
"""How many times as high as wide a printed figure may be, and pixels of one on a page of unknown height."""

SIDE = 160
"""Pixels of width that the colour bar and its legend need beside the tiles."""

LEAST_BESIDE, SHORTEST_BAR = 60, 90
"""Pixels of width that the tiles need beside their colour bar, and that a bar has at least."""

LABEL, MOST_LINES = "attention weight", 4
LEVELS = 254

Codes = NDArray[np.uint8]
"""0 for a masked cell, 1 for a weight of 0, up to 255 for a weight at the end of the scale.

Not 255 for a masked cell: Plotly writes the `/` that many of those become in base64 with six characters.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles(Picture):
    """A tile for each of the `patterns`, (row, head, query, key), under each other and side by side.

    `allowed` broadcasts to the patterns; a cell that it forbids is a gap with a dot. `selected` frames a
    (row, head) counted from 0. A click reports data coordinates, which `viz.tiles.tile_at` turns into a head.
    """

    patterns: ArrayLike
    allowed: ArrayLike | None = None
    selected: Head | None = None

    hover = "layer %{y:.0f} · head %{x:.0f}<extra></extra>"

    @property
    def weights(self) -> Numbers:
        """The patterns, not a number where masked."""
        return visible(self.patterns, self.allowed)

    @property
    def names(self) -> list[str]:
        """The names of the rows: the layers, counted from 1."""
        return [f"layer {at}" for at in range(1, len(self.weights) + 1)]

    @property
    def block_side(self) -> int:
        """How many queries and how many keys one number of the patterns stands for."""
        return 1

    def has_tiles(self, weights: Numbers) -> NDArray[np.bool_]:
        """Return (row, head): whether a row has this head."""
        return np.ones(weights.shape[:2], dtype=bool)

    @abstractmethod
    def alt(self) -> str:
        """Describe the heads."""

    def draw(self, room: Room) -> Figure:
        """Draw one heatmap of small whole numbers, however many heads there are."""
        weights = self.weights
        if weights.ndim != 4:
            raise ValueError(
                f"patterns must have the axes (row, head, query, key), got shape {weights.shape}"
            )
        checked_selection(self.selected, weights.shape, "(row, head)")
        selected = None if room.is_printed else self.selected
        found = _layout(self.names, weights.shape, room, self.block_side, masks=bool(np.isnan(weights).any()))
        tiles, key = found.tiles, found.key
        drawn = canvas(found.width, found.height, room.theme)
        scale = weight_scale(room.theme, largest=float(np.nanmax(weights, initial=0)))
        bar = {**drawn.bar(scale, key.box.left, key.box.top, key.bar), "tickvals": (1, 1 + LEVELS)}
        across, down, _ = tiles
        drawn.figure.add_trace(
            trace_of(
                "heatmap",
                z=tiled(weights / scale.high, tiles),
                x0=across.at(across.unit / 2),
                dx=across.unit / across.pitch,
                y0=down.at(down.unit / 2),
                dy=down.unit / down.pitch,
                zmin=0,
                zmax=1 + LEVELS,
                colorscale=_clear_below(room.theme.sequential),
                colorbar=bar,
                hovertemplate=self.hover,
            )
        )
        _set_axes(drawn, found, selected)
        beneath = _beneath(tiles, self.has_tiles(weights), room.theme)
        drawn.figure.add_layout_image(**beneath, xref="x", yref="y")
        if selected is not None:
            drawn.shape(**_frame(tiles, selected, room.theme), xref="x", yref="y")
        look = {"font": {"size": LEGEND, "color": room.theme.muted}, "xanchor": "left", "yanchor": "middle"}
        for text, x, y in key.notes:
            drawn.note(text, key.box.left + x, key.box.top + y, **look)
        return drawn.finished()


@dataclass(frozen=True, kw_only=True, eq=False)
class Heads(Tiles):
    """Every head of every layer, between `words`; `keys` may have names of their own.

    A row or a column of a pattern stands for a `unit`.
    """

    words: Sequence[str]
    keys: Sequence[str] | None = None
    unit: str = "word"

    def alt(self) -> str:
        weights = self.weights
        n_queries, n_keys = weights.shape[2:]
        extent = f"{counted(n_queries, f'query {self.unit}')} by {counted(n_keys, f'key {self.unit}')}"
        return _told_layers(entropies(weights), extent)

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
    def block_side(self) -> int:
        return self.side

    def alt(self) -> str:
        return _told_layers(self.bits, f"{counted(self.n, self.unit)} each way")

    def table(self) -> pd.DataFrame:
        return table_of_heads(self.bits, self.largest, self.distance)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsByCount(Tiles):
    """The heads of one layer of models that have as many heads as `counts` says, a row for each model.

    A head that a model lacks is not a number. A click reports coordinates for `head_hit`.
    """

    counts: Sequence[int]
    words: Sequence[str]

    hover = "head %{x:.0f}<extra></extra>"

    @property
    def names(self) -> list[str]:
        return [counted(count, "head") for count in self.counts]

    def has_tiles(self, weights: Numbers) -> NDArray[np.bool_]:
        return np.arange(weights.shape[1]) < np.array(self.counts)[:, None]

    def alt(self) -> str:
        weights = self.weights
        n_queries, n_keys = weights.shape[2:]
        extent = f"{counted(n_queries, 'query word')} by {counted(n_keys, 'key word')}"
        heads = f"attention of {counted(len(self.counts), 'model')}"
        return _told(entropies(weights), f"{heads}, {extent}", [f"model with {name}" for name in self.names])

    def table(self) -> pd.DataFrame:
        """List every head, with how many heads its model has."""
        table = heads_table(self.patterns, allowed=self.allowed).rename(columns={"layer": "heads"})
        table["heads"] = table["heads"].map(dict(enumerate(self.counts, start=1)))
        return table[table["head"] <= table["heads"]].reset_index(drop=True)

    def data(self) -> pd.DataFrame:
        """List the matrices of the heads below each other, with how many heads the model of each has."""
        weights = self.weights
        matrices = {
            (count, head + 1): matrix_table(weights[model, head], self.words)
            for model, count in enumerate(self.counts)
            for head in range(count)
        }
        return pd.concat(matrices, names=["heads", "head"])


def head_hit(x: float, y: float, counts: Sequence[int]) -> Head | None:
    """Return how many heads the model has whose tile was clicked, and which of them that is, from 0.

    None beside the tiles.
    """
    tile = tile_at(x, y, n_layers=len(counts), n_heads=max(counts))
    if tile is None or tile[1] >= counts[tile[0]]:
        return None
    return counts[tile[0]], tile[1]


def _told_layers(bits: Numbers, extent: str) -> str:
    n_layers, n_heads = bits.shape
    heads = f"attention of {counted(n_layers, 'layer')} with {counted(n_heads, 'head')} each"
    return _told(bits, f"{heads}, {extent}", [f"layer {layer}" for layer in range(1, n_layers + 1)])


def _told(bits: Numbers, extent: str, rows: Sequence[str]) -> str:
    """Describe heads by their entropies (row, head): which attends to fewest keys and which to most."""
    if np.isnan(bits).all():
        return f"{extent}. All of it is masked."
    found = []
    for name, at in (("Most focused", np.nanargmin(bits)), ("Least focused", np.nanargmax(bits))):
        row, head = divmod(int(at), bits.shape[1])
        found.append(f"{name}: {plain(rows[row])}, head {head + 1}, entropy {bits[row, head]:.1f} bits.")
    return f"{extent}. {' '.join(found)}"


class _Key(NamedTuple):
    """The colour bar and what is written about it: its place, the length of the bar, and notes beside it."""

    box: Box
    bar: float
    notes: list[tuple[str, float, float]]


class _Layout(NamedTuple):
    """Where all is in pixels; every `step`-th name of the rows and of the heads is written."""

    width: float
    height: float
    box: Box
    tiles: Tiling
    key: _Key
    rows: list[str]
    heads: list[str]
    leads: bool
    type_size: float


def _layout(
    rows: Sequence[str], shape: tuple[int, ...], room: Room, block_side: int, *, masks: bool
) -> _Layout:
    """Return the layout with the largest cells: the colour bar below the tiles, or beside them.

    The usual type gives way to the smallest one if that writes all names. On a page the tiles are higher than
    their room if their cells would be too small otherwise.
    """
    usual = TALLEST * room.width if room.is_printed else HIGH
    rooms = [(room.height or usual, inf if room.fills else LARGEST_TILE)]
    if not (room.fills or room.is_printed):
        rooms.append((inf, LEAST_CELL * max(shape[2:])))
    for tallest, largest in rooms:
        for type_size in (TYPE, room.smallest_type):
            both = [
                _laid_out(rows, shape, room, (tallest, largest), type_size, block_side, masks, side)
                for side in (0, SIDE)
            ]
            best = max(filter(None, both), key=lambda one: one.tiles.across.cell / one.tiles.block)
            if all(best.rows) and all(best.heads):
                break
        if best.tiles.block == 1:
            break
    return best


def _laid_out(
    rows: Sequence[str],
    shape: tuple[int, ...],
    room: Room,
    at_most: tuple[float, float],
    type_size: float,
    block_side: int,
    masks: bool,
    side: float,
) -> _Layout | None:
    """Return a layout in this type, with the colour bar in a column of `side` pixels, or below the tiles.

    `at_most` are the height of the figure and of a tile.
    """
    left, above = max(map(em_width, rows)) * type_size + 2 * PADDING, 2 * type_size
    width = room.width - left - 2 * PADDING - side
    if side and width < LEAST_BESIDE:
        return None
    magnified = room.fills and not room.is_printed
    least = LEAST_PRINTED if room.is_printed else LEAST_MAGNIFIED if magnified else LEAST_CELL
    for n_lines in range(MOST_LINES + 1):  # of the key, which is known only with its tiles
        foot = 4 * PADDING if side else 6 * PADDING + BAR_LINE + LEGEND_LINE * n_lines
        tiles = tiling(
            (shape[0], shape[1], shape[2], shape[3]),
            width=width,
            height=max(at_most[0] - above - foot, 1.0),
            least_cell=least,
            largest_tile=at_most[1],
            whole=not room.is_printed and not room.fills,
        )
        box = Box(left, above, tiles.across.length, tiles.down.length)
        items = _legend(tiles.block * block_side, masks=masks)
        place = (box.right + 4 * PADDING, box.top) if side else (box.left, box.bottom + 3 * PADDING)
        key = _key(items, *place, room.width - place[0] - PADDING, stacked=bool(side))
        if side or key.box.height <= BAR_LINE + LEGEND_LINE * n_lines:
            break
    heads, leads = _head_names(tiles.across, type_size)
    step = ceil(LINE * type_size / tiles.down.pitch)
    names = [label(name) if at % step == 0 else "" for at, name in enumerate(rows)]
    right, bottom = max(box.right, key.box.right), max(box.bottom, key.box.bottom)
    size = min(ceil(right + 2 * PADDING), int(room.width)), ceil(bottom + PADDING)
    return _Layout(*size, box, tiles, key, names, heads, leads, type_size)


def _legend(block: int, *, masks: bool) -> list[str]:
    shared = [f"a cell shows the largest of {block} × {block} weights"] if block > 1 else []
    return [LABEL, *shared, *([f"{DOT} {MASKED_WEIGHT.legend}"] if masks else [])]


def _key(items: Sequence[str], left: float, top: float, width: float, *, stacked: bool) -> _Key:
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
    return _Key(box, bar, notes)


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


def _clear_below(colours: ColourScale) -> ColourScale:
    """Return the colours from code 1 on; code 0 is clear and lets the dots below be seen."""
    first, levels = 1 / (1 + LEVELS), LEVELS / (1 + LEVELS)
    return ((0.0, "rgba(0,0,0,0)"), *((first + stop * levels, colour) for stop, colour in colours))


def _set_axes(drawn: Canvas, found: _Layout, selected: Head | None) -> None:
    row, head = selected or (None, None)
    across, upwards = drawn.domains(found.box, PADDING)
    size = found.type_size
    x = _axis(found.tiles.across, found.heads, head, size)
    y = _axis(found.tiles.down, found.rows, row, size)
    if found.leads:
        place = {"xanchor": "right", "yanchor": "bottom", "font": {"size": size}}
        drawn.note("head", found.box.left - 2 * PADDING, found.box.top - PADDING / 2, **place)
    drawn.figure.layout["xaxis"] |= {**x, "domain": across, "side": "top"}
    drawn.figure.layout["yaxis"] |= {**y, "domain": upwards, "range": y["range"][::-1]}


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


def _axis(strip: Strip, names: Sequence[str], selected: int | None, size: float) -> dict[str, Any]:
    """Return the tiles by their names."""
    labels = list(names)
    if selected is not None:
        labels[selected] = f"<b>{labels[selected]}</b>"
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    ticks = {"tickvals": list(range(1, strip.n_tiles + 1)), "ticktext": labels, "tickangle": 0}
    ends = (strip.at(-PADDING), strip.at(strip.length + PADDING))
    return {**look, **ticks, "tickfont": {"size": size}, "range": ends}


def _beneath(tiles: Tiling, has_tiles: NDArray[np.bool_], theme: Theme) -> dict[str, Any]:
    """Return a thin frame round each tile, with dots in it, below the trace."""
    across, down, _ = tiles
    inside = f"<rect width='{across.tile:g}' height='{down.tile:g}' fill='url(#dots)'/>"
    outline = f"x='-.5' y='-.5' width='{across.tile + 1:g}' height='{down.tile + 1:g}'"
    frame = f"<rect {outline} fill='none' stroke='{theme.line}'/>"
    places = [
        f"<use href='#tile' x='{PADDING + head * across.pitch:g}' y='{PADDING + row * down.pitch:g}'/>"
        for row, head in np.argwhere(has_tiles).tolist()
    ]
    definitions = f"{dots(across.cell, theme)}<g id='tile'>{inside}{frame}</g>"
    width, height = across.length + 2 * PADDING, down.length + 2 * PADDING
    image = drawing(width, height, definitions, "".join(places))
    place = {"x": across.at(-PADDING), "y": down.at(-PADDING)}
    return below(image, **place, width=width / across.pitch, height=height / down.pitch)


def _frame(tiles: Tiling, selected: Head, theme: Theme) -> dict[str, Any]:
    """Return a thick frame just outside the chosen tile."""
    row, head = selected
    across, down, _ = tiles
    left, top = head * across.pitch - FRAME / 2, row * down.pitch - FRAME / 2
    corners = {"x0": across.at(left), "x1": across.at(left + across.tile + FRAME)}
    corners |= {"y0": down.at(top), "y1": down.at(top + down.tile + FRAME)}
    return {"type": "rect", "line": {"color": theme.selection, "width": FRAME}, **corners}
