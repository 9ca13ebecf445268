"""Shares in per cent, the same columns several times over: rows of bars on one scale, each row named."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from core.words import PER_CENT, per_cents, rows_of_per_cents
from viz.parts.axes import key_axis
from viz.parts.cells import checked
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import TITLE_SIZE, Grid, word_widths
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import unique_words
from viz.text import LONGEST_LABEL, em_width, label, literal, plain, shortened
from viz.theme import Theme

NARROWEST, NARROW, FEWEST_COLUMNS = 480, 300, 6
"""The width in pixels that must be enough, that of a narrow figure, and how many columns share it."""

NAME, LARGEST_NUMBER, SMALLEST_SIGNED, SMALLEST_NUMBER = 16, 14, 12, 10
"""Type sizes in pixels: of the name of a row, and of the number above a bar, with its sign and without."""

BESIDE, SIDE, FOOT = 12, 12, 8
ROW, NAMED, FULL = 72, 94, 0.66
"""Height of a row in pixels, of one with its name above its bars, and the share of the first that the largest
bar takes: its number stands above."""

LONGEST_ROW = (NARROW - 2 * SIDE) / NAME
"""The longest name of a row in em where it has the width of a narrow figure."""

THICKNESS = 0.7
"""Width of a bar in columns."""

NUMBER_LINE = 1.2
"""How high the line of a number is, with what is between it and its bar, in em."""

MOST_TOLD = 3
"""Greatest number of bars of a row that the alternative text names."""

UNIT = f"in{PER_CENT}"
"""Stands beside numbers that have no room for their sign."""

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
    narrow: bool = False,
) -> go.Figure:
    """A bar for each of `shares`, (row, column), from 0 to `top`; what is not a number has no bar.

    `rows` are the names of the rows with their colours. A share stands above its bar in per cent where the
    columns are wide enough, all with the sign if it fits, else above the largest bar of each row alone; other
    numbers as `say` puts those of a row. The
    `chosen` column is named in the colour of what is chosen, and `level` is drawn across every row. A click
    on a bar reports its row and column as customdata. A `narrow` figure, which has less than `NARROWEST`
    pixels, has the name of a row above its bars.
    """
    values = checked(np.asarray(shares, dtype=float), list(rows), columns)
    left, row = (SIDE, NAMED) if narrow else (_left(rows), ROW)
    grid = _grid(columns, (NARROW if narrow else NARROWEST) - left)
    full = FULL * ROW / row
    spoken = _spoken(values, say)
    written, size = _written(spoken, values, grid.cell)
    above = grid.above - TITLE_SIZE
    figure = blank(theme, height=above + row * len(rows) + FOOT)
    margins = {"l": left, "r": _right(grid, level), "t": above, "b": FOOT}
    figure.update_layout(margin=margins, barmode="overlay")
    figure.layout["xaxis"] = _column_axis(columns, grid, chosen, theme)
    figure.layout["yaxis"] = _row_axis([] if narrow else list(rows), len(rows), full)
    if _is_bare(written, spoken):
        _write_unit(figure, above, theme, narrow=narrow)
    for at, (name, colour) in enumerate(rows.items()):
        foot = len(rows) - 1 - at
        heights = full * values[at] / top
        bars = _bars(heights, foot, name, columns, said=spoken[at], written=written[at], size=size)
        if level is not None:
            bars |= {"textposition": _beside_level(heights, full * level[0] / top, size / row)}
            bars |= {"insidetextfont": {"size": min(size, SMALLEST_SIGNED), "color": theme.paper}}
        figure.add_trace(bars | {"marker": {"color": colour}, "customdata": _places(at, len(columns))})
        _line(figure, foot, {"color": theme.line, "width": 1})
        if narrow:
            _write_row(figure, name, foot)
    if level is not None:
        _draw_level(figure, level, full / top, len(rows), theme)
    return figure.finished()


def bars(
    shares: ArrayLike,
    rows: Mapping[str, str],
    columns: Sequence[str],
    *,
    title: str,
    theme: Theme,
    table: Callable[[], pd.DataFrame] | None = None,
    say: Say = per_cents,
    **look: Any,
) -> Picture:
    """The bars under a `title`, told from the same numbers; `look` is what else `bar_rows` takes."""
    return finished(
        bar_rows(shares, rows, columns, theme=theme, say=say, **look),
        alt=describe_bar_rows(shares, list(rows), columns, title=title, say=say),
        table=table,
        title=title,
    )


def describe_bar_rows(
    shares: ArrayLike, rows: Sequence[str], columns: Sequence[str], *, title: str, say: Say = per_cents
) -> str:
    """The largest bars of every row, for those who cannot see them."""
    names = unique_words(columns)
    told = []
    every = np.asarray(shares, dtype=float)
    for name, values, spoken in zip(rows, every, _spoken(every, say), strict=True):
        largest = [at for at in np.argsort(-values, kind="stable") if values[at] >= 0][:MOST_TOLD]
        listed = ", ".join(f"{names[at]} {spoken[at]}" for at in largest)
        told.append(f"{plain(name)}: {listed or 'no bars'}")
    return f"{title}. The largest bars: {'; '.join(told)}."


def _left(rows: Mapping[str, str]) -> int:
    """Room for the names of the rows."""
    lines = (line for name in rows for line in _lines(name))
    return ceil(max(em_width(shortened(line)) for line in lines) * NAME) + BESIDE + SIDE


def _lines(name: str) -> list[str]:
    """The name of a row, or its words in two lines where one would cut it."""
    words = plain(name).split()
    fit = [n for n in range(1, len(words) + 1) if em_width(" ".join(words[:n])) <= LONGEST_LABEL]
    first = max(fit, default=1)
    return [" ".join(words[:first]), *([" ".join(words[first:])] if first < len(words) else [])]


def _spoken(values: Numbers, say: Say) -> list[list[str]]:
    """Every number in words; shares of all rows have as many decimals."""
    rows = values.tolist()
    return rows_of_per_cents(rows) if say is per_cents else [say(row) for row in rows]


def _written(spoken: Sequence[Sequence[str]], values: Numbers, cell: float) -> tuple[list[list[str]], int]:
    """What stands above the bars, and its type size: all numbers, with the sign where all have room for it.

    Where they have none without it either, the largest of each row says how much its bars are.
    """
    signed = [list(row) for row in spoken]
    bare = [[one.removesuffix(PER_CENT) for one in row] for row in spoken]
    size = _number_size([one for row in signed for one in row], cell)
    if size >= (SMALLEST_NUMBER if signed == bare else SMALLEST_SIGNED):
        return signed, size
    if size := _number_size([one for row in bare for one in row], cell):
        return bare, size
    return list(map(_largest_alone, signed, values)), SMALLEST_SIGNED


def _largest_alone(row: Sequence[str], values: Numbers) -> list[str]:
    largest = np.where(np.isnan(values), -np.inf, values).argmax()
    return [one if at == largest else "" for at, one in enumerate(row)]


def _is_bare(written: Sequence[Sequence[str]], spoken: Sequence[Sequence[str]]) -> bool:
    """Whether numbers stand without their sign."""
    pairs = (pair for rows in zip(written, spoken, strict=True) for pair in zip(*rows, strict=True))
    return any(one and one != said for one, said in pairs)


def _grid(columns: Sequence[str], room: float) -> Grid:
    """The columns at the narrowest: their width, and the room that slanted words need."""
    n, widths = max(len(columns), FEWEST_COLUMNS), word_widths(columns)
    return Grid(query_widths=(0,), key_widths=widths, cell=(room - SIDE) / n)


def _right(grid: Grid, level: Level | None) -> float:
    """Room for slanted words beyond the last column, which is not theirs if they are few, and for a level."""
    name = 0.0 if level is None else em_width(level[1]) * LARGEST_NUMBER + SIDE
    return max(SIDE, grid.right - max(0, FEWEST_COLUMNS - grid.n_keys) * grid.cell, name)


def _column_axis(columns: Sequence[str], grid: Grid, chosen: int | None, theme: Theme) -> dict[str, Any]:
    axis = key_axis(columns, grid, selected=chosen, colour=theme.selection)
    return {**axis, "range": (-0.5, max(len(columns), FEWEST_COLUMNS) - 0.5)}


def _row_axis(named: Sequence[str], n: int, full: float) -> dict[str, Any]:
    """The names of the rows beside their bars; a row is 1 high, and the first one of `n` is on top."""
    middles = [n - 1 - at + full / 2 for at in range(len(named))]
    look = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": "", "visible": True}
    texts = ["<br>".join(map(label, _lines(name))) for name in named]
    names = {"tickvals": middles, "ticktext": texts, "tickfont": {"size": NAME}}
    return {**look, **names, "ticklabelstandoff": BESIDE, "range": (0, n)}


def _write_row(figure: Sketch, name: str, foot: int) -> None:
    """The name of a row above its bars."""
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": foot + 1, "yanchor": "top"}
    text = label(name, longest=LONGEST_ROW)
    figure.add_annotation(text=text, showarrow=False, borderpad=2, font={"size": NAME}, **place)


def _write_unit(figure: Sketch, above: float, theme: Theme, *, narrow: bool) -> None:
    """What the numbers are of: above the names of the rows, and in a narrow figure in its upper corner."""
    place: dict[str, Any] = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -BESIDE, "yshift": 0}
    if narrow:
        place |= {"xanchor": "left", "xshift": 0, "yshift": above - 1.5 * LARGEST_NUMBER}
    place |= {"y": 1, "yref": "paper", "yanchor": "bottom"}
    font = {"size": LARGEST_NUMBER, "color": theme.muted}
    figure.add_annotation(text=UNIT, showarrow=False, borderpad=0, font=font, **place)


def _places(row: int, n: int) -> list[tuple[int, int]]:
    """Row and column of every bar; as a list, for of an array's rows the browser would hand on objects."""
    return [(row, column) for column in range(n)]


