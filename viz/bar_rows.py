"""Shares in per cent, the same columns several times over: rows of bars on one scale, each row named."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from viz.parts.axes import key_axis
from viz.parts.cells import checked
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import TITLE_SIZE, Grid, word_widths
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture
from viz.tables import unique_words
from viz.text import em_width, label, literal, plain, shortened
from viz.theme import Theme
from viz.units import PER_CENT, per_cents

NARROWEST, FEWEST_COLUMNS = 480, 6
"""The width in pixels that must be enough, and how many columns at least share it."""

NAME, LARGEST_NUMBER, SMALLEST_NUMBER = 16, 14, 10
"""Type sizes in pixels: of the name of a row, and of the number above a bar."""

BESIDE, SIDE, FOOT = 12, 12, 8
ROW, FULL = 72, 0.66
"""Height of a row in pixels, and the share of it that the largest bar takes: its number stands above."""

THICKNESS = 0.7
"""Width of a bar in columns."""

MOST_TOLD = 3
"""Greatest number of bars of a row that the alternative text names."""

Numbers = NDArray[np.floating]
Level = tuple[float, str]
"""A share to compare with, and its name."""

Say = Callable[[Sequence[float]], list[str]]
"""Puts the numbers of a row into words, what is not a number into none."""


@cached_figure
def bar_rows(
    shares: ArrayLike,
    rows: Mapping[str, str],
    columns: Sequence[str],
    *,
    top: float,
    theme: Theme,
    chosen: int | None = None,
    level: Level | None = None,
    say: Say = per_cents,
) -> go.Figure:
    """A bar for each of `shares`, (row, column), from 0 to `top`; what is not a number has no bar.

    `rows` are the names of the rows with their colours. A share stands above its bar in per cent, without
    the sign, where the columns are wide enough; other numbers as `say` puts those of a row. The `chosen`
    column is named in the colour of what is chosen, and `level` is drawn across every row. A click on a bar
    reports its row and column as customdata.
    """
    values = checked(np.asarray(shares, dtype=float), list(rows), columns)
    grid, left = _grid(columns, rows), _left(rows)
    above = grid.above - TITLE_SIZE
    figure = blank(theme, height=above + ROW * len(rows) + FOOT)
    margins = {"l": left, "r": _right(grid, level), "t": above, "b": FOOT}
    figure.update_layout(margin=margins, barmode="overlay")
    figure.layout["xaxis"] = _column_axis(columns, grid, chosen, theme)
    figure.layout["yaxis"] = _row_axis(list(rows))
    for at, (name, colour) in enumerate(rows.items()):
        foot = len(rows) - 1 - at
        bars = _bars(values[at], foot, name, columns, grid, top=top, say=say)
        figure.add_trace(bars | {"marker": {"color": colour}, "customdata": _places(at, len(columns))})
        _line(figure, foot, {"color": theme.line, "width": 1})
    if level is not None:
        _draw_level(figure, level, top, len(rows), theme)
    return figure.finished()


def bars(
    shares: ArrayLike,
    rows: Mapping[str, str],
    columns: Sequence[str],
    *,
    what: str,
    theme: Theme,
    table: Callable[[], pd.DataFrame] | None = None,
    say: Say = per_cents,
    **look: Any,
) -> Picture:
    """The bars of `what`, told from the same numbers; `look` is what else `bar_rows` takes."""
    return Picture(
        bar_rows(shares, rows, columns, theme=theme, say=say, **look),
        alt=describe_bar_rows(shares, list(rows), columns, what=what, say=say),
        table=table,
    )


def describe_bar_rows(
    shares: ArrayLike, rows: Sequence[str], columns: Sequence[str], *, what: str, say: Say = per_cents
) -> str:
    """The largest bars of every row, for those who cannot see them."""
    names = unique_words(columns)
    told = []
    for name, values in zip(rows, np.asarray(shares, dtype=float), strict=True):
        largest = [at for at in np.argsort(-values, kind="stable") if values[at] >= 0][:MOST_TOLD]
        spoken = say(values.tolist())
        listed = ", ".join(f"{names[at]} {spoken[at]}" for at in largest)
        told.append(f"{plain(name)}: {listed or 'no bars'}")
    return f"{what}. The largest bars: {'; '.join(told)}."


def _left(rows: Mapping[str, str]) -> int:
    """Room for the names of the rows."""
    return ceil(max(em_width(shortened(name)) for name in rows) * NAME) + BESIDE + SIDE


def _grid(columns: Sequence[str], rows: Mapping[str, str]) -> Grid:
    """The columns at the narrowest: their width, and the room that slanted words need."""
    n, widths = max(len(columns), FEWEST_COLUMNS), word_widths(columns)
    return Grid(query_widths=(0,), key_widths=widths, cell=(NARROWEST - _left(rows) - SIDE) / n)


def _right(grid: Grid, level: Level | None) -> float:
    """Room for slanted words beyond the last column, which is not theirs if they are few, and for a level."""
    name = 0.0 if level is None else em_width(level[1]) * LARGEST_NUMBER + SIDE
    return max(SIDE, grid.right - max(0, FEWEST_COLUMNS - grid.n_keys) * grid.cell, name)


def _column_axis(columns: Sequence[str], grid: Grid, chosen: int | None, theme: Theme) -> dict[str, Any]:
    axis = key_axis(columns, grid, selected=chosen, colour=theme.selection)
    return {**axis, "range": (-0.5, max(len(columns), FEWEST_COLUMNS) - 0.5)}


def _row_axis(rows: Sequence[str]) -> dict[str, Any]:
    """The names of the rows beside their bars; a row is 1 high, and the first one is on top."""
    middles = [len(rows) - 1 - at + FULL / 2 for at in range(len(rows))]
    look = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": "", "visible": True}
    names = {"tickvals": middles, "ticktext": [label(name) for name in rows], "tickfont": {"size": NAME}}
    return {**look, **names, "ticklabelstandoff": BESIDE, "range": (0, len(rows))}


def _places(row: int, n: int) -> list[tuple[int, int]]:
    """Row and column of every bar; as a list, for of an array's rows the browser would hand on objects."""
    return [(row, column) for column in range(n)]


