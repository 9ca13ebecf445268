"""Every head of every layer in one figure: a tile for each pattern, all of them one trace."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from viz.parts.canvas import (
    BAR,
    HEADLINE_LINE,
    Box,
    Canvas,
    bar_room,
    canvas,
    headline_width,
    legend_width,
)
from viz.parts.cells import DOT, Numbers, checked_selection, visible
from viz.parts.figure_cache import cached_figure
from viz.parts.kinds import MASKED_WEIGHT
from viz.parts.masked import below, dots, drawing
from viz.parts.scale import Scale, weight_scale
from viz.parts.sketch import Trace, trace_of
from viz.text import em_width, label
from viz.theme import ColourScale, Theme
from viz.tiles import Head, Strip, Tiling, tiling

SIZE = 560
TYPE, ABOVE = 15, 30
APART = 0.15
"""What is between two names at least, in units of their type size."""

FRAME, PADDING = 4, 5
"""The frame of the chosen tile, and the room around all tiles for it, in pixels."""

HOVER = "layer %{y:.0f} · head %{x:.0f}<extra></extra>"
ROW_HOVER = "head %{x:.0f}<extra></extra>"
LEVELS = 254

Codes = NDArray[np.uint8]
"""0 for a masked cell, 1 for a weight of 0, up to 255 for a weight at the end of the scale.

