"""What the heads do, in one figure: a row for each score, a column for each head, and for equal weights."""

from collections.abc import Callable, Mapping
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.words import counted
from viz.parts.canvas import BAR, BAR_LINE, LEGEND_LINE, Box, Canvas, canvas, legend_width
from viz.parts.cells import checked_selection
from viz.parts.figure_cache import cached_figure
from viz.parts.frames import framing
from viz.parts.grid import PADDING, whole_pixels
from viz.parts.scale import weight_scale
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.text import em_width, label, literal, plain
from viz.theme import Theme
from viz.tiles import Head

SIZE = 980
TYPE, ABOVE = 15, 52
LEAST_TYPE, BETWEEN_NUMBERS = 10, 3
"""The smallest type of the number of a head in pixels, and the room that it needs beside the next."""
HEADS_BELOW = 28
"""Pixels from the top to the numbers of the heads."""
GROUPS = ("layer {} · head", "layer {}", "{}")
"""Titles above the heads of a layer, by how much room there is."""
ROW, WIDEST = 32, 60
DIGITS, NARROWEST_WITH_DIGITS = 13, 32
FRAME = 3
UNIFORM = "equal weights"
UNIFORM_WIDTH = round(em_width("weights") * TYPE)
LEGEND = (f"{UNIFORM}: the score of a head", "that attends equally to all words it may see")
HOVER = "%{hovertext}<extra></extra>"

Numbers = NDArray[np.floating]


def score_names(table: pd.DataFrame) -> list[str]:
    """The scores in `table`, in its order."""
    return list(table["score"].unique())


@cached_figure
def head_scores(
    table: pd.DataFrame,
    meanings: Mapping[str, str],
    *,
    theme: Theme,
    selected: Head | None = None,
    size: int = SIZE,
) -> go.Figure:
    """The scores of `table` as tiles, coloured from 0 to 1: layers side by side, equal weights at the end.

    `table` has the columns layer, head (both from 1), score, value, baseline and places, a row for each; its
    values are shares, and `meanings` says of what. `selected` frames a (layer, head) counted from 0. The
    figure is at most `size` pixels wide; `head_at` tells which head and score were clicked.
    """
    values, names, extent = _values(table), score_names(table), _extent(table)
    checked_selection(selected, extent, "(layer, head)")
    box = _box(names, values.shape[1], size)
    cell = box.width / values.shape[1]
    has_digits = cell >= NARROWEST_WITH_DIGITS
    foot = box.bottom + 3 * PADDING + (0 if has_digits else BAR_LINE)
    width = max(box.right + max(PADDING, UNIFORM_WIDTH - cell), PADDING + legend_width(LEGEND))
    drawn = canvas(width, foot + len(LEGEND) * LEGEND_LINE, theme)
    drawn.figure.add_trace(
        _trace(drawn, values, _hovers(values, table, meanings), box, has_digits=has_digits)
    )
    _set_axes(drawn, names, box, extent, selected)
    _write_groups(drawn, box, extent)
    if selected is not None:
        for frame in _frames(_column(*selected, extent[1]), len(names), theme):
            drawn.shape(**frame)
    drawn.legend(LEGEND, PADDING, foot)
    return drawn.finished()


def scored(
    table: pd.DataFrame,
    meanings: Mapping[str, str],
    *,
    theme: Theme,
    behind: Callable[[], pd.DataFrame] | None = None,
    **look: Any,
) -> Picture:
    """The scores told by the highest of each; `look` is what else `head_scores` takes.

    The table behind the picture is `table`, unless `behind` makes another.
    """
    return finished(
        head_scores(table, meanings, theme=theme, **look),
        alt=_alt(table),
        table=behind or (lambda: table),
        title="Scores of every attention head",
    )


