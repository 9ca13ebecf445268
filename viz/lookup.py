"""A store of keys and values: the share of each value in a query's result, and the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import MARGIN, Canvas, Rect, canvas
from viz.layout.figure import Figure
from viz.layout.rows import BESIDE, Lines, fit_lines, inked_digits, name_axis
from viz.layout.scale import Numbers, signed_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain, unique_words
from words import counted, enumerated, per_cent

TITLE, HEAD, NAMES, BREAK = 15, 30, 20, 0.5
"""Type size of a title, height of its line and of the names of dimensions, and rows before the results."""

MOST_KEYS, MOST_DIMENSIONS = 12, 12
"""Greatest numbers of keys drawn, those with the largest weights, and of dimensions; sums run over all."""

LARGEST_CELL, BETWEEN, BARS = 64, 10, 0.3
"""Pixels of the widest cell and before cells, and the least share of the width for bars."""

DECIMALS = 2
"""Decimals that show an output approach the value of the best key."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftLookup(Picture):
    """A row for each key with its weight as a bar and its value as cells, and below them the `results`.

    `weights` are (key,), `values` (key, dimension) and every result (dimension,); all cells share one scale.
    The `best` keys are marked. `dimensions` names the dimensions of the values, if they have names. Only as
    many dimensions are drawn as have room. The table has a row for each key: its weight and its whole value.
    """

    weights: ArrayLike
    values: ArrayLike
    words: Sequence[str]
    results: Mapping[str, ArrayLike]
    temperature: str
    best: Sequence[int] = ()
    dimensions: Sequence[str] = ()

    def draw(self, room: Room) -> Figure:
        theme, shares = room.theme, np.asarray(self.weights, dtype=float)
        values, results = (np.asarray(one, dtype=float) for one in (self.values, list(self.results.values())))
        keys = drawn_keys(shares)
        names, n_keys = [*(self.words[at] for at in keys), *self.results], len(keys)
        best = [at in self.best for at in keys] + [False] * len(results)
        apart = [BREAK * (at == n_keys) for at in range(len(names))]
        head = HEAD + NAMES * bool(self.dimensions)
        lines = fit_lines(names, best, apart, room, head + MARGIN)
        bars, cells, n = _boxes(lines, room.width, head, values.shape[1])
        drawn = canvas(room.width, bars.bottom + MARGIN, theme)
        (along, upwards), (across, _) = drawn.domains(bars, 0), drawn.domains(cells, 0)
        dimensions = list(map(label, self.dimensions))[:n]
        layout, ticks = drawn.layout, list(range(len(dimensions)))
        named = {"visible": bool(dimensions), "tickvals": ticks, "ticktext": dimensions}
        layout["xaxis"] |= {"range": (0, 1), "domain": along}
        layout["yaxis"] = lines.axis(theme) | {"domain": upwards, "ticklabelstandoff": BESIDE}
        layout["xaxis2"] = name_axis(lines.number_size) | named
        layout["xaxis2"] |= {"side": "top", "range": (-0.5, n - 0.5), "domain": across, "anchor": "y"}
        weights = np.append(shares[keys], np.full(len(results), np.nan))
        texts = lines.inked([*(f"{share:.2f}" for share in shares[keys]), *("" for _ in results)], theme)
        hover = "weight of %{y}: %{x:.4f}<extra></extra>"
        drawn.add_trace(lines.bars(weights, {"color": theme.query}, text=texts, hovertemplate=hover))
        scale = replace(signed_scale(np.vstack([values[keys], results])[:, :n], theme), decimals=DECIMALS)
        for rows, first in ((values[keys, :n], 0), (results[:, :n], n_keys)):
            text = inked_digits(rows, scale, theme).tolist()
            look = {"text": text, "texttemplate": "%{text}", "textfont": {"size": lines.number_size}}
            look |= {"y0": lines.places[first], "dy": 1, "xaxis": "x2"}
            look |= {"xgap": 2, "ygap": 2, "showscale": False}
            hover = "%{y}: %{z:.4f}<extra></extra>"
            drawn.add_trace(scale.heatmap(rows, hovertemplate=hover, **look))
        edge = n_keys - 0.5 + BREAK / 2
        line = {"x0": 0, "x1": 1, "xref": "paper", "y0": edge, "y1": edge}
        drawn.shape(type="line", line={"color": theme.muted, "width": 1}, **line)
        _write_titles(drawn, bars.left, cells.left, n, values.shape[1])
        return drawn.finished()

    def alt(self) -> str:
        shares, names = np.asarray(self.weights, dtype=float), unique_words(self.words)
        details = [f"{names[at]} {per_cent(shares[at])}" for at in np.argsort(-shares, kind="stable")[:3]]
        return (
            f"A store of {counted(len(names), 'key')} at temperature {plain(self.temperature)}. Largest "
            f"weights: {', '.join(details)}. Below the values of the keys: {enumerated(list(self.results))}."
        )

    def table(self) -> pd.DataFrame:
        cells = np.asarray(self.values)
        names = self.dimensions or [f"v {at}" for at in range(1, cells.shape[1] + 1)]
        columns = dict(zip(names, cells.T, strict=True))
        index = pd.Index(unique_words(self.words), name="key")
        return pd.DataFrame({"weight": np.asarray(self.weights), **columns}, index=index)


def drawn_keys(weights: Numbers) -> list[int]:
    """Return the positions of the drawn keys, in the order of the sentence."""
    return sorted(np.argsort(-weights, kind="stable")[:MOST_KEYS].tolist())


def _boxes(lines: Lines, width: float, top: float, n_dimensions: int) -> tuple[Rect, Rect, int]:
    """Return the boxes of bars and of cells, and the number of dimensions with cells."""
    inner = width - lines.width - MARGIN
    number = em_width("1.00") * lines.number_size + BESIDE + BETWEEN
    room = inner * (1 - BARS) - number
    n = min(n_dimensions, MOST_DIMENSIONS, max(1, int(room // (em_width("−1.00") * lines.number_size))))
    taken = n * min(LARGEST_CELL, max(1.0, room / n))
    bars = Rect(lines.width, top, inner - taken - number, lines.height)
    return bars, Rect(width - MARGIN - taken, top, taken, lines.height), n


def _write_titles(drawn: Canvas, weights: float, cells: float, n: int, n_dimensions: int) -> None:
    """Write the longest titles that fit above bars and cells."""
    part = f", {n} of {counted(n_dimensions, 'dimension')}" if n < n_dimensions else ""
    values = f"value of the key{part}", f"value{part}", f"value, {n} of {n_dimensions}" if part else "value"
    above = ((weights, cells, ("attention weight", "weight")), (cells, drawn.width, values))
    for (left, end, texts), colour in zip(above, (drawn.theme.query, drawn.theme.value), strict=True):
        text = next((one for one in texts if em_width(one) * TITLE <= end - left), texts[-1])
        drawn.note(text, left, 4, "left top", size=TITLE, colour=colour)