Not 255 for a masked cell: Plotly writes the `/` that many of those become in base64 with six characters.
"""


@cached_figure
def head_grid(
    patterns: ArrayLike,
    *,
    theme: Theme,
    title: str = "",
    selected: Head | None = None,
    allowed: ArrayLike | None = None,
    rows: Sequence[str] | None = None,
    side: int = 1,
    size: int = SIZE,
) -> go.Figure:
    """All patterns, (layer, head, query, key), one tile each: layers downwards, heads to the right.

    One heatmap of small whole numbers, however many heads there are. `allowed` broadcasts to the patterns;
    what it forbids is a dotted gap. `selected` frames a (layer, head) counted from 0. The figure is at most
    `size` pixels wide. A click reports data coordinates, which `viz.tiles.tile_at` turns into a head.

    With a `side` above 1, each number of `patterns` is the largest of a block of side × side weights.

    With `rows`, the first axis is something else than layers, called by these names, and a head that has no
    numbers at all is no tile.
    """
    weights = visible(patterns, allowed)
    if weights.ndim != 4:
        raise ValueError(f"patterns must have the axes (layer, head, query, key), got shape {weights.shape}")
    checked_selection(selected, weights.shape, "(layer, head)")
    names = _row_names(len(weights), rows)
    left = _left(names)
    tiles = tiling(*weights.shape, room=size - left - 2 * PADDING)
    box = Box(left, ABOVE + (HEADLINE_LINE if title else 0), tiles.across.length, tiles.down.length)
    scale = weight_scale(theme, largest=float(np.nanmax(weights, initial=0)))
    legend = _legend(weights, tiles.block * side, scale)
    width = max(box.right + 2 * PADDING, min(size, max(left + legend_width(legend), headline_width(title))))
    height = box.bottom + 4 * PADDING + bar_room(legend, width - left)
    drawn = canvas(width, height, theme, title=title)
    bar = drawn.bar(scale, box.left, box.bottom + 3 * PADDING, min(box.width, BAR))
    drawn.figure.add_trace(_trace(weights / scale.high, tiles, theme, {**bar, "tickvals": (1, 1 + LEVELS)}))
    _set_axes(drawn, tiles, box, selected, names)
    drawn.figure.add_layout_image(**_beneath(tiles, _present(weights, rows), theme), xref="x", yref="y")
    if rows is not None:
        drawn.figure.data[-1].update(hovertemplate=ROW_HOVER)
    if selected is not None:
        drawn.shape(**_frame(tiles, selected, theme), xref="x", yref="y")
    drawn.legend_of_bar(legend, box.left, box.bottom + 3 * PADDING, width - left)
    return drawn.finished()


def _row_names(n_rows: int, rows: Sequence[str] | None) -> list[str]:
    return [f"layer {at}" for at in range(1, n_rows + 1)] if rows is None else [label(row) for row in rows]


def _present(weights: Numbers, rows: Sequence[str] | None) -> Codes:
    """1 for each head that is a tile, 0 for one that its row does not have."""
    has_numbers = ~np.isnan(weights).all(axis=(2, 3))
    return np.where(has_numbers | (rows is None), 1, 0).astype(np.uint8)


def _left(names: Sequence[str]) -> int:
    return round(max(map(em_width, names)) * TYPE) + 2 * PADDING


def _legend(weights: Numbers, block: int, scale: Scale) -> tuple[str, ...]:
    shared = f"a cell shows the largest of {block} × {block} weights"
    masked = f"{DOT} {MASKED_WEIGHT.legend}"
    ended = [scale.said_end] if scale.said_end else []
    return (*([shared] if block > 1 else []), *ended, *([masked] if np.isnan(weights).any() else []))


def _trace(shares: Numbers, tiles: Tiling, theme: Theme, bar: dict[str, Any]) -> Trace:
    """The tiles of weights as `shares` of the end of their scale."""
    return trace_of(
        "heatmap",
        z=tiled(shares, tiles),
        **_positions(tiles),
        zmin=0,
        zmax=1 + LEVELS,
        colorscale=_scale(theme),
        colorbar=bar,
        hovertemplate=HOVER,
    )


def _positions(tiles: Tiling) -> dict[str, float]:
    """The centre of the first unit, and how far it is from one to the next."""
    across, down, _ = tiles
    x0, y0 = across.at(across.unit / 2), down.at(down.unit / 2)
    return {"x0": x0, "dx": across.unit / across.pitch, "y0": y0, "dy": down.unit / down.pitch}


def tiled(shares: Numbers, tiles: Tiling) -> Codes:
    """The codes of all patterns in one image of units, with empty rows and columns for the gaps."""
    codes = np.where(np.isnan(shares), 0, 1 + np.rint(LEVELS * np.clip(shares, 0, 1))).astype(np.uint8)
    codes = _largest_of_blocks(codes, tiles)
    units, gap = tiles.across.units, tiles.across.gap_units
    codes = codes.repeat(units, axis=2).repeat(units, axis=3)
    apart = np.pad(codes, ((0, 0), (0, 0), (0, gap), (0, gap)))
    n_layers, n_heads, rows, columns = apart.shape
    return apart.swapaxes(1, 2).reshape(n_layers * rows, n_heads * columns)[:-gap, :-gap]


def _largest_of_blocks(codes: Codes, tiles: Tiling) -> Codes:
    """Each cell of a tile gets the largest code of its block, masked only where the whole block is."""
    n_layers, n_heads, n_queries, n_keys = codes.shape
    rows, columns, block = tiles.down.n_cells, tiles.across.n_cells, tiles.block
    filled = np.pad(codes, ((0, 0), (0, 0), (0, rows * block - n_queries), (0, columns * block - n_keys)))
    blocks = filled.reshape(n_layers, n_heads, rows, block, columns, block)
    # One cell of every block after the other: a maximum over two short axes would take thirty times as long.
    cells = [blocks[:, :, :, row, :, column] for row, column in np.ndindex(block, block)]
    return np.asarray(np.maximum.reduce(cells))


def _scale(theme: Theme) -> ColourScale:
    """The sequential colours from code 1 on; code 0 is clear and lets the dots below be seen."""
    clear = "rgba(0,0,0,0)"
    first, levels = 1 / (1 + LEVELS), LEVELS / (1 + LEVELS)
    weights = ((first + stop * levels, colour) for stop, colour in theme.sequential)
    return ((0.0, clear), *weights)


def _set_axes(drawn: Canvas, tiles: Tiling, box: Box, selected: Head | None, names: Sequence[str]) -> None:
    layer, head = selected or (None, None)
    across, upwards = drawn.domains(box, PADDING)
    heads, leads = _head_names(tiles.across, head)
    x, y = _axis(tiles.across, heads, head), _axis(tiles.down, names, layer)
    if leads:
        place = {"xanchor": "right", "yanchor": "bottom", "font": {"size": TYPE}}
        drawn.note("head", box.left - 2 * PADDING, box.top - PADDING / 2, **place)
    drawn.figure.layout["xaxis"] |= {**x, "domain": across, "side": "top"}
    drawn.figure.layout["yaxis"] |= {**y, "domain": upwards, "range": y["range"][::-1]}


def _head_names(strip: Strip, selected: int | None = None) -> tuple[list[str], bool]:
    """Heads counted from 1, and whether `head` stands before their row, as nothing beside a number has room.

    Where there is no room to write it every time it is written once. Where numbers would touch, some are left
    out, but not that of the `selected` head.
    """
    numbers, pitch = range(1, strip.n_tiles + 1), strip.pitch / TYPE
    if em_width(f"head {strip.n_tiles}") <= pitch:
        return [f"head {number}" for number in numbers], False
    if (em_width("head 1") + em_width("2")) / 2 + APART <= pitch:
        return [f"head {number}" if number == 1 else str(number) for number in numbers], False
    step = ceil((em_width(str(strip.n_tiles)) + APART) / pitch)
    near = range(0) if selected is None else range(selected - step + 1, selected + step)
    kept = [at == selected or (at % step == 0 and at not in near) for at in range(strip.n_tiles)]
    return [str(number) if is_kept else "" for number, is_kept in zip(numbers, kept, strict=True)], True


def _axis(strip: Strip, names: Sequence[str], selected: int | None) -> dict[str, Any]:
    """The tiles by their names."""
    numbers, labels = range(1, strip.n_tiles + 1), list(names)
    if selected is not None:
        labels[selected] = f"<b>{labels[selected]}</b>"
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    words = {"tickvals": list(numbers), "ticktext": labels, "tickangle": 0, "tickfont": {"size": TYPE}}
    return {**look, **words, "range": (strip.at(-PADDING), strip.at(strip.length + PADDING))}


def _beneath(tiles: Tiling, present: Codes, theme: Theme) -> dict[str, Any]:
    """A thin frame round each tile that is `present`, and dots in it, below the trace."""
    across, down, _ = tiles
    inside = f"<rect width='{across.tile}' height='{down.tile}' fill='url(#dots)'/>"
    outline = f"x='-.5' y='-.5' width='{across.tile + 1}' height='{down.tile + 1}'"
    frame = f"<rect {outline} fill='none' stroke='{theme.line}'/>"
    places = [
        f"<use href='#tile' x='{PADDING + head * across.pitch}' y='{PADDING + layer * down.pitch}'/>"
        for layer, head in np.argwhere(present).tolist()
    ]
    definitions = f"{dots(across.cell, theme)}<g id='tile'>{inside}{frame}</g>"
    width, height = across.length + 2 * PADDING, down.length + 2 * PADDING
    span = {"width": width / across.pitch, "height": height / down.pitch}
    return below(
        drawing(width, height, definitions, "".join(places)),
        x=across.at(-PADDING),
        y=down.at(-PADDING),
        **span,
    )


def _frame(tiles: Tiling, selected: Head, theme: Theme) -> dict[str, Any]:
    """A thick frame just outside the chosen tile."""
    layer, head = selected
    across, down, _ = tiles
    left, top = head * across.pitch - FRAME / 2, layer * down.pitch - FRAME / 2
    corners = {"x0": across.at(left), "x1": across.at(left + across.tile + FRAME)}
    corners |= {"y0": down.at(top), "y1": down.at(top + down.tile + FRAME)}
    return {"type": "rect", "line": {"color": theme.selection, "width": FRAME}, **corners}