def _alt(table: pd.DataFrame) -> str:
    """The highest head of each score, and what equal weights give."""
    n_layers, n_heads = _extent(table)
    size = f"{counted(n_layers, 'layer')} with {counted(n_heads, 'head')} each"
    highest = table.loc[table.groupby("score", sort=False)["value"].idxmax()]
    found = (
        f"{plain(row.score)}: layer {row.layer}, head {row.head}, {row.value:.2f} ({row.baseline:.2f})"
        for row in highest.itertuples()
    )
    return f"Scores of {size}. Highest of each, and in brackets that of equal weights: {'; '.join(found)}."


def head_at(x: float, y: float, *, table: pd.DataFrame) -> tuple[int, int, str] | None:
    """The layer and head, counted from 0, and the score of a click at these data coordinates.

    None beside the heads: between two layers, or on equal weights.
    """
    n_layers, n_heads = _extent(table)
    names = score_names(table)
    layer, head = divmod(round(x), n_heads + 1)
    inside = 0 <= layer < n_layers and head < n_heads and 0 <= round(y) < len(names)
    return (layer, head, names[round(y)]) if inside else None


def _box(names: list[str], n_columns: int, size: int) -> Box:
    """The rectangle of the tiles: as wide as the figure allows."""
    left = round(max(em_width(name) for name in names) * TYPE) + 2 * PADDING + 6
    cell = (size - left - UNIFORM_WIDTH) / (n_columns - 1)
    return Box(left, ABOVE, whole_pixels(min(WIDEST, cell)) * n_columns, ROW * len(names))


def _extent(table: pd.DataFrame) -> Head:
    return int(table["layer"].max()), int(table["head"].max())


def _column(layer: int, head: int, n_heads: int) -> int:
    """The column of a head; one column is left free after each layer."""
    return layer * (n_heads + 1) + head


def _values(table: pd.DataFrame) -> Numbers:
    """(score, column): the values of the heads, then that of equal weights; not a number between layers."""
    names = score_names(table)
    n_layers, n_heads = _extent(table)
    values = np.full((len(names), _n_columns((n_layers, n_heads))), np.nan, dtype=np.float32)
    row = table["score"].map({name: at for at, name in enumerate(names)})
    values[row, _column(table["layer"] - 1, table["head"] - 1, n_heads)] = table["value"]
    values[row, -1] = table["baseline"]
    return values


def _trace(canvas: Canvas, values: Numbers, hovers: list[list[str]], box: Box, *, has_digits: bool) -> Trace:
    scale = weight_scale(canvas.theme)
    bar = canvas.bar(scale, box.left, box.bottom + 2 * PADDING, min(box.width, BAR))
    digits = {"text": _printed(values, canvas.theme), "texttemplate": "%{text}", "textfont": {"size": DIGITS}}
    return trace_of(
        "heatmap",
        z=values,
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.colours,
        xgap=2 if has_digits else 1,
        ygap=2,
        hovertext=hovers,
        hovertemplate=HOVER,
        hoverongaps=False,
        showscale=not has_digits,
        colorbar=bar,
        **(digits if has_digits else {}),
    )


def _printed(values: Numbers, theme: Theme) -> list[list[str]]:
    """The digits of each tile in an ink that can be read on its colour."""
    scale = weight_scale(theme)
    return [
        ["" if np.isnan(v) else f'<span style="color:{ink}">{scale.digits(v)}</span>' for v, ink in pairs]
        for pairs in (zip(*row, strict=True) for row in zip(values, scale.inks(values, theme), strict=True))
    ]


def _hovers(values: Numbers, table: pd.DataFrame, meanings: Mapping[str, str]) -> list[list[str]]:
    """What a hover says of each tile: whose it is, what it measures, and how equal weights compare."""
    texts = [[""] * values.shape[1] for _ in values]
    names = score_names(table)
    said = {name: (f"<b>{literal(name)}</b>", literal(meanings[name])) for name in names}
    _, n_heads = _extent(table)
    for row in table.itertuples():
        at, column = names.index(row.score), _column(row.layer - 1, row.head - 1, n_heads)
        name, meaning = said[row.score]
        chance = f"{UNIFORM} {row.baseline:.2f}, over {counted(row.places, 'word')}"
        texts[at][-1] = f"{name}: {meaning}<br>{chance}"
        texts[at][column] = f"{_whose(row)} · {name} {row.value:.2f}<br>{meaning}<br>{chance}"
    return texts


