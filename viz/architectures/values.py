"""What a part computed: vectors of words with their norms, and the weights of queries for keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import BAR, Box, Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.filling import tallest
from viz.layout.scale import Numbers, Scale, signed_scale
from viz.layout.sketch import Trace, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import unique_words
from viz.text import em_width, label, literal, plain, shortened
from viz.theme import Theme
from words import counted, magnitude

ROWS, HIGHEST, LARGEST_ROW, SMALLEST_ROW = 260, 800, 24, 3
"""Pixels of all words on a page, of all where they are many, and of one word at most and at least."""

TYPE = 14
"""Pixels of the type of words, titles and norms; less where rows stand close."""

TOP, BOTTOM, LEFT, RIGHT = 28, 40, 12, 6
"""Pixels above the rows for titles, below them for the colour bar, beside the words, and at the right."""

ROW_WITH_GAP = 8
"""Pixels of a row from which on rows stand apart."""

MOST_SPOKEN = 4096
"""Most numbers that have the name of their word beside them: each costs the browser a copy of it."""

ROOM_FOR_NUMBER = 1.5
"""How much longer than the longest bar the room for it is: its number stands at its end."""

NORMS, BETWEEN = 0.25, 18
"""The share of the width that the bars of norms have, and pixels between them and the matrix."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Vectors(Picture):
    """A row for each word with the numbers of its vector as colours, and its norm as a bar beside them.

    The title says what these vectors are. The table has the norm first.
    """

    values: ArrayLike
    words: Sequence[str]

    def draw(self, room: Room) -> Figure:
        matrix, words = np.asarray(self.values, dtype=np.float32), self.words
        n = len(matrix)
        usual = max(min(LARGEST_ROW, ROWS // n), ceil(room.smallest_type))
        highest = tallest(room) - TOP - BOTTOM if room.fills or room.is_printed else HIGHEST
        row = max(SMALLEST_ROW, int(highest // n if room.fills else min(usual, highest // n)))
        drawn = canvas(room.width, TOP + row * n + BOTTOM, room.theme)
        size = max(room.smallest_type, min(TYPE, row / 1.15))
        left = ceil(max(em_width(shortened(word)) for word in words) * size) + LEFT
        inner = room.width - left - RIGHT
        cells = Box(left, TOP, (1 - NORMS) * inner - BETWEEN, row * n)
        bars = Box(cells.right + BETWEEN, TOP, NORMS * inner, row * n)
        scale = signed_scale(matrix, room.theme)
        norms = np.linalg.norm(matrix, axis=1)
        _set_axes(drawn, words, cells, bars, size, float(norms.max()) or 1.0, matrix.shape[1])
        bar = drawn.bar(scale, cells.left, cells.bottom + 8, min(cells.width, BAR))
        drawn.figure.add_trace(_numbers(matrix, words, row, scale, bar))
        drawn.figure.add_trace(_norms(norms, words, row, size, room.theme))
        look = {"xanchor": "left", "yanchor": "bottom", "font": {"size": TYPE, "color": room.theme.muted}}
        drawn.note(f"{matrix.shape[1]} numbers of each word", cells.left, TOP - 4, **look)
        drawn.note("norm", bars.left, TOP - 4, **look)
        look["yanchor"] = "top"
        drawn.note(f"mean {magnitude(float(norms.mean()))}", bars.left, cells.bottom + 8, **look)
        return drawn.finished()

    def alt(self) -> str:
        """Say how many numbers there are, and the smallest and the largest norm."""
        matrix = np.asarray(self.values, dtype=float)
        norms, names = np.linalg.norm(matrix, axis=1), unique_words(self.words)
        low, high = int(norms.argmin()), int(norms.argmax())
        return (
            f"{plain(self.title)}: {counted(matrix.shape[1], 'number')} for each of "
            f"{counted(len(names), 'position')}. "
            f"Norms from {magnitude(norms[low])} ({names[low]}) to {magnitude(norms[high])} ({names[high]})."
        )

    def table(self) -> pd.DataFrame:
        values = np.asarray(self.values)
        table = pd.DataFrame(values, index=pd.Index(unique_words(self.words), name="word"))
        table.columns = [f"{at}" for at in range(1, values.shape[1] + 1)]
        table.insert(0, "norm", np.linalg.norm(values, axis=1))
        return table


def _set_axes(
    drawn: Canvas,
    words: Sequence[str],
    cells: Box,
    bars: Box,
    size: float,
    longest: float,
    width: int,
) -> None:
    """The words downwards, each written where there is room; `width` numbers, then norms up to `longest`."""
    written = list(range(0, len(words), ceil(size / (cells.height / len(words)))))
    names = {
        "tickvals": written,
        "ticktext": [label(words[at]) for at in written],
        "tickfont": {"size": size},
    }
    quiet = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    across, upwards = drawn.domains(cells, 0)
    layout = drawn.figure.layout
    layout["yaxis"] = {**quiet, **names, "range": (len(words) - 0.5, -0.5), "domain": upwards}
    layout["xaxis"] = {**quiet, "visible": False, "domain": across, "range": (-0.5, width - 0.5)}
    beside, room = drawn.domains(bars, 0)[0], ROOM_FOR_NUMBER * longest
    layout["xaxis2"] = {**quiet, "visible": False, "domain": beside, "range": (0, room), "anchor": "y"}


def _numbers(matrix: Numbers, words: Sequence[str], row: int, scale: Scale, bar: dict[str, Any]) -> Trace:
    """The numbers as colours; the pointer says which word they are of unless that were too many names."""
    is_spoken = matrix.size <= MOST_SPOKEN
    spoken = [[literal(word)] * matrix.shape[1] for word in unique_words(words)] if is_spoken else None
    return scale.heatmap(
        matrix,
        colorbar=bar,
        ygap=1 if row >= ROW_WITH_GAP else 0,
        customdata=spoken,
        hovertemplate=("%{customdata}, " if is_spoken else "") + "dimension %{x}: %{z:.3f}<extra></extra>",
    )


def _norms(norms: Numbers, words: Sequence[str], row: int, size: float, theme: Theme) -> Trace:
    """A bar for each word, with its norm beside it where rows are high enough to write."""
    spoken = [literal(word) for word in unique_words(words)]
    return trace_of(
        "bar",
        x=norms,
        y=np.arange(len(norms)),
        orientation="h",
        width=0.7,
        xaxis="x2",
        marker={"color": theme.muted},
        text=[magnitude(float(norm)) for norm in norms] if row >= size else None,
        textposition="outside",
        textfont={"size": size, "color": theme.ink},
        cliponaxis=False,
        hovertext=[f"norm of {word}: {norm:.3f}" for word, norm in zip(spoken, norms, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )
