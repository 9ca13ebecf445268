"""What comes out of a softmax for every way to mask: a strip of weights for each, and what it comes to."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from viz.parts.boxes import outlines
from viz.tables import unique_words
from viz.text import em_width, label, literal, plain
from viz.theme import Theme, blank

WIDTH = 980
HEADER, ROW, FOOT, SIDE = 62, 64, 34, 10
"""Pixels of the whole figure, above the strips, of one row of them, below them, and at either side."""

NAME, VERDICT = 16, 14
"""Type sizes in pixels."""

STRIP, STRIP_AT, LINE_AT, VERDICT_AT = 22, 20, 36, 50
"""Height of a strip, and how many pixels below the upper edge of its row its middle and the rest lie."""

SHARE, APART = 0.86, 0.3
"""The share of its column that a strip takes, and the space between the two groups, in columns."""

SMALLEST_SHOWN = 0.005

Numbers = NDArray[np.floating]


def outcome_grid(
    weights: ArrayLike,
    allowed: ArrayLike,
    table: pd.DataFrame,
    words: Sequence[str],
    *,
    groups: Mapping[str, str],
    theme: Theme,
) -> go.Figure:
    """A strip of `weights` (row, method, format, key) for every way to mask, and its verdict below.

    `table` has a line for each of them, in that order, with the columns row, method, format, on masked keys,
    row sum and verdict. `groups` gives the rows the names that stand above. Keys that `allowed` (row, key)
    forbids are underlined. What is right is ticked and quiet; what is not is printed bold.
    """
    values = np.asarray(weights, dtype=np.float32)
    figure = blank(theme, height=HEADER + ROW * values.shape[1] + FOOT, width=WIDTH)
    methods, formats = list(dict.fromkeys(table["method"])), list(dict.fromkeys(table["format"]))
    left = ceil(max(map(em_width, methods)) * NAME) + 2 * SIDE
    figure.update_layout(margin={"l": left, "r": SIDE, "t": HEADER, "b": FOOT})
    columns = _columns(len(groups), len(formats))
    figure.update_xaxes(range=(columns[0] - 0.5, columns[-1] + 0.5))
    figure.update_yaxes(range=(values.shape[1] - 0.5, -0.5))
    figure.add_trace(_strips(values, columns, words, theme))
    figure.add_trace(_frames(values, columns, theme))
    figure.add_trace(_underlines(values, np.asarray(allowed, dtype=bool), columns, theme))
    figure.add_trace(_verdicts(table, values.shape, columns, theme))
    _write_names(figure, methods, formats, list(groups.values()), columns, theme)
    return figure


def describe_outcomes(table: pd.DataFrame, *, groups: Mapping[str, str]) -> str:
    """The verdict on every way to mask, for those who cannot see it."""
    told = []
    for row, name in groups.items():
        lines = [
            f"{method} {', '.join(f'{one.format} {_said(one)}' for one in found.itertuples())}"
            for method, found in _renamed(table[table["row"] == row]).groupby("method", sort=False)
        ]
        told.append(f"{plain(name)}: {'; '.join(lines)}.")
    return " ".join(told)


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
        "looks": f"{leaked} on masked",
        "short": f"sums to {line.total:.2f}",
    }[line.verdict]


def _columns(n_groups: int, n_formats: int) -> Numbers:
    """The middles of the columns, with a wider space between the groups."""
    groups, formats = np.indices((n_groups, n_formats)).reshape(2, -1)
    middles: Numbers = groups * (n_formats + APART) + formats
    return middles


def _strips(values: Numbers, columns: Numbers, words: Sequence[str], theme: Theme) -> go.Heatmap:
    """All strips as one trace, with gaps between them."""
    n_rows, n_methods, n_formats, n_keys = values.shape
    ends = SHARE * (np.arange(n_keys + 1) / n_keys - 0.5)
    upright = _down(STRIP_AT) + np.array((-0.5, 0.5)) * STRIP / ROW
    by_method = values.transpose(1, 0, 2, 3).reshape(n_methods, n_rows * n_formats, n_keys)
    names = unique_words(words)
    hovers = np.array(
        [
            [
                [f"{literal(name)}: {_number(weight)}" for name, weight in zip(names, row, strict=True)]
                for row in rows
            ]
            for rows in by_method.tolist()
        ],
        dtype=object,
    )
    return go.Heatmap(
        z=_with_gaps(by_method, np.nan),
        x=np.add.outer(columns, ends).ravel(),
        y=np.add.outer(np.arange(n_methods), upright).ravel(),
        zmin=0,
        zmax=1,
        colorscale=theme.sequential,
        showscale=False,
        hovertext=_with_gaps(hovers, "").tolist(),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
    )


def _with_gaps(array: NDArray[Any], gap: Any) -> NDArray[Any]:
    """(method, column, key) as one matrix, with a column of gaps between columns and a row between rows."""
    n_methods, n_columns, n_keys = array.shape
    spread = np.full((n_methods, 2, n_columns, n_keys + 1), gap, dtype=array.dtype)
    spread[:, 0, :, :n_keys] = array
    return spread.reshape(2 * n_methods, -1)[:-1, :-1]


def _number(weight: float) -> str:
    if weight == 0:
        return "exactly 0"
    return f"{weight:.3f}" if weight >= SMALLEST_SHOWN or np.isnan(weight) else f"{weight:.1e}"


def _places(values: Numbers, columns: Numbers) -> tuple[Numbers, Numbers]:
    """Middle of the column and row of every strip."""
    rows, across = np.meshgrid(np.arange(values.shape[1]), columns, indexing="ij")
    return across.ravel(), rows.ravel().astype(float)


def _frames(values: Numbers, columns: Numbers, theme: Theme) -> go.Scatter:
    """A thin frame round each strip, so that one without a number in it is seen too."""
    across, rows = _places(values, columns)
    x, y = outlines(across, rows + _down(STRIP_AT), SHARE / 2, STRIP / ROW / 2)
    return go.Scatter(x=x, y=y, mode="lines", line={"color": theme.muted, "width": 1}, hoverinfo="skip")


def _underlines(values: Numbers, allowed: NDArray[np.bool_], columns: Numbers, theme: Theme) -> go.Scatter:
    """A line below every masked key."""
    _, n_methods, n_formats, n_keys = values.shape
    x: list[float | None] = []
    y: list[float | None] = []
    for at, middle in enumerate(columns):
        for key in np.flatnonzero(~allowed[at // n_formats]):
            ends = middle + SHARE * ((key + np.array((0.08, 0.92))) / n_keys - 0.5)
            for method in range(n_methods):
                x += [*ends.tolist(), None]
                y += [method + _down(LINE_AT)] * 2 + [None]
    return go.Scatter(x=x, y=y, mode="lines", line={"color": theme.key, "width": 3}, hoverinfo="skip")


def _verdicts(table: pd.DataFrame, shape: tuple[int, ...], columns: Numbers, theme: Theme) -> go.Scatter:
    n_rows, n_methods, n_formats, _ = shape
    lines = list(_renamed(table).itertuples())
    right = [line.verdict in ("exact", "zeros") for line in lines]
    at = np.indices((n_rows, n_methods, n_formats)).reshape(3, -1)
    return go.Scatter(
        x=columns[at[0] * n_formats + at[2]],
        y=at[1] + _down(VERDICT_AT),
        mode="text",
        text=[
            f"✓ {_said(line)}" if ok else f"<b>{_said(line)}</b>"
            for line, ok in zip(lines, right, strict=True)
        ],
        textfont={"size": VERDICT, "color": [theme.muted if ok else theme.ink for ok in right]},
        hoverinfo="skip",
    )


def _down(pixels: float) -> float:
    """From the middle of a row to `pixels` below its upper edge, in rows."""
    return pixels / ROW - 0.5


def _write_names(
    figure: go.Figure,
    methods: Sequence[str],
    formats: Sequence[str],
    groups: Sequence[str],
    columns: Numbers,
    theme: Theme,
) -> None:
    """Rows and formats above, methods beside, and below what the lines mean."""
    note = {"showarrow": False, "borderpad": 0}
    above = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    for at, middle in enumerate(columns):
        font = {"size": VERDICT, "color": theme.muted}
        figure.add_annotation(text=formats[at % len(formats)], x=middle, yshift=4, font=font, **above, **note)
    for at, name in enumerate(groups):
        start = columns[at * len(formats)] - SHARE / 2
        look = {"xanchor": "left", "yshift": 30, "font": {"size": NAME}}
        figure.add_annotation(text=f"<b>{label(name, longest=30)}</b>", x=start, **look, **above, **note)
    for at, name in enumerate(methods):
        beside = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -SIDE}
        figure.add_annotation(text=label(name, longest=12), y=at, font={"size": NAME}, **beside, **note)
    below = {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": 0,
        "yref": "paper",
        "yanchor": "top",
        "yshift": -8,
    }
    line = f'<span style="color:{theme.key}"><b>━</b></span>'
    text = f"{line} masked keys   the more weight, the more ink   ✓ as it should be"
    figure.add_annotation(text=text, font={"size": VERDICT, "color": theme.muted}, **below, **note)
