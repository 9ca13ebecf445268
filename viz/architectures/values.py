"""Results of a part: vectors of words with their lengths, or the weights of queries for keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import BAR, Canvas, Rect, bar_room, canvas
from viz.layout.figure import Figure
from viz.layout.rows import BESIDE, Lines
from viz.layout.scale import signed_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import label, literal, plain, unique_words
from words import counted, each_of, magnitude

ROWS, HIGHEST, LARGEST_ROW, SMALLEST_ROW = 260, 800, 24, 3
"""Heights in pixels: of all words on a page, of very many words, of one word at most and at least."""

TYPE, LINE = 14, 1.15
"""Type of words, titles and norms in pixels, less if rows are close; height of a row in em."""

TOP, BELOW, RIGHT = 28, 8, 6
"""Pixels above the rows for titles, from the rows to the colour bar, and on the right."""

COMPONENT = "number in the vector"
"""Meaning of a colour."""

ROW_WITH_GAP = 8
"""Pixels of a row from which on there are gaps between rows."""

MOST_SPOKEN = 4096
"""Greatest number of values with the name of their word: each costs the browser a copy of it."""

ROOM_FOR_NUMBER = 1.5
"""Room for the longest bar, in its lengths: its number is at its end."""

NORMS, BETWEEN = 0.25, 18
"""Share of the width for the bars of norms, and pixels between them and the matrix."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Vectors(Picture):
    """A row for each word with its vector as colours, and its length as a bar beside them.

    The title names the vectors. The table has the length first.
    """

    values: ArrayLike
    words: Sequence[str]

    def draw(self, room: Room) -> Figure:
        matrix, theme = np.asarray(self.values, dtype=np.float32), room.theme
        n, width = matrix.shape
        usual = max(min(LARGEST_ROW, ROWS // n), ceil(room.smallest_type))
        # The bar is named below it if the cells are narrow, which depends on the type beside them.
        bottom = BELOW + bar_room([COMPONENT], 0)
        highest = room.tallest - TOP - bottom if room.fills or room.is_printed else HIGHEST
        row = max(SMALLEST_ROW, int(highest // n if room.fills else min(usual, highest // n)))
        size, marked = max(room.smallest_type, min(TYPE, row / LINE)), [False] * n
        lines = Lines(
            names=self.words, marked=marked, places=np.arange(n), row=row, type_size=size, number_size=size
        )
        left = ceil(lines.width)
        inner = room.width - left - RIGHT
        bottom = BELOW + bar_room([COMPONENT], (1 - NORMS) * inner - BETWEEN)
        drawn = canvas(room.width, TOP + row * n + bottom, theme)
        cells = Rect(left, TOP, (1 - NORMS) * inner - BETWEEN, row * n)
        bars = Rect(cells.right + BETWEEN, TOP, NORMS * inner, row * n)
        norms = np.linalg.norm(matrix, axis=1)
        self._set_axes(drawn, lines, cells, bars, float(norms.max()) or 1.0)
        spoken = [literal(word) for word in unique_words(self.words)]
        scale, is_spoken = signed_scale(matrix, theme), matrix.size <= MOST_SPOKEN
        heatmap = scale.heatmap(
            matrix,
            colorbar=drawn.bar(scale, cells.left, cells.bottom + BELOW, min(cells.width, BAR)),
            ygap=1 if row >= ROW_WITH_GAP else 0,
            customdata=[[word] * width for word in spoken] if is_spoken else None,
            hovertemplate=("%{customdata}, " if is_spoken else "")
            + "dimension %{x}: %{z:.3f}<extra></extra>",
        )
        drawn.add_trace(heatmap)
        hovers = [f"length of {word}: {norm:.3f}" for word, norm in zip(spoken, norms, strict=True)]
        hover: dict[str, Any] = {"hovertext": hovers, "hovertemplate": "%{hovertext}<extra></extra>"}
        numbers = [magnitude(float(norm)) for norm in norms] if row >= size else None
        drawn.add_trace(lines.bars(norms, {"color": theme.muted}, text=numbers, xaxis="x2", **hover))
        look: dict[str, Any] = {"size": TYPE, "colour": theme.muted}
        drawn.note(f"{width} dimensions of each word", cells.left, TOP - 4, "left bottom", **look)
        drawn.note("length", bars.left, TOP - 4, "left bottom", **look)
        mean = f"mean {magnitude(float(norms.mean()))}"
        drawn.note(mean, bars.left, cells.bottom + BELOW, "left top", **look)
        drawn.legend_of_bar([COMPONENT], cells.left, cells.bottom + BELOW, cells.width)
        return drawn.finished()

    def _set_axes(self, drawn: Canvas, lines: Lines, cells: Rect, bars: Rect, longest: float) -> None:
        """Set the words downwards, each written if there is room, and norms up to the `longest`."""
        written = list(range(0, len(self.words), ceil(lines.type_size / lines.row)))
        names = {"tickvals": written, "ticktext": [label(self.words[at]) for at in written]}
        (across, upwards), (beside, _) = drawn.domains(cells, 0), drawn.domains(bars, 0)
        hidden, room = {"visible": False, "fixedrange": True}, ROOM_FOR_NUMBER * longest
        layout, width = drawn.layout, np.shape(self.values)[1]
        layout["yaxis"] = lines.axis(drawn.theme) | names | {"domain": upwards, "ticklabelstandoff": BESIDE}
        layout["xaxis"] = {**hidden, "domain": across, "range": (-0.5, width - 0.5)}
        layout["xaxis2"] = {**hidden, "domain": beside, "range": (0, room), "anchor": "y"}

    def alt(self) -> str:
        matrix = np.asarray(self.values, dtype=float)
        norms, names = np.linalg.norm(matrix, axis=1), unique_words(self.words)
        low, high = int(norms.argmin()), int(norms.argmax())
        smallest, largest = magnitude(norms[low]), magnitude(norms[high])
        spread = f"Lengths from {smallest} ({names[low]}) to {largest} ({names[high]})."
        return (
            f"{plain(self.title)}: {counted(matrix.shape[1], 'number')} for "
            f"{each_of(len(names), 'position')}. "
            f"{f'All lengths are {smallest}.' if smallest == largest else spread}"
        )

    def table(self) -> pd.DataFrame:
        values = np.asarray(self.values)
        table = pd.DataFrame(values, index=pd.Index(unique_words(self.words), name="word"))
        table.columns = [f"{at}" for at in range(1, values.shape[1] + 1)]
        table.insert(0, "length", np.linalg.norm(values, axis=1))
        return table