def _bars(
    heights: Numbers,
    foot: int,
    name: str,
    columns: Sequence[str],
    *,
    said: Sequence[str],
    written: Sequence[str],
    size: int,
) -> Trace:
    """The bars of a row, which begins at `foot`."""
    names = [literal(column) for column in unique_words(columns)]
    return trace_of(
        "bar",
        x=np.arange(len(columns)),
        y=heights,
        base=[float(foot)] * len(columns),
        width=THICKNESS,
        text=list(written),
        textposition="outside",
        textfont={"size": size},
        textangle=0,
        constraintext="none",
        cliponaxis=False,
        hovertext=[
            f"{label(name, longest=LONGEST_ROW)}, {word}: {one}"
            for word, one in zip(names, said, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _beside_level(heights: Numbers, level: float, line: float) -> list[str]:
    """Where numbers stand, which are a `line` of a row high: inside a bar where a level would strike one out.

    A bar has to be higher than the number, else that stays above.
    """
    gap = np.asarray(level - heights)
    struck = (gap > 0) & (gap < NUMBER_LINE * line) & (heights > NUMBER_LINE * line)
    return ["inside" if one else "outside" for one in struck.tolist()]


def _number_size(written: Sequence[str], cell: float) -> int:
    """Pixels of type at which every number fits its column; 0 where they would be too small to read."""
    size = int(min(LARGEST_NUMBER, cell / max(1.0, *map(em_width, written))))
    return size if size >= SMALLEST_NUMBER else 0


def _line(figure: Sketch, at: float, look: dict[str, Any]) -> None:
    figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=at, y1=at, layer="below", line=look)


def _draw_level(figure: Sketch, level: Level, unit: float, n_rows: int, theme: Theme) -> None:
    """A line across every row at the same share, named beside the first; a `unit` of shares is so high."""
    share, name = level
    height = unit * share
    for foot in range(n_rows):
        _line(figure, foot + height, {"color": theme.muted, "width": 2, "dash": "dot"})
    place = {"x": 1, "xref": "paper", "xanchor": "left", "y": n_rows - 1 + height, "yanchor": "middle"}
    font = {"size": LARGEST_NUMBER, "color": theme.muted}
    figure.add_annotation(text=label(name), showarrow=False, borderpad=2, font=font, **place)
