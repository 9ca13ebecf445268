"""Numbers over two axes of numbers, as colours: vectors below each other, or gates word by word."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import BAR_THICKNESS, LEGEND, Box, Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.frames import framing
from viz.layout.masked import hatched
from viz.layout.scale import Scale, signed_scale, weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, shortened
from words import counted

TYPE, TITLE_LINE, ABOVE, BELOW, BESIDE = 15, 28, 26, 48, 12
"""Pixels of the usual type, of a title at the left, and free above, below and beside the colour bar."""

LINE, ROW = 1.15, 22
"""Em of a line of names, and pixels of a row that is named."""

LOW, USUAL, HIGH = 260, 330, 560
"""Pixels of height: of a figure at least, of one without names, and of one on a page of unknown height."""

HIGHEST, TALLEST = 900, 1.3
"""Pixels of height up to which a page names all rows, and how many times as high as wide a print may be."""

MOST_TICKS = 12
STEPS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberMap(Picture):
    """Rows from top to bottom and columns from left to right, both counted from 0.

    A number is called `of`. Colours are symmetric about zero, or, `of_shares`, run from 0 to 1. Maps with the
    same `limit` have the same colours. `rows` name the rows, and `bare` says why some have no numbers.
    `borders` draws a named upright line before a column. The table has the numbers, unless there is another
    one `behind`.
    """

    values: ArrayLike
    of: str
    x_title: str
    y_title: str
    rows: Sequence[str] | None = None
    bare: str = ""
    borders: Mapping[str, float] = field(default_factory=dict)
    limit: float | None = None
    of_shares: bool = False
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        matrix = np.asarray(self.values, dtype=np.float32)
        scale = self._scale(matrix, room)
        named = [str(len(matrix))] if self.rows is None else list(map(shortened, self.rows))
        height = self._height(room)
        rows, size = _rows(self.rows, len(matrix), height - ABOVE - BELOW, room.smallest_type)
        left = max(map(em_width, named)) * size + BESIDE + (0 if self.rows is not None else TITLE_LINE)
        right = 2 * BESIDE + BAR_THICKNESS + max(map(em_width, scale.ends)) * LEGEND + LEGEND
        box = Box(left, ABOVE, room.width - left - right, height - ABOVE - BELOW)
        drawn = canvas(room.width, height, room.theme)
        drawn.figure.add_trace(
            scale.heatmap(
                matrix,
                colorbar=_bar(drawn, scale, box),
                hovertemplate=f"{label(self.y_title)} %{{y}}, {label(self.x_title)} %{{x}}: "
                f"{label(self.of)} %{{z:.3f}}<extra></extra>",
            )
        )
        is_hatched = not room.theme.has_hues and not scale.of_shares and bool((matrix < 0).any())
        if is_hatched:
            cell = min(box.width / matrix.shape[1], box.height / matrix.shape[0])
            drawn.figure.add_trace(hatched(np.nan_to_num(matrix) < 0, cell, room.theme))
        self._set_axes(drawn, box, matrix.shape, rows, size)
        for name, at in self.borders.items():
            _border(drawn, box, name, at, matrix.shape[1])
        self._write(drawn, box, matrix, is_hatched=is_hatched)
        return drawn.finished()

    def _scale(self, matrix: NDArray[np.float32], room: Room) -> Scale:
        if self.of_shares:
            return weight_scale(room.theme)
        return signed_scale(matrix if self.limit is None else np.array([self.limit]), room.theme)

    def _height(self, room: Room) -> float:
        """Return the height of the room if it is to be filled, else what the rows take.

        A screen may scroll to a figure that is higher than its room for the names of its rows.
        """
        n, around = 0 if self.rows is None else len(self.rows), ABOVE + BELOW
        tallest = room.height or (TALLEST * room.width if room.is_printed else HIGH)
        least = around + LINE * room.smallest_type * n
        if not room.is_printed and least <= HIGHEST:
            tallest = max(tallest, least)
        return tallest if room.fills else min(max(around + ROW * n, LOW if n else USUAL), tallest)

    def _set_axes(
        self, drawn: Canvas, box: Box, shape: tuple[int, ...], rows: Mapping[str, Any], size: float
    ) -> None:
        n_rows, n_columns = shape
        across, upwards = drawn.domains(box, 0)
        look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
        apart = (em_width(str(n_columns)) + 0.8) * TYPE * n_columns / box.width
        x = {"tickvals": _ticks(n_columns, apart), "tickfont": {"size": TYPE}, "domain": across}
        y = {**rows, "tickfont": {"size": size}, "domain": upwards}
        drawn.figure.layout["xaxis"] = {**look, **x, "range": (-0.5, n_columns - 0.5)}
        drawn.figure.layout["yaxis"] = {**look, **y, "range": (n_rows - 0.5, -0.5)}
        middle, font = box.left + box.width / 2, {"size": TYPE}
        title = label(self.x_title, longest=2 * min(middle, drawn.width - middle) / TYPE)
        drawn.note(title, middle, drawn.height - 4, xanchor="center", yanchor="bottom", font=font)
        if self.rows is None:
            title, place = (
                label(self.y_title, longest=box.height / TYPE),
                (0.75 * TYPE, box.top + box.height / 2),
            )
            drawn.note(title, *place, textangle=-90, xanchor="center", yanchor="middle", font=font)
        else:  # words have the room for a title above them
            drawn.note(
                f"{label(self.y_title, longest=20)} ↓",
                2,
                box.top - 4,
                xanchor="left",
                yanchor="bottom",
                font=font,
            )

    def _write(self, drawn: Canvas, box: Box, matrix: NDArray[np.float32], *, is_hatched: bool) -> None:
        """Write beside the colour bar what the numbers are, and where there are none why."""
        look: dict[str, Any] = {"xanchor": "center", "yanchor": "middle"}
        look["font"] = {"size": LEGEND, "color": drawn.theme.muted}
        named = label(f"{self.of}{', hatched below zero' * is_hatched}", longest=box.height / LEGEND)
        place = drawn.width - LEGEND / 2 - 4, box.top + box.height / 2
        drawn.note(named, *place, textangle=-90, **look)
        is_bare = np.isnan(matrix).all(axis=1)
        if self.bare and is_bare.any():
            middle = float(np.flatnonzero(is_bare).mean() + 0.5) / len(matrix)
            drawn.note(
                label(self.bare, longest=20), box.left + box.width / 2, box.top + middle * box.height, **look
            )

    def alt(self) -> str:
        """Tell the size without bare rows, and the span of the numbers."""
        matrix = np.asarray(self.values)
        matrix = matrix[~np.isnan(matrix).all(axis=1)]
        n_rows, n_columns = matrix.shape
        span = f"from {matrix.min():.2f} to {matrix.max():.2f}"
        return f"{self.title}: {counted(n_rows, 'row')} of {counted(n_columns, 'number')}, {span}."

    def table(self) -> pd.DataFrame:
        if self.behind is not None:
            return self.behind()
        matrix = np.asarray(self.values)
        index = pd.RangeIndex(len(matrix)) if self.rows is None else pd.Index(self.rows)
        columns = [f"{self.x_title} {at}" for at in range(matrix.shape[1])]
        return pd.DataFrame(matrix, index=index.rename(self.y_title), columns=columns)


def _rows(
    names: Sequence[str] | None, n: int, length: float, smallest_type: float
) -> tuple[dict[str, Any], float]:
    """Return what stands beside `n` rows of so many pixels together, and the size of its type.

    All rows are named if the smallest type has the room, else every n-th; a hover names the rest.
    """
    if names is None:
        return {"tickvals": _ticks(n, 1.5 * TYPE * n / length)}, TYPE
    row = length / n
    size = min(TYPE, max(smallest_type, row / LINE))
    labels, written = list(map(label, names)), range(0, n, ceil(LINE * size / row - 1e-9))
    aliases = {str(at): labels[at] for at in set(range(n)) - set(written)}
    return {
        "tickvals": list(written),
        "ticktext": [labels[at] for at in written],
        "labelalias": aliases,
    }, size


def _ticks(n: int, apart: float) -> list[int]:
    """Return numbers from 0 to the last below `n`, in even steps but the last, `apart` at least."""
    step = next((step for step in STEPS if step >= apart and n / step <= MOST_TICKS), STEPS[-1])
    return [*(at for at in range(0, n - 1, step) if at + apart <= n - 1), n - 1]


def _bar(drawn: Canvas, scale: Scale, box: Box) -> dict[str, Any]:
    """Return an upright colour bar as high as the map; its ends are named, and its zero."""
    ends = {scale.low: scale.ends[0], scale.high: scale.ends[1]}
    if not scale.of_shares:
        ends[0.0] = "0"
    return {
        "x": (box.right + BESIDE) / drawn.width,
        "xpad": 0,
        "y": 1 - box.top / drawn.height,
        "yanchor": "top",
        "ypad": 0,
        "lenmode": "pixels",
        "len": box.height,
        "thickness": BAR_THICKNESS,
        "tickvals": tuple(ends),
        "ticktext": tuple(ends.values()),
        "tickfont": {"size": LEGEND},
        "ticks": "",
        "outlinewidth": 0,
    }


def _border(drawn: Canvas, box: Box, name: str, at: float, n_columns: int) -> None:
    """Draw an upright line before column `at`, named above on the side that has more room."""
    if not 0 < at < n_columns:
        return
    theme, (_, upwards) = drawn.theme, drawn.domains(box, 0)
    for look in framing({"color": theme.selection, "width": 2, "dash": "dot"}, theme):
        drawn.shape(
            type="line", x0=at - 0.5, x1=at - 0.5, y0=upwards[0], y1=upwards[1], yref="paper", line=look
        )
    is_left = at < n_columns / 2
    room = box.width * (1 - at / n_columns if is_left else at / n_columns)
    look = {"font": {"size": LEGEND, "color": theme.selection}, "yanchor": "bottom", "borderpad": 2}
    x = box.left + box.width * at / n_columns
    drawn.note(label(name, longest=room / LEGEND), x, box.top, xanchor="left" if is_left else "right", **look)
