"""What comes out of a softmax for every way to mask: a strip of weights for each, and what it comes to."""

from collections.abc import Sequence
from math import ceil, inf
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from viz.parts.boxes import outlines
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import unique_words
from viz.text import em_width, label, literal, plain
from viz.theme import Theme

HEADER, ROW, LEAST_ROW, FOOT, SIDE = 62, 64, 56, 54, 10
"""Pixels above the strips, of one row of them and at least, below them, and at either side."""

NAME, VERDICT = 16, 14
"""Type sizes in pixels."""

STRIP, STRIP_AT, LINE_AT, VERDICT_AT = 22, 20, 36, 50
"""Height of a strip, and how many pixels below the upper edge of its row its middle and the rest lie."""

SHARE = 0.86
"""The share of its column that a strip takes."""

SMALLEST_SHOWN = 0.005

KEY_TO_SIGNS = (
    '<span style="color:{key}"><b>—</b></span> masked keys   ✓ as it should be'
    "<br>the more weight, the more ink"
)

Numbers = NDArray[np.floating]


def outcome_grid(
    weights: ArrayLike,
    allowed: ArrayLike,
    table: pd.DataFrame,
    words: Sequence[str],
    *,
    title: str,
    short: str,
    theme: Theme,
    tallest: float = inf,
) -> Picture:
    """A strip of `weights` (method, format, key) for every way to mask, and its verdict below.

    `table` has a line for each of them, in that order, with the columns method, format, on masked keys, row
    sum and verdict. Keys that `allowed` (key,) forbids are underlined. What is right is ticked and quiet;
    what is not is printed bold. Above the strips stands the `short` title: a narrow figure has no room for
    the whole one. They end within `tallest` pixels if they can.
    """
    return finished(
        _outcome_grid(weights, allowed, table, words, short=short, theme=theme, tallest=tallest),
        alt=_alt(table, title=title),
        table=lambda: table,
        title=title,
    )


@cached_figure
def _outcome_grid(
    weights: ArrayLike,
    allowed: ArrayLike,
    table: pd.DataFrame,
    words: Sequence[str],
    *,
    short: str,
    theme: Theme,
    tallest: float,
) -> go.Figure:
    values = np.asarray(weights, dtype=np.float32)
    n_methods, n_formats, _ = values.shape
    row = int(min(max((tallest - HEADER) / n_methods, LEAST_ROW), ROW))
    figure = blank(theme, height=HEADER + row * n_methods + FOOT)
    methods, formats = list(dict.fromkeys(table["method"])), list(dict.fromkeys(table["format"]))
    left = ceil(max(map(em_width, methods)) * NAME) + 2 * SIDE
    figure.update_layout(margin={"l": left, "r": SIDE, "t": HEADER, "b": FOOT})
    figure.layout["xaxis"] |= {"range": (-0.5, n_formats - 0.5)}
    figure.layout["yaxis"] |= {"range": (n_methods - 0.5, -0.5)}
    figure.add_trace(_strips(values, words, theme))
    figure.add_trace(_frames(n_methods, n_formats, theme))
    figure.add_trace(_underlines(np.asarray(allowed, dtype=bool), n_methods, n_formats, theme))
    figure.add_trace(_verdicts(table, n_methods, n_formats, theme))
    _write_names(figure, methods, formats, short, theme)
    return figure.finished()


def _alt(table: pd.DataFrame, *, title: str) -> str:
    """The verdict on every way to mask, for those who cannot see it."""
    lines = [
        f"{method} {', '.join(f'{one.format} {_said(one)}' for one in found.itertuples())}"
        for method, found in _renamed(table).groupby("method", sort=False)
    ]
    return f"{plain(title)}: {'; '.join(lines)}."


def _renamed(table: pd.DataFrame) -> pd.DataFrame:
    """Columns by names that a line of the table can be asked for."""
    return table.rename(columns={"on masked keys": "leaked", "row sum": "total"})


def _said(line: Any) -> str:
    """A verdict in a few signs."""
    leaked = f"{line.leaked:.2f}" if line.leaked >= SMALLEST_SHOWN else f"{line.leaked:.0e}"
    return {
        "exact": "exact",
        "zeros": "all 0",
        "NaN": "NaN",
        "leaks": f"leaks {leaked}",
        "short": f"sums to {line.total:.2f}",
    }[line.verdict]


def _strips(values: Numbers, words: Sequence[str], theme: Theme) -> Trace:
    """All strips as one trace, with gaps between them."""
    n_methods, n_formats, n_keys = values.shape
    ends = SHARE * (np.arange(n_keys + 1) / n_keys - 0.5)
    upright = _down(STRIP_AT) + np.array((-0.5, 0.5)) * STRIP / ROW
    return trace_of(
        "heatmap",
        z=_with_gaps(values, np.nan),
        x=np.add.outer(np.arange(n_formats), ends).ravel(),
        y=np.add.outer(np.arange(n_methods), upright).ravel(),
        zmin=0,
        zmax=1,
        colorscale=theme.sequential,
        showscale=False,
        hovertext=_with_gaps(_spoken(values, words), "").tolist(),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
    )


