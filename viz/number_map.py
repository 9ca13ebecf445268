"""Numbers over two axes of numbers, as colours: a table of vectors, or how alike any two of them are."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted
from viz.parts.figure_cache import cached_figure
from viz.parts.frames import framing
from viz.parts.scale import Scale, signed_scale, weight_scale
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.text import em_width, label, shortened
from viz.theme import Theme

TITLE, TICK, NOTE = 16, 15, 14
BESIDE, BAR_ROOM, BAR, TOP, BOTTOM = 14, 46, 10, 26, 50
MOST_TICKS = 8
LINE = 19
"""The least height in pixels of a row that is named."""
STEPS = (1, 2, 4, 8, 16, 32, 64)


@cached_figure
def number_map(
    values: ArrayLike,
    *,
    x_title: str,
    y_title: str,
    theme: Theme,
    height: int,
    borders: Mapping[str, float] | None = None,
    word: str = "",
    rows: Sequence[str] | None = None,
    limit: float | None = None,
    of_shares: bool = False,
) -> go.Figure:
    """Rows from top to bottom and columns from left to right, both counted from 0; it fills its container.

    Colours are symmetric about zero, or, `of_shares`, run from 0 to 1. `borders` draws a named upright line
    before a column; `word` is what a hover calls a number. `rows` name the rows, all of them where each is
    high enough. Maps with the same `limit` have the same colours.
    """
    matrix = np.asarray(values, dtype=np.float32)
    n_rows, n_columns = matrix.shape
    scale = (
        weight_scale(theme)
        if of_shares
        else signed_scale(matrix if limit is None else np.array([limit]), theme)
    )
    figure = blank(theme, height=height)
    names = [str(n_rows)] if rows is None else list(map(shortened, rows))
    left = round(max(map(em_width, names)) * TICK) + 2 * TITLE + BESIDE
    figure.update_layout(margin={"l": left, "r": BAR_ROOM, "t": TOP, "b": BOTTOM})
    figure.add_trace(_cells(matrix, scale, x_title, y_title, word))
    figure.layout["xaxis"] = {**_axis(n_columns, x_title), "range": (-0.5, n_columns - 0.5)}
    figure.layout["yaxis"] = {**_axis(n_rows, y_title), "range": (n_rows - 0.5, -0.5)}
    if rows is not None:
        figure.layout["yaxis"] |= _named(rows, height - TOP - BOTTOM)
    for name, at in (borders or {}).items():
        _border(figure, name, at, n_columns, theme)
    return figure.finished()


def describe_number_map(values: ArrayLike, *, title: str) -> str:
    """The alternative text of `number_map`: its size without bare rows, and the span of its numbers."""
    matrix = np.asarray(values)
    matrix = matrix[~np.isnan(matrix).all(axis=1)]
    n_rows, n_columns = matrix.shape
    span = f"from {matrix.min():.2f} to {matrix.max():.2f}"
    return f"{title}: {counted(n_rows, 'row')} of {counted(n_columns, 'number')}, {span}."


def colour_map(
    values: ArrayLike,
    *,
    title: str,
    x_title: str,
    y_title: str,
    theme: Theme,
    rows: Sequence[str] | None = None,
    table: Callable[[], pd.DataFrame] | None = None,
    **look: Any,
) -> Picture:
    """The numbers, drawn and told from the same array; `look` is what else `number_map` takes.

    The table has their rows and columns, named by the axes and counted from 0 or called as `rows` are, unless
    `table` makes another.
    """
    matrix = np.asarray(values)
    return finished(
        number_map(matrix, x_title=x_title, y_title=y_title, theme=theme, rows=rows, **look),
        alt=describe_number_map(matrix, title=title),
        table=table or (lambda: _listed(matrix, x_title, y_title, rows)),
        title=title,
    )


def _listed(values: np.ndarray, x_title: str, y_title: str, rows: Sequence[str] | None) -> pd.DataFrame:
    columns = [f"{x_title} {at}" for at in range(values.shape[1])]
    index = pd.RangeIndex(len(values)) if rows is None else pd.Index(rows)
    return pd.DataFrame(values, index=index.rename(y_title), columns=columns)


def _cells(matrix: np.ndarray, scale: Scale, x_title: str, y_title: str, word: str) -> Trace:
    named = f"{word} " if word else ""
    return trace_of(
        "heatmap",
        z=matrix,
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.colours,
        colorbar={
            "thickness": BAR,
            "tickvals": (scale.low, scale.high) if scale.of_shares else (scale.low, 0, scale.high),
            "ticktext": scale.ends if scale.of_shares else (scale.ends[0], "0", scale.ends[1]),
            "tickfont": {"size": NOTE},
            "ticks": "",
            "xpad": 6,
            "outlinewidth": 0,
        },
        hovertemplate=(f"{label(y_title)} %{{y}}, {label(x_title)} %{{x}}: {named}%{{z:.3f}}<extra></extra>"),
    )


def _axis(n: int, title: str) -> dict[str, object]:
    step = next((step for step in STEPS if n / step <= MOST_TICKS), STEPS[-1])
    return {
        "visible": True,
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "tickvals": list(range(0, n, step)),
        "tickfont": {"size": TICK},
        "title": {"text": title, "font": {"size": TITLE}, "standoff": 8},
    }


def _named(rows: Sequence[str], length: int) -> dict[str, object]:
    """Names beside as many rows as have the room; an alias lets a hover name all others."""
    labels, step = list(map(label, rows)), ceil(len(rows) * LINE / length)
    written = range((len(rows) - 1) % step, len(rows), step)
    aliases = {str(at): labels[at] for at in set(range(len(rows))) - set(written)}
    return {"tickvals": list(written), "ticktext": [labels[at] for at in written], "labelalias": aliases}


def _border(figure: Sketch, name: str, at: float, n_columns: int, theme: Theme) -> None:
    """An upright line before column `at`, named above on the side that has more room."""
    if not 0 < at < n_columns:
        return
    for look in framing({"color": theme.selection, "width": 2, "dash": "dot"}, theme):
        figure.add_shape(type="line", x0=at - 0.5, x1=at - 0.5, y0=0, y1=1, yref="paper", line=look)
    anchor = "left" if at < n_columns / 2 else "right"
    place = {"x": at - 0.5, "xanchor": anchor, "y": 1, "yref": "paper", "yanchor": "bottom"}
    font = {"size": NOTE, "color": theme.selection}
    text = label(name, longest=24)
    figure.add_annotation(text=text, showarrow=False, borderpad=2, font=font, **place)
