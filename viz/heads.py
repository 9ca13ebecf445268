"""All heads of a model in one figure: a tile for each pattern, all of them one heatmap."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import BAR, Canvas, canvas
from viz.layout.cells import Numbers, checked_selection, visible
from viz.layout.figure import Figure
from viz.layout.masked import below, dots, drawing
from viz.layout.rows import name_axis
from viz.layout.scale import weight_scale
from viz.layout.sketch import trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import entropies, heads_table, matrix_table, table_of_heads, weights_table
from viz.text import plain
from viz.theme import ColourScale, Theme
from viz.tiles import LEVELS, PADDING, Content, Head, Layout, Tiling, layout, tile_at, tiled
from words import counted

FRAME = 4
"""Pixels of the frame of the chosen tile."""


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
        weights = self.weights
        if weights.ndim != 4:
            raise ValueError(
                f"patterns must have the axes (row, head, query, key), got shape {weights.shape}"
            )
        checked_selection(self.selected, weights.shape, "(row, head)")
        has_tiles, theme = self.has_tiles(weights), room.theme
        masks = bool(np.isnan(weights[has_tiles]).any())
        found = layout(Content(weights.shape, self.names, self.side, masks), room)
        tiles, bar = found.tiles, found.bar
        drawn = canvas(found.width, found.height, theme)
        scale = weight_scale(theme, largest=float(np.nanmax(weights, initial=0)))
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
                colorscale=_clear_below(theme.sequential),
                colorbar=drawn.bar(scale, bar.left, bar.top, BAR) | {"tickvals": (1, 1 + LEVELS)},
                hovertemplate=self.hover,
            )
        )
        drawn.legend_of_bar(found.legend, bar.left, bar.top, found.legend_room)
        drawn.figure.add_layout_image(**_beneath(tiles, has_tiles, theme), xref="x", yref="y")
        if self.selected is None or room.is_printed:
            _set_axes(drawn, found, (None, None))
        else:
            _set_axes(drawn, found, self.selected)
            drawn.shape(**_frame(tiles, self.selected, theme), xref="x", yref="y")
        return drawn.finished()


@dataclass(frozen=True, kw_only=True, eq=False)
class Heads(Tiles):
    """Every head of every layer, between `words`; `keys` may have names of their own.

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
    """The heads of one layer of models that have as many heads as `counts` says, a row for each model.

    A head that a model lacks is not a number. A click reports coordinates for `head_hit`.
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
        """List every head, with how many heads its model has."""
        table = super().table().rename(columns={"layer": "heads"})
        table["heads"] = table["heads"].map(dict(enumerate(self.counts, start=1)))
        return table[table["head"] <= table["heads"]].reset_index(drop=True)

    def data(self) -> pd.DataFrame:
        """List the matrices of the heads below each other, with how many heads the model of each has."""
        matrices = {
            (count, head + 1): matrix_table(self.weights[model, head], self.words)
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


def _clear_below(colours: ColourScale) -> ColourScale:
    """Return the colours from code 1 on; code 0 is clear and lets the dots below be seen."""
    first, levels = 1 / (1 + LEVELS), LEVELS / (1 + LEVELS)
    return ((0.0, "rgba(0,0,0,0)"), *((first + stop * levels, colour) for stop, colour in colours))


def _set_axes(drawn: Canvas, found: Layout, selected: tuple[int | None, int | None]) -> None:
    """Name the tiles, with the selected row and head in bold."""
    size, (across, down, _), (row, head) = found.type_size, found.tiles, selected
    if found.heads[0] == "1":
        place = {"xanchor": "right", "yanchor": "bottom", "font": {"size": size}}
        drawn.note("head", found.box.left - 2 * PADDING, found.box.top - PADDING / 2, **place)
    domains = drawn.domains(found.box, PADDING)
    sides = (("xaxis", across, found.heads, head), ("yaxis", down, found.rows, row))
    for (axis, strip, names, chosen), domain in zip(sides, domains, strict=True):
        labels = [f"<b>{name}</b>" if at == chosen else name for at, name in enumerate(names)]
        ends = strip.at(-PADDING), strip.at(strip.length + PADDING)
        look = {"tickvals": list(range(1, strip.n_tiles + 1)), "ticktext": labels, "tickangle": 0}
        place = {"side": "top", "range": ends} if axis == "xaxis" else {"range": ends[::-1]}
        drawn.figure.layout[axis] = {**name_axis(size), **look, **place, "domain": domain}


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
