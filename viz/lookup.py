"""A store of keys and values: how much of each value a query takes, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import Box, Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.filling import magnification, tallest
from viz.layout.kinds import real_numbers
from viz.layout.sketch import Trace, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import unique_words
from viz.text import em_width, label, plain, shortened
from viz.theme import Theme
from words import counted, per_cent

ROW, LOWEST_ROW, HEAD, FOOT, NAMES = 30, 17, 30, 8, 20
"""Height of a row, usually and at least, of the line with the titles, below the last row, and of the names of
dimensions. All lengths are units of the drawing."""

NAME, NUMBER, TITLE = 15, 13, 15
"""Type sizes."""

MOST_KEYS, MOST_DIMENSIONS = 12, 12
"""Most keys, those with the largest weights, and dimensions that are drawn; sums run over all."""

CELL, LARGEST_CELL, BESIDE, RIGHT = 36, 64, 12, 8
"""Width of a cell with its number, at least and at most, beside names and cells, and right of the cells."""

DECIMALS = 2
"""Decimals enough to see an output approach the value of the best key."""

BARS, BAR_NUMBER, BETWEEN = 0.32, 34, 14
"""The share of the width that bars have at least, the room for the number of one, and from there to cells."""

Numbers = NDArray[np.floating]


@dataclass(frozen=True)
class _Places:
    """The name of a row ends at `left`; bars begin there, and cells of `n_drawn` dimensions further right."""

    left: float
    bars: float
    cells: float
    cell: float
    n_drawn: int


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftLookup(Picture):
    """A row for each key with its weight as a bar and its value as cells, and below them the `results`.

    `weights` are (key,), `values` (key, dimension) and every result (dimension,); all cells share one
    scale. The `best` keys are named bold. `dimensions` names the dimensions of the values, if they have
    names. Of many dimensions those are drawn that have room. The table has a row for each key: its weight and
    its whole value.
    """

    weights: ArrayLike
    values: ArrayLike
    words: Sequence[str]
    results: Mapping[str, ArrayLike]
    temperature: str
    best: Sequence[int] = ()
    dimensions: Sequence[str] = ()

    def draw(self, room: Room) -> Figure:
        shares, cells = np.asarray(self.weights, dtype=float), np.asarray(self.values, dtype=float)
        keys = drawn_keys(shares)
        places = [*range(len(keys)), *(len(keys) + 0.5 + at for at in range(len(self.results)))]
        head, n_rows = HEAD + (NAMES if self.dimensions else 0), places[-1] + 1
        usual, height = self._places(room.width), head + n_rows * ROW + FOOT
        times = magnification(
            room, lambda width: height if self._places(width).n_drawn >= usual.n_drawn else inf
        )
        width = room.width / times
        across = self._places(width)
        row = ROW if not room.fills else max(LOWEST_ROW, (tallest(room) / times - head - FOOT) / n_rows)
        row = min(row, 1.5 * ROW)
        drawn = canvas(room.width, (head + n_rows * row + FOOT) * times, room.theme)
        names = [_bold(label(self.words[at]), at in self.best) for at in keys] + list(
            map(label, self.results)
        )
        below = np.array([np.asarray(result, dtype=float) for result in self.results.values()])
        numbers = np.vstack([cells[keys], below])[:, : across.n_drawn]
        bars, boxes = (
            Box(left * times, head * times, right * times, n_rows * row * times)
            for left, right in ((across.left, across.bars), (across.cells, across.n_drawn * across.cell))
        )
        size = {name: times * min(usual, row * 0.8) for name, usual in (("name", NAME), ("number", NUMBER))}
        _set_axes(drawn, bars, boxes, places, names, size["name"], across.n_drawn)
        if self.dimensions:
            drawn.figure.layout["xaxis2"] |= {
                "visible": True,
                "side": "top",
                "tickfont": {"size": NUMBER * times},
                "tickvals": list(range(across.n_drawn)),
                "ticktext": [label(one) for one in self.dimensions[: across.n_drawn]],
            }
        drawn.figure.add_trace(
            _bars(shares[keys], [self.words[at] for at in keys], room.theme, size["number"])
        )
        said = [*(self.words[at] for at in keys), *self.results]
        for trace in _cells(numbers, places, said, room.theme, size["number"]):
            drawn.figure.add_trace(trace)
        edge = len(keys) - 0.25
        line = {"x0": 0, "x1": 1, "xref": "paper", "y0": edge, "y1": edge}
        drawn.shape(type="line", line={"color": room.theme.muted, "width": 1}, **line)
        self._write_titles(drawn, across, times, len(cells[0]))
        return drawn.finished()

    def alt(self) -> str:
        """Describe the keys that get most."""
        shares, names = np.asarray(self.weights, dtype=float), unique_words(self.words)
        told = [f"{names[at]} {per_cent(shares[at])}" for at in np.argsort(-shares, kind="stable")[:3]]
        return (
            f"A store of {counted(len(names), 'key')} at temperature {plain(self.temperature)}. Largest "
            f"weights: {', '.join(told)}. Below the values of the keys: the output, the best value and their "
            "mean."
        )

    def table(self) -> pd.DataFrame:
        cells = np.asarray(self.values)
        names = self.dimensions or [f"v {at}" for at in range(1, cells.shape[1] + 1)]
        columns = dict(zip(names, cells.T, strict=True))
        index = pd.Index(unique_words(self.words), name="key")
        return pd.DataFrame({"weight": np.asarray(self.weights), **columns}, index=index)

    def _places(self, width: float) -> _Places:
        """Return where bars and cells stand: the cells have what the bars leave, if they need it."""
        names = [*self.words, *self.results]
        left = ceil(max(em_width(shortened(name)) for name in names) * NAME) + BESIDE
        inner = width - left - RIGHT
        room = inner * (1 - BARS) - BAR_NUMBER - BETWEEN
        n = min(np.shape(self.values)[1], MOST_DIMENSIONS, max(1, int(room // CELL)))
        cell = min(LARGEST_CELL, max(1.0, room / n))
        cells = left + inner - n * cell
        return _Places(left, cells - BETWEEN - BAR_NUMBER - left, cells, cell, n)

    def _write_titles(self, drawn: Canvas, across: _Places, times: float, n_dimensions: int) -> None:
        n = across.n_drawn
        part = f", {n} of {counted(n_dimensions, 'dimension')}" if n < n_dimensions else ""
        weight, theme = "attention weight", drawn.theme
        if em_width(weight) * TITLE > across.cells - across.left:
            weight = "weight"
        room = drawn.width / times - across.cells
        values = (
            f"value of the key{part}",
            f"value{part}",
            f"value, {n} of {n_dimensions}" if part else "value",
        )
        value = next((one for one in values if em_width(one) * TITLE <= room), values[-1])
        for x, text, colour in ((across.left, weight, theme.query), (across.cells, value, theme.value)):
            font = {"size": TITLE * times, "color": colour}
            drawn.note(text, x * times, 4 * times, xanchor="left", yanchor="top", font=font)


def drawn_keys(weights: Numbers) -> list[int]:
    """Positions of the keys that are drawn, in the order of the sentence."""
    return sorted(np.argsort(-weights, kind="stable")[:MOST_KEYS].tolist())


def _set_axes(
    drawn: Canvas, bars: Box, cells: Box, places: Sequence[float], names: Sequence[str], size: float, n: int
) -> None:
    """A name for each row; a scale from 0 to 1 for the bars, and a place for each of `n` dimensions."""
    quiet: dict[str, Any] = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    across, upwards = drawn.domains(bars, 0)
    layout = drawn.figure.layout
    rows = {"range": (places[-1] + 0.5, -0.5), "tickvals": list(places), "ticktext": list(names)}
    beside = {"visible": True, "tickfont": {"size": size}, "ticklabelstandoff": 5}
    layout["yaxis"] = {**quiet, **rows, **beside, "domain": upwards}
    layout["xaxis"] = {**quiet, "visible": False, "range": (0, 1), "domain": across}
    domain = drawn.domains(cells, 0)[0]
    layout["xaxis2"] = {**quiet, "visible": False, "range": (-0.5, n - 0.5), "domain": domain, "anchor": "y"}


def _bars(shares: Numbers, words: Sequence[str], theme: Theme, size: float) -> Trace:
    return trace_of(
        "bar",
        x=shares,
        y=list(range(len(shares))),
        orientation="h",
        width=0.62,
        marker={"color": theme.query},
        text=[f"{share:.2f}" for share in shares],
        textposition="outside",
        textfont={"size": size, "color": theme.ink},
        cliponaxis=False,
        hovertext=[
            f"weight of {label(word)}: {share:.4f}" for word, share in zip(words, shares, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _cells(
    rows: Numbers, places: Sequence[float], names: Sequence[str], theme: Theme, size: float
) -> list[Trace]:
    """A strip of cells for each row, as the rows do not stand evenly; all on one scale."""
    dimensions = [str(at + 1) for at in range(rows.shape[1])]
    matrix = real_numbers(rows, names, dimensions, None, theme)
    scale = replace(matrix.scale, decimals=DECIMALS)
    printed = replace(matrix, scale=scale).printed(theme)
    return [
        scale.heatmap(
            matrix.values[at : at + 1],
            y=[place],
            dy=1,
            showscale=False,
            xaxis="x2",
            xgap=2,
            ygap=2,
            text=[printed[at]],
            texttemplate="%{text}",
            textfont={"size": size},
            hovertemplate=f"{label(names[at])}: %{{z:.4f}}<extra></extra>",
        )
        for at, place in enumerate(places)
    ]


def _bold(text: str, is_bold: bool) -> str:
    return f"<b>{text}</b>" if is_bold else text