def _bars(
    values: Numbers, foot: int, name: str, columns: Sequence[str], grid: Grid, *, top: float, say: Say
) -> Trace:
    """The bars of a row, which begins at `foot`."""
    spoken = say(values.tolist())
    written = [said.removesuffix(PER_CENT) for said in spoken]
    size = _number_size(written, grid.cell)
    names = [literal(column) for column in unique_words(columns)]
    return trace_of(
        "bar",
        x=np.arange(len(columns)),
        y=FULL * values / top,
        base=[float(foot)] * len(columns),
        width=THICKNESS,
        text=written if size else None,
        textposition="outside",
        textfont={"size": size or SMALLEST_NUMBER},
        textangle=0,
        constraintext="none",
        cliponaxis=False,
        hovertext=[f"{label(name)}, {word}: {said}" for word, said in zip(names, spoken, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _number_size(written: Sequence[str], cell: float) -> int:
    """Pixels of type at which every number fits its column; 0 where they would be too small to read."""
    size = int(min(LARGEST_NUMBER, cell / max(1.0, *map(em_width, written))))
    return size if size >= SMALLEST_NUMBER else 0


def _line(figure: Sketch, at: float, look: dict[str, Any]) -> None:
    figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=at, y1=at, layer="below", line=look)


def _draw_level(figure: Sketch, level: Level, top: float, n_rows: int, theme: Theme) -> None:
    """A line across every row at the same share, named beside the first."""
    share, name = level
    height = FULL * share / top
    for foot in range(n_rows):
        _line(figure, foot + height, {"color": theme.muted, "width": 2, "dash": "dot"})
    place = {"x": 1, "xref": "paper", "xanchor": "left", "y": n_rows - 1 + height, "yanchor": "middle"}
    font = {"size": LARGEST_NUMBER, "color": theme.muted}
    figure.add_annotation(text=label(name), showarrow=False, borderpad=2, font=font, **place)