def _spoken(values: Numbers, words: Sequence[str]) -> NDArray[np.object_]:
    """What the pointer says on each weight: the key and the number."""
    names = [literal(name) for name in unique_words(words)]
    spoken = np.empty(values.shape, dtype=object)
    for at in np.ndindex(values.shape):
        spoken[at] = f"{names[at[-1]]}: {_number(float(values[at]))}"
    return spoken


def _with_gaps(array: NDArray[Any], gap: Any) -> NDArray[Any]:
    """(method, format, key) as one matrix, with gaps: a column between formats, a row between methods."""
    n_methods, n_formats, n_keys = array.shape
    spread = np.full((n_methods, 2, n_formats, n_keys + 1), gap, dtype=array.dtype)
    spread[:, 0, :, :n_keys] = array
    return spread.reshape(2 * n_methods, -1)[:-1, :-1]


def _number(weight: float) -> str:
    if weight == 0:
        return "exactly 0"
    return f"{weight:.3f}" if weight >= SMALLEST_SHOWN or np.isnan(weight) else f"{weight:.1e}"


def _places(n_methods: int, n_formats: int) -> tuple[Numbers, Numbers]:
    """Column and row of every strip, method by method."""
    rows, columns = np.indices((n_methods, n_formats), dtype=float).reshape(2, -1)
    return columns, rows


def _frames(n_methods: int, n_formats: int, theme: Theme) -> Trace:
    """A thin frame round each strip, so that one without a number in it is seen too."""
    columns, rows = _places(n_methods, n_formats)
    x, y = outlines(columns, rows + _down(STRIP_AT), SHARE / 2, STRIP / ROW / 2)
    return trace_of(
        "scatter", x=x, y=y, mode="lines", line={"color": theme.muted, "width": 1}, hoverinfo="skip"
    )


def _underlines(allowed: NDArray[np.bool_], n_methods: int, n_formats: int, theme: Theme) -> Trace:
    """A line below every masked key."""
    x: list[float | None] = []
    y: list[float | None] = []
    for column, row in zip(*_places(n_methods, n_formats), strict=True):
        for key in np.flatnonzero(~allowed):
            ends = column + SHARE * ((key + np.array((0.08, 0.92))) / len(allowed) - 0.5)
            x += [*ends.tolist(), None]
            y += [row + _down(LINE_AT)] * 2 + [None]
    return trace_of(
        "scatter", x=x, y=y, mode="lines", line={"color": theme.key, "width": 3}, hoverinfo="skip"
    )


def _verdicts(table: pd.DataFrame, n_methods: int, n_formats: int, theme: Theme) -> Trace:
    lines = list(_renamed(table).itertuples())
    right = [line.verdict in ("exact", "zeros") for line in lines]
    columns, rows = _places(n_methods, n_formats)
    return trace_of(
        "scatter",
        x=columns,
        y=rows + _down(VERDICT_AT),
        mode="text",
        text=[
            f"✓ {_said(line)}" if ok else f"<b>{_said(line)}</b>"
            for line, ok in zip(lines, right, strict=True)
        ],
        textfont={"size": VERDICT, "color": [theme.muted if ok else theme.ink for ok in right]},
        hoverinfo="skip",
    )


def _down(pixels: float) -> float:
    """The distance in rows from the middle of a row to `pixels` below its upper edge."""
    return pixels / ROW - 0.5


def _write_names(
    figure: Sketch, methods: Sequence[str], formats: Sequence[str], short: str, theme: Theme
) -> None:
    """The row and formats above, methods beside, and below what the lines mean."""
    note = {"showarrow": False, "borderpad": 0}
    small = {"size": VERDICT, "color": theme.muted}
    above = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    for at, name in enumerate(formats):
        figure.add_annotation(text=name, x=at, yshift=4, font=small, **above, **note)
    look = {"xanchor": "left", "yshift": 30, "font": {"size": NAME}}
    figure.add_annotation(text=f"<b>{label(short, longest=30)}</b>", x=-SHARE / 2, **look, **above, **note)
    for at, name in enumerate(methods):
        beside = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -SIDE}
        figure.add_annotation(text=label(name, longest=12), y=at, font={"size": NAME}, **beside, **note)
    start = {"x": 0, "xref": "paper", "xanchor": "left", "align": "left"}
    below = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -8}
    figure.add_annotation(text=KEY_TO_SIGNS.format(key=theme.key), font=small, **start, **below, **note)
