"""One word in two orders: its weights and its output, one order above the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, inf, radians, sin
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout import kinds
from viz.layout.canvas import Box, Canvas, canvas
from viz.layout.cells import Matrix
from viz.layout.figure import Figure
from viz.layout.filling import magnification
from viz.layout.grid import word_widths
from viz.picture import Picture
from viz.room import Room
from viz.tables import unique_words
from viz.text import em_width, label
from words import distance

ROWS = ("first order", "second order")

FEWEST_COLUMNS, NARROWEST = 6, 390
"""How many words at least share the width, and the width that a magnified title needs beside its bar."""

SIDE, STANDOFF = 12, 8
"""At the right, and between the names of rows and their cells; all lengths are units of the drawing."""

ROW, THIN_ROW, BETWEEN, TITLE_LINE, FOOT = 36, 24, 8, 36, 6
"""Height of a row of weights, of one of output, of the space between, of a title, of the space below."""

TITLE, NAME, WORD, SMALLEST = 16, 14, 14, 12
"""Type sizes: of a title, of the name of a row, and of words and weights, usually and at least."""

LONGEST_WORD = 5
"""The longest word of a title in em: it shares its line with a colour bar."""

ANGLE, BAR = 60, 80
LARGEST_DIGITS, DIGITS = 15, 2.0
"""Type size of a weight at most, and its width in em."""

Pair = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True)
class _Columns:
    """The columns of the words in a width: where they begin, how wide each is, and the type of the words."""

    left: float
    column: float
    type_size: int
    above: float

    @property
    def step(self) -> int:
        """Every how many words one is written."""
        return ceil(self.type_size / (self.column * sin(radians(ANGLE))))

    @property
    def digits(self) -> int:
        """The size of type at which a weight fits its cell; 0 where it would be too small to read."""
        size = int(min(LARGEST_DIGITS, (self.column - 2) / DIGITS))
        return size if size >= SMALLEST else 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Orders(Picture):
    """The weights of a word on every word, and its output vector, in the first and the second order.

    `weights` are a pair of (key) vectors and `output` a pair of (d_model) vectors, both lined up with the
    words of the first order. The weights run from 0 to 1, the output on a symmetric scale of its own.
    """

    weights: Pair
    output: Pair
    words: Sequence[str]
    chosen: int

    def draw(self, room: Room) -> Figure:
        times = magnification(room, lambda width: self._height(width, self._columns(room.width)))
        width = room.width / times
        columns = self._columns(width)
        drawn = canvas(room.width, _height(columns) * times, room.theme)
        word = label(self.words[self.chosen], longest=LONGEST_WORD)
        word = f'<b><span style="color:{room.theme.query}">{word}</span></b>'
        dimensions = [str(at) for at in range(np.size(self.output[0]))]
        weights = kinds.weights(np.stack(self.weights), ROWS, self.words, None, room.theme)
        output = kinds.real_numbers(np.stack(self.output), ROWS, dimensions, None, room.theme)
        top = TITLE_LINE + columns.above
        upper = Box(columns.left, top, len(self.words) * columns.column, len(ROWS) * ROW)
        below = upper.bottom + BETWEEN + TITLE_LINE
        lower = Box(columns.left, below, width - columns.left - SIDE, len(ROWS) * THIN_ROW)
        _draw(drawn, weights, upper, "", "key", times, columns.digits)
        _draw(drawn, output, lower, "2", "dimension", times, 0)
        drawn.figure.layout["xaxis"] |= self._word_axis(columns, drawn, times)
        strips = {0.0: f"attention weights of {word}"}
        strips[upper.bottom + BETWEEN] = f"output of {word}, {len(dimensions)} dimensions"
        look = {"xanchor": "left", "yanchor": "top", "font": {"size": TITLE * times}}
        for y, text in strips.items():
            drawn.note(text, SIDE * times, (y + 4) * times, **look)
        for y, matrix, trace in zip(strips, (weights, output), drawn.figure.data, strict=True):
            bar = drawn.bar(matrix.scale, (width - SIDE - BAR) * times, (y + 2) * times, BAR * times)
            trace |= {"showscale": "texttemplate" not in trace, "colorbar": bar}
        return drawn.finished()

    def alt(self) -> str:
        """Describe how far the orders are apart."""
        of_weights, of_output = (
            float(np.abs(np.subtract(*pair)).max()) for pair in (self.weights, self.output)
        )
        return (
            f"Attention weights and output of {unique_words(self.words)[self.chosen]} in both orders, lined "
            f"up by word. Largest difference of the weights {distance(of_weights)}, of the output "
            f"{distance(of_output)}."
        )

    def table(self) -> pd.DataFrame:
        """List the weights on each word in both orders and their difference."""
        first, second = (np.asarray(one) for one in self.weights)
        columns = {ROWS[0]: first, ROWS[1]: second, "difference": second - first}
        return pd.DataFrame(columns, index=pd.Index(unique_words(self.words), name="key"))

    def _columns(self, width: float) -> _Columns:
        """Return the columns in a width, with room for what the last slanted word reaches beyond them."""
        left = ceil(max(map(em_width, ROWS)) * NAME) + STANDOFF
        n, widths = max(len(self.words), FEWEST_COLUMNS), word_widths(self.words)
        size = WORD if (width - left - SIDE) / n * sin(radians(ANGLE)) > WORD + 1 else SMALLEST
        reach = (widths[-1] + 0.5) * size * cos(radians(ANGLE)) + SIDE
        column = min((width - left - SIDE) / n, (width - left - reach) / (len(self.words) - 0.5))
        above = max(widths) * size * sin(radians(ANGLE)) + size * 0.5 + 6
        return _Columns(left, max(1.0, column), size, ceil(above))

    def _height(self, width: float, usual: _Columns) -> float:
        """Return the height for a width; infinite where something of a `usual` drawing has no room."""
        columns = self._columns(width)
        is_told = (columns.digits > 0, columns.step) == (usual.digits > 0, usual.step)
        return _height(columns) if is_told and width >= NARROWEST else inf

    def _word_axis(self, columns: _Columns, drawn: Canvas, times: float) -> dict[str, Any]:
        """Return the words slanted above their columns."""
        written = list(range(0, len(self.words), columns.step))
        return {
            "visible": True,
            "side": "top",
            "tickvals": written,
            "ticktext": [label(self.words[at]) for at in written],
            "tickangle": -ANGLE,
            "tickfont": {"size": columns.type_size * times, "color": drawn.theme.ink},
            "ticklabeloverflow": "allow",
        }


def _height(columns: _Columns) -> float:
    strips = 2 * TITLE_LINE + columns.above + len(ROWS) * (ROW + THIN_ROW)
    return strips + BETWEEN + FOOT


def _draw(
    drawn: Canvas, matrix: Matrix, place: Box, number: str, column: str, times: float, digits: int
) -> None:
    """Draw two rows of numbers on the axes of this number, in a thin frame, with their names beside them."""
    box, scale = Box(*(times * length for length in place)), matrix.scale
    across, upwards = drawn.domains(box, 0)
    quiet = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    text = {
        "text": matrix.printed(drawn.theme),
        "texttemplate": "%{text}",
        "textfont": {"size": digits * times},
    }
    drawn.figure.add_trace(
        scale.heatmap(
            matrix.values,
            xaxis=f"x{number}",
            yaxis=f"y{number}",
            xgap=2 if digits else 0,
            ygap=2,
            hovertemplate=f"%{{y}}, {column} %{{x}}: %{{z:.4f}}<extra></extra>",
            **(text if digits else {}),
        )
    )
    ends = -0.5, len(matrix.keys) - 0.5
    drawn.figure.layout[f"xaxis{number}"] = {
        **quiet,
        "visible": False,
        "domain": across,
        "range": ends,
        "anchor": f"y{number}",
    }
    drawn.figure.layout[f"yaxis{number}"] = {
        **quiet,
        "domain": upwards,
        "range": (len(ROWS) - 0.5, -0.5),
        "anchor": f"x{number}",
        "tickvals": tuple(range(len(ROWS))),
        "ticktext": ROWS,
        "tickfont": {"size": NAME * times},
        "ticklabelstandoff": round(STANDOFF * times) - 3,
    }
    frame = {"type": "rect", "x0": ends[0], "x1": ends[1], "y0": -0.5, "y1": len(ROWS) - 0.5}
    on = {"xref": f"x{number}", "yref": f"y{number}"}
    drawn.shape(**frame, **on, line={"color": drawn.theme.line, "width": 1})
