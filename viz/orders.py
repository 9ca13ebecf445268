"""One word in two orders: its weights and its output, one order above the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout import cells
from viz.layout.canvas import LEGEND, MARGIN, Canvas, Rect, canvas
from viz.layout.cells import Matrix
from viz.layout.figure import Figure
from viz.layout.grid import TITLE_SIZE, Grid, key_axis, legible, word_widths
from viz.layout.rows import BESIDE, name_axis, row_height
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, fitting_size, label, shortened, unique_words
from words import counted, distance

ROWS = ("first order", "second order")

FEWEST_COLUMNS, ROW, LEAST_ROW = 6, 32, 20
"""Least number of words that share the width, and usual and least height of a row in pixels."""

TITLE_LINE, TITLE, SMALLEST_TITLE, NAME, LONGEST_WORD = 36, 16, 12, 14, 5
"""Height of a title, its largest and smallest type; type of names, and em of a word in a title."""

BETWEEN, BAR = 8, 80
"""Pixels between the two strips, and of a colour bar, which is at the end of a title."""

WEIGHT, BESIDE_BAR = "weight", 24
"""Meaning of the colours of weights, and pixels from there to the bar, whose end has a number."""

Pair = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True, kw_only=True, eq=False)
class Orders(Picture):
    """The weights of a word on every word, and its output vector, in the first and the second order.

    `weights` are a pair of (key) vectors and `output` a pair of (d_model) vectors, both re-aligned to the
    words of the first order. The weights run from 0 to 1, the output on a separate symmetric scale.
    """

    weights: Pair
    output: Pair
    words: Sequence[str]
    chosen: int

    def draw(self, room: Room) -> Figure:
        theme, n_dimensions = room.theme, np.size(self.output[0])
        dimensions = [str(at) for at in range(n_dimensions)]
        weights = cells.weights(np.stack(self.weights), ROWS, theme, keys=self.words)
        output = cells.real_numbers(np.stack(self.output), ROWS, theme, keys=dimensions)
        left = max(map(em_width, ROWS)) * NAME + 2 * BESIDE
        grid = self._grid(room, room.width - left)
        first, between = TITLE_LINE + grid.above - TITLE_SIZE, BETWEEN + TITLE_LINE
        around = first + between + MARGIN
        row = row_height(room, 2 * len(ROWS), around=around, usual=ROW, least=LEAST_ROW)
        upper = Rect(left, first, len(self.words) * grid.cell, len(ROWS) * row)
        lower = Rect(left, upper.bottom + between, room.width - left - MARGIN, len(ROWS) * row)
        drawn = canvas(room.width, lower.bottom + MARGIN, theme)
        word = shortened(self.words[self.chosen], longest=LONGEST_WORD)
        digits = weights.digits_size(grid)
        _draw(drawn, weights, upper, 1, "key", digits)
        _draw(drawn, output, lower, 2, "dimension", 0)
        _write_title(drawn, f"attention weights of {word}", 4, "" if digits else WEIGHT)
        measure = counted(n_dimensions, "dimension")
        _write_title(drawn, f"output of {word}", upper.bottom + BETWEEN + 4, measure)
        chosen = None if room.is_printed else self.chosen
        named = key_axis(self.words, grid, selected=chosen, colour=theme.query)
        drawn.layout["xaxis"] |= {name: one for name, one in named.items() if name != "range"}
        return drawn.finished()

    def alt(self) -> str:
        of_weights, of_output = (
            float(np.abs(np.subtract(*pair)).max()) for pair in (self.weights, self.output)
        )
        return (
            f"Attention weights and output of {unique_words(self.words)[self.chosen]} in both orders, lined "
            f"up by word. Largest difference of the weights {distance(of_weights)}, of the output "
            f"{distance(of_output)}."
        )

    def table(self) -> pd.DataFrame:
        first, second = (np.asarray(one) for one in self.weights)
        columns = {ROWS[0]: first, ROWS[1]: second, "difference": second - first}
        return pd.DataFrame(columns, index=pd.Index(unique_words(self.words), name="key"))

    def _grid(self, room: Room, width: float) -> Grid:
        """Return columns of weights with room for the part of the last slanted word beyond them."""
        widths, n = word_widths(self.words), len(self.words)
        cell = max(1.0, (width - MARGIN) / max(n, FEWEST_COLUMNS))
        grid = legible(Grid(query_widths=(0.0,), key_widths=widths, cell=cell), room)
        return replace(grid, cell=max(1.0, min(cell, (width - grid.right) / n)))


def _write_title(drawn: Canvas, text: str, top: float, measure: str) -> None:
    """Write a title, and the quantity of a bar at its end, if there is one."""
    bar = drawn.width - 2 * MARGIN - BAR
    wide = em_width(measure) * LEGEND + BESIDE_BAR if measure else 0.0
    room = bar - MARGIN - wide
    size = fitting_size(text, room, usual=TITLE, smallest=SMALLEST_TITLE)
    drawn.note(label(text, longest=room / size), MARGIN, top, "left top", size=size)
    if measure:
        drawn.legend([measure], bar - wide, top - 3)


def _draw(drawn: Canvas, matrix: Matrix, box: Rect, number: int, column: str, digits: int) -> None:
    """Draw two rows of numbers on the axes of this number, in a frame, with a bar if without digits."""
    name = "" if number == 1 else str(number)
    ends = -0.5, len(matrix.keys) - 0.5
    text = {"text": matrix.printed(drawn.theme), "texttemplate": "%{text}", "textfont": {"size": digits}}
    top = 2 if number == 1 else box.top - TITLE_LINE + 2
    drawn.add_trace(
        matrix.scale.heatmap(
            matrix.values,
            xaxis=f"x{name}",
            yaxis=f"y{name}",
            xgap=2 if digits else 0,
            ygap=2,
            showscale=not digits,
            colorbar=drawn.bar(matrix.scale, drawn.width - 2 * MARGIN - BAR, top, BAR),
            hovertemplate=f"%{{y}}, {column} %{{x}}: %{{z:.4f}}<extra></extra>",
            **(text if digits else {}),
        )
    )
    rows = {"tickvals": tuple(range(len(ROWS))), "ticktext": ROWS, "ticklabelstandoff": BESIDE}
    rows |= {"range": (len(ROWS) - 0.5, -0.5)}
    hidden = {"visible": False, "fixedrange": True, "range": ends}
    drawn.set_axes(box, hidden, name_axis(NAME) | rows, number=name)
    frame = {"type": "rect", "x0": ends[0], "x1": ends[1], "y0": -0.5, "y1": len(ROWS) - 0.5}
    on = {"xref": f"x{name}", "yref": f"y{name}"}
    drawn.shape(**frame, **on, line={"color": drawn.theme.line, "width": 1})