def _whose(row: Any) -> str:
    return f"layer {row.layer}, head {row.head}"


def _set_axes(canvas: Canvas, names: list[str], box: Box, extent: Head, selected: Head | None) -> None:
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    look |= {"tickfont": {"size": TYPE}, "tickangle": 0}
    across, upwards = canvas.domains(box, PADDING)
    n_columns = _n_columns(extent)
    columns, labels, size = _head_labels(extent, box.width / n_columns, selected)
    x = {"tickvals": columns, "ticktext": labels, "range": _edges(n_columns, box.width), "domain": across}
    upright = {} if size == TYPE else {"tickfont": {"size": size}, "tickangle": -90}
    canvas.figure.layout["xaxis"] |= {**look, **x, **upright, "side": "top"}
    rows, edges = list(range(len(names))), _edges(len(names), box.height)[::-1]
    y = {"tickvals": rows, "ticktext": [label(name) for name in names], "range": edges, "domain": upwards}
    canvas.figure.layout["yaxis"] |= {**look, **y}


def _edges(n: int, length: float) -> tuple[float, float]:
    room = PADDING * n / length
    return -0.5 - room, n - 0.5 + room


def _head_labels(extent: Head, cell: float, selected: Head | None) -> tuple[list[int], list[str], int]:
    """The columns of the heads, their numbers, and the type size of these.

    Where columns are narrow the numbers are turned and small; some are left out where those would touch.
    """
    size, step = TYPE, 1
    if cell < em_width(str(extent[1])) * TYPE + BETWEEN_NUMBERS:
        step = ceil(LEAST_TYPE / cell)
        size = min(TYPE - 1, floor(step * cell))
    shown = [at for at in np.ndindex(*extent) if at[1] % step == 0]
    labels = [f"<b>{head + 1}</b>" if (layer, head) == selected else str(head + 1) for layer, head in shown]
    return [_column(layer, head, extent[1]) for layer, head in shown], labels, size


def _write_groups(canvas: Canvas, box: Box, extent: Head) -> None:
    """Write the layer above the numbers of its heads, and a title above the last column."""
    n_layers, n_heads = extent
    cell = box.width / _n_columns(extent)
    look: dict[str, Any] = {"yanchor": "top", "font": {"size": TYPE}}
    form = _form_of_groups(n_layers, cell * (n_heads + 1))
    for layer in range(n_layers):
        middle = box.left + cell * (_column(layer, 0, n_heads) + n_heads / 2)
        canvas.note(form.format(layer + 1), middle, 4, xanchor="center", **look)
    if form == GROUPS[-1]:
        for name, top in (("layer", 4), ("head", HEADS_BELOW)):
            canvas.note(name, box.left - 2 * PADDING, top, xanchor="right", **look)
    muted = {**look, "font": {"size": TYPE, "color": canvas.theme.muted}}
    canvas.note(UNIFORM.replace(" ", "<br>"), box.right - cell, 4, xanchor="left", align="left", **muted)


def _form_of_groups(n_layers: int, width: float) -> str:
    """The longest way to say which layer it is that fits in so many pixels, or a bare number."""
    fits = (form for form in GROUPS if em_width(form.format(n_layers)) * TYPE < width)
    return next(fits, GROUPS[-1])


def _n_columns(extent: Head) -> int:
    """The heads of every layer and a free column behind them, then equal weights."""
    n_layers, n_heads = extent
    return n_layers * (n_heads + 1) + 1


def _frames(column: int, n_scores: int, theme: Theme) -> list[dict[str, Any]]:
    """A frame round all scores of a head."""
    corners = {"x0": column - 0.5, "x1": column + 0.5, "y0": -0.5, "y1": n_scores - 0.5}
    lines = framing({"color": theme.selection, "width": FRAME}, theme)
    return [{"type": "rect", "line": line, **corners} for line in lines]
