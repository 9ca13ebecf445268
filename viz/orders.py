"""One word in two orders: its weights and its output, one order above the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import distance
from viz.parts import kinds
from viz.parts.axes import key_axis
from viz.parts.cells import Matrix
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import Grid, word_widths
from viz.parts.scale import Scale
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import named, unique_words
from viz.text import label
from viz.theme import Theme

ROWS = ("first order", "second order")

NARROWEST, FEWEST_COLUMNS = 480, 6
"""The width in pixels that must be enough, and how many words at least share it."""

LEFT, SIDE = 110, 12
ROW, THIN_ROW, BETWEEN, TITLE_LINE, FOOT = 36, 24, 8, 32, 6
"""Heights in pixels: of a row of weights, one of output, the space between, a title, the space below."""

TITLE, NAME, BAR_END = 16, 15, 13
"""Type sizes in pixels: of a title, of the name of a row, of the ends of a colour bar."""

LONGEST_WORD = 5
"""The longest word of a title in em: it shares its line with a colour bar."""

BAR, BAR_THICKNESS = 80, 8
LARGEST_DIGITS, SMALLEST_DIGITS, DIGITS = 15, 11, 1.8
"""Type sizes of a weight in pixels, and its width in em."""

Pair = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True, kw_only=True)
class _Strip:
    """One row of numbers in both orders: a title from `top` pixels on, and the two rows from `rows` on.

    Columns are counted from `first` and called `column` in a hover. `digits` is the type size of the numbers,
    0 where a colour bar takes their place.
    """

    matrix: Matrix
    title: str
    column: str
    first: int
    top: int
    rows: int
    row: int
    digits: int = 0

    @property
    def bottom(self) -> int:
        return self.rows + len(ROWS) * self.row


def orders(weights: Pair, output: Pair, *, words: Sequence[str], chosen: int, theme: Theme) -> Picture:
    """The weights of word `chosen` on every word, and its output vector, in the first and the second order.

    `weights` are a pair of (key) vectors and `output` a pair of (d_model) vectors, both lined up with the
    words of the first order. The weights run from 0 to 1, the output on a symmetric scale of its own.
    The alternative text says how far the orders are apart, and the table has the weights.
    """
    return finished(
        _drawn(weights, output, words, chosen, theme),
        alt=_alt(weights, output, words, chosen),
        table=lambda: _table(weights, words),
        title=f"Attention weights and output of {named(words, chosen)} in both word orders",
    )


@cached_figure
def _drawn(weights: Pair, output: Pair, words: Sequence[str], chosen: int, theme: Theme) -> go.Figure:
    grid = _grid(words)
    word = f'<b><span style="color:{theme.query}">{label(words[chosen], longest=LONGEST_WORD)}</span></b>'
    upper = _weights(weights, words, word, grid, theme)
    lower = _output(output, word, upper.bottom + BETWEEN, theme)
    figure = blank(theme, height=lower.bottom + FOOT)
    figure.update_layout(margin={"l": LEFT, "r": _right(grid), "t": 0, "b": 0})
    figure.layout["xaxis"] = _word_axis(words, grid, theme)
    edges = lower.first - 0.5, lower.first + len(lower.matrix.keys) - 0.5
    figure.layout["xaxis2"] = {"visible": False, "fixedrange": True, "anchor": "y2", "range": edges}
    for number, strip in (("", upper), ("2", lower)):
        _draw(figure, strip, number, theme)
    return figure.finished()


def _alt(weights: Pair, output: Pair, words: Sequence[str], chosen: int) -> str:
    of_weights, of_output = (float(np.abs(np.subtract(*pair)).max()) for pair in (weights, output))
    return (
        f"Attention weights and output of {unique_words(words)[chosen]} in both orders, lined up by word. "
        f"Largest difference of the weights {distance(of_weights)}, of the output {distance(of_output)}."
    )


def _table(weights: Pair, words: Sequence[str]) -> pd.DataFrame:
    """The weights on each word in both orders and their difference."""
    first, second = (np.asarray(one) for one in weights)
    columns = {ROWS[0]: first, ROWS[1]: second, "difference": second - first}
    return pd.DataFrame(columns, index=pd.Index(unique_words(words), name="key"))


def _weights(weights: Pair, words: Sequence[str], word: str, grid: Grid, theme: Theme) -> _Strip:
    return _Strip(
        matrix=kinds.weights(np.stack(weights), ROWS, words, None, theme),
        title=f"attention weights of {word}",
        column="key",
        first=0,
        top=0,
        rows=grid.above,
        row=ROW,
        digits=_digits_size(grid.cell),
    )


def _output(output: Pair, word: str, top: int, theme: Theme) -> _Strip:
    dimensions = [str(at) for at in range(np.size(output[0]))]
    return _Strip(
        matrix=kinds.real_numbers(np.stack(output), ROWS, dimensions, None, theme),
        title=f"output of {word}, {len(dimensions)} dimensions",
        column="dimension",
        first=1,
        top=top,
        rows=top + TITLE_LINE,
        row=THIN_ROW,
    )


def _grid(words: Sequence[str]) -> Grid:
    """The columns of the words at the narrowest: their width, and the room that slanted words need."""
    columns = max(len(words), FEWEST_COLUMNS)
    rows, keys = word_widths(ROWS), word_widths(words)
    rough = Grid(query_widths=rows, key_widths=keys, cell=(NARROWEST - LEFT - SIDE) / columns)
    return replace(rough, cell=(NARROWEST - LEFT - _right(rough)) / columns)


def _right(grid: Grid) -> float:
    """Room for what slanted words reach beyond the last column, which is not theirs if they are few."""
    return max(SIDE, grid.right - max(0, FEWEST_COLUMNS - grid.n_keys) * grid.cell)


def _digits_size(cell: float) -> int:
    """Pixels of type at which a weight fits its cell; 0 where it would be too small to read."""
    size = int(min(LARGEST_DIGITS, (cell - 2) / DIGITS))
    return size if size >= SMALLEST_DIGITS else 0


def _draw(figure: Sketch, strip: _Strip, number: str, theme: Theme) -> None:
    """Draw a strip on the axes of this number, in a thin frame and below its title."""
    height = figure.layout["height"]
    top, rows, bottom = (1 - edge / height for edge in (strip.top, strip.rows, strip.bottom))
    on = {"xref": f"x{number}", "yref": f"y{number}"}
    trace = _cells(strip, top, theme)
    figure.add_trace(trace | {"xaxis": on["xref"], "yaxis": on["yref"]})
    figure.layout[f"yaxis{number}"] = _row_axis((bottom, rows))
    left, right = strip.first - 0.5, strip.first + len(strip.matrix.keys) - 0.5
    frame = {"type": "rect", "x0": left, "x1": right, "y0": -0.5, "y1": len(ROWS) - 0.5}
    figure.add_shape(**frame, **on, line={"color": theme.line, "width": 1})
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": top, "yref": "paper", "yanchor": "top"}
    look = {"showarrow": False, "borderpad": 2, "font": {"size": TITLE}}
    # A title begins above the names of the rows, as a colour bar stands at the end of its line.
    figure.add_annotation(text=strip.title, xshift=SIDE - LEFT, **place, **look)


def _cells(strip: _Strip, top: float, theme: Theme) -> Trace:
    """The numbers of a strip, with digits in their cells or a colour bar at `top`, in paper coordinates."""
    matrix, scale = strip.matrix, strip.matrix.scale
    digits = {"text": matrix.printed(theme), "texttemplate": "%{text}", "textfont": {"size": strip.digits}}
    return trace_of(
        "heatmap",
        z=matrix.values,
        x0=strip.first,
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.colours,
        xgap=2 if strip.digits else 0,
        ygap=2,
        hovertemplate=f"%{{y}}, {strip.column} %{{x}}: %{{z:.4f}}<extra></extra>",
        showscale=not strip.digits,
        colorbar=_bar(scale, top, theme),
        **(digits if strip.digits else {}),
    )


def _bar(scale: Scale, top: float, theme: Theme) -> dict[str, Any]:
    """A slim colour bar at the right end of the title's line."""
    place = {"x": 1, "xanchor": "right", "xpad": 0, "y": top, "yanchor": "top", "ypad": 2}
    form = {"orientation": "h", "lenmode": "pixels", "len": BAR, "thickness": BAR_THICKNESS}
    ends = {"tickvals": (scale.low, scale.high), "ticktext": scale.ends, "tickfont": {"size": BAR_END}}
    return {**place, **form, **ends, "ticks": "", "outlinecolor": theme.line}


def _word_axis(words: Sequence[str], grid: Grid, theme: Theme) -> dict[str, Any]:
    """The words slanted above their columns; few of them leave the columns at the right empty."""
    axis = key_axis(words, grid, selected=None, colour=theme.key)
    return {**axis, "range": (-0.5, max(len(words), FEWEST_COLUMNS) - 0.5), "anchor": "y"}


def _row_axis(domain: tuple[float, float]) -> dict[str, Any]:
    return {
        "domain": domain,
        "range": (len(ROWS) - 0.5, -0.5),
        "tickvals": tuple(range(len(ROWS))),
        "ticktext": ROWS,
        "tickfont": {"size": NAME},
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
    }
