"""A store of keys and values: how much of each value a query takes, and what comes of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from core.words import counted, per_cent
from viz.parts.figure_cache import cached_figure
from viz.parts.kinds import real_numbers
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import unique_words
from viz.text import em_width, label, plain, shortened
from viz.theme import Theme

ROW, HEAD, FOOT, NAMES = 30, 30, 8, 20
"""Heights in pixels: of a row, of the line with the titles, below the last row, and of named dimensions."""

NAME, NUMBER, TITLE = 15, 13, 15
"""Type sizes in pixels."""

MOST_KEYS, MOST_DIMENSIONS = 12, 6
"""Most keys, those with the largest weights, and dimensions that are drawn; sums run over all."""

SIZE, CELL, BESIDE, RIGHT = 480, 32, 26, 8
"""Pixels: the usual width, that of a cell with its number, beside names and cells, and right of the cells."""

DECIMALS = 2
"""Decimals enough to see an output approach the value of the best key."""

BARS = (0.0, 0.32)
BAR_NUMBER = 34
VALUES = (0.41, 1.0)
"""The shares of the width that bars and values take, and the pixels between them for the number of a bar."""

Numbers = NDArray[np.floating]


def lookup(
    weights: ArrayLike,
    values: ArrayLike,
    words: Sequence[str],
    results: Mapping[str, ArrayLike],
    *,
    query: str,
    temperature: str,
    theme: Theme,
    best: Sequence[int] = (),
    dimensions: Sequence[str] = (),
    size: int = SIZE,
) -> Picture:
    """A row for each key with its weight as a bar and its value as cells, and below them the `results`.

    `weights` are (key,), `values` (key, dimension) and every result (dimension,); all cells share one
    scale. The `best` keys are named bold, and `query` is what a title calls the word that looks them up.
    `dimensions` names the dimensions of the values, if they have names. The table has a row for each key: its
    weight and its whole value. Of many dimensions those are drawn that have room in `size` pixels of width.
    """
    return finished(
        _lookup(weights, values, words, results, theme=theme, best=best, dimensions=dimensions, size=size),
        alt=_alt(weights, words, temperature=temperature),
        table=lambda: _table(weights, values, words, dimensions),
        title=f"Soft look-up for {query} at temperature {plain(temperature)}",
    )


@cached_figure
def _lookup(
    weights: ArrayLike,
    values: ArrayLike,
    words: Sequence[str],
    results: Mapping[str, ArrayLike],
    *,
    theme: Theme,
    best: Sequence[int],
    dimensions: Sequence[str],
    size: int,
) -> go.Figure:
    shares, cells = np.asarray(weights, dtype=float), np.asarray(values, dtype=float)
    keys = drawn_keys(shares)
    below = np.array([np.asarray(result, dtype=float) for result in results.values()])
    n_drawn = drawn_dimensions([*words, *results], cells.shape[1], size)
    rows = np.vstack([cells[keys], below])[:, :n_drawn]
    places = [*range(len(keys)), *(len(keys) + 0.5 + at for at in range(len(results)))]
    names = [_bold(label(words[at]), at in best) for at in keys] + [label(name) for name in results]
    figure = _frame(
        places, names, left_of_cells([*words, *results]), theme, dimensions[:n_drawn], n_drawn, size
    )
    figure.add_trace(_bars(shares[keys], [words[at] for at in keys], theme))
    for trace in _cells(rows, places, [*(words[at] for at in keys), *results], theme):
        figure.add_trace(trace)
    edge = len(keys) - 0.25
    across = {"x0": 0, "x1": 1, "xref": "paper", "y0": edge, "y1": edge}
    figure.add_shape(type="line", line={"color": theme.muted, "width": 1}, **across)
    return figure.finished()


def _alt(weights: ArrayLike, words: Sequence[str], *, temperature: str) -> str:
    """The keys that get most."""
    shares, names = np.asarray(weights, dtype=float), unique_words(words)
    told = [f"{names[at]} {per_cent(shares[at])}" for at in np.argsort(-shares, kind="stable")[:3]]
    return (
        f"A store of {counted(len(names), 'key')} at temperature {plain(temperature)}. Largest weights: "
        f"{', '.join(told)}. Below the values of the keys: the output, the best value and their mean."
    )


def _table(
    weights: ArrayLike, values: ArrayLike, words: Sequence[str], dimensions: Sequence[str]
) -> pd.DataFrame:
    cells = np.asarray(values)
    names = dimensions or [f"v {at}" for at in range(1, cells.shape[1] + 1)]
    columns = dict(zip(names, cells.T, strict=True))
    index = pd.Index(unique_words(words), name="key")
    return pd.DataFrame({"weight": np.asarray(weights), **columns}, index=index)


def drawn_keys(weights: Numbers) -> list[int]:
    """Positions of the keys that are drawn, in the order of the sentence."""
    return sorted(np.argsort(-weights, kind="stable")[:MOST_KEYS].tolist())


def left_of_cells(names: Iterable[str]) -> int:
    """Pixels that the names of rows take."""
    return ceil(max(em_width(shortened(name)) for name in names) * NAME) + BESIDE - RIGHT


def drawn_dimensions(names: Iterable[str], n: int, size: int) -> int:
    """Return how many of `n` dimensions are drawn in `size` pixels beside these names of rows."""
    room = (size - left_of_cells(names) - RIGHT) * (VALUES[1] - VALUES[0])
    return min(n, MOST_DIMENSIONS, max(1, int(room // CELL)))


def _frame(
    places: Sequence[float],
    names: Sequence[str],
    left: int,
    theme: Theme,
    dimensions: Sequence[str],
    width: int,
    size: int,
) -> Sketch:
    """An empty figure with a name for each row, and for each dimension that has one, and the titles."""
    head = HEAD + (NAMES if dimensions else 0)
    figure = blank(theme, height=head + ceil((places[-1] + 1) * ROW) + FOOT)
    figure.update_layout(margin={"l": left, "r": RIGHT, "t": head, "b": FOOT})
    end = min(BARS[1], VALUES[0] - BAR_NUMBER / (size - left - RIGHT))
    quiet = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    rows = {"range": (places[-1] + 0.6, -0.6), "tickvals": list(places), "ticktext": list(names)}
    figure.layout["yaxis"] = {
        **quiet,
        **rows,
        "visible": True,
        "tickfont": {"size": NAME},
        "ticklabelstandoff": 5,
    }
    figure.layout["xaxis"] = {**quiet, "visible": False, "range": (0, 1), "domain": (BARS[0], end)}
    figure.layout["xaxis2"] = {**quiet, "visible": False, "range": (-0.5, width - 0.5), "domain": VALUES}
    if dimensions:
        figure.layout["xaxis2"] |= {"visible": True, "side": "top", "tickfont": {"size": NUMBER}}
        figure.layout["xaxis2"] |= {
            "tickvals": list(range(len(dimensions))),
            "ticktext": list(map(label, dimensions)),
        }
    weight, value = "attention weight", "value of the key"
    if em_width(weight) * TITLE > (size - left - RIGHT) * VALUES[0]:
        weight, value = "weight", "value"
    titles = (BARS[0], weight, theme.query), (VALUES[0], value, theme.value)
    for x, text, colour in titles:
        place: dict[str, Any] = {"x": x, "xref": "paper", "y": 1, "yref": "paper", "yanchor": "bottom"}
        place["yshift"] = head - HEAD
        font = {"size": TITLE, "color": colour}
        figure.add_annotation(text=text, showarrow=False, xanchor="left", font=font, **place)
    return figure


def _bars(shares: Numbers, words: Sequence[str], theme: Theme) -> Trace:
    return trace_of(
        "bar",
        x=shares,
        y=list(range(len(shares))),
        orientation="h",
        width=0.62,
        marker={"color": theme.query},
        text=[f"{share:.2f}" for share in shares],
        textposition="outside",
        textfont={"size": NUMBER, "color": theme.ink},
        cliponaxis=False,
        hovertext=[
            f"weight of {label(word)}: {share:.4f}" for word, share in zip(words, shares, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _cells(rows: Numbers, places: Sequence[float], names: Sequence[str], theme: Theme) -> list[Trace]:
    """A strip of cells for each row, as the rows do not stand evenly; all on one scale."""
    dimensions = [str(at + 1) for at in range(rows.shape[1])]
    matrix = real_numbers(rows, names, dimensions, None, theme)
    scale = replace(matrix.scale, decimals=DECIMALS)
    printed = replace(matrix, scale=scale).printed(theme)
    return [
        trace_of(
            "heatmap",
            z=matrix.values[at : at + 1],
            y=[place],
            dy=1,
            zmin=scale.low,
            zmax=scale.high,
            colorscale=scale.colours,
            showscale=False,
            xaxis="x2",
            xgap=2,
            ygap=2,
            text=[printed[at]],
            texttemplate="%{text}",
            textfont={"size": NUMBER},
            hovertemplate=f"{label(names[at])}: %{{z:.4f}}<extra></extra>",
        )
        for at, place in enumerate(places)
    ]


def _bold(text: str, is_bold: bool) -> str:
    return f"<b>{text}</b>" if is_bold else text
