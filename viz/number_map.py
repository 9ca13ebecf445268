"""Numbers over two axes of numbers, as colours: vectors one below the other, or gates word by word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import BAR, LEGEND, MARGIN, Canvas, Rect, bar_room, canvas
from viz.layout.cell_marks import framing, hatched
from viz.layout.figure import Axis, Figure
from viz.layout.rows import name_axis, word_ticks
from viz.layout.ruler import across
from viz.layout.scale import signed_scale, weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, shortened
from words import counted, two_decimals

TYPE, TITLE_LINE, BELOW = 15, 26, 52
"""Usual type in pixels, height of a line above the map, and height below it for ticks and a title."""

LINE, ROW = 1.15, 22
"""Height of a line of names in em, and of a named row in pixels."""

APART, TALL = 8, 48
"""Pixels between two named rows, and height from which they are apart."""

LOW, USUAL, HIGHEST = 190, 260, 800
"""Heights of all rows in pixels: least, without names, and up to which a page names all of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberMap(Picture):
    """Rows from top to bottom and columns from left to right, both counted from 0.

    `of` names the quantity. Colours are symmetric about zero, or, `of_shares`, run from 0 to 1. Maps with the
    same `limit` have the same colours. `rows` name the rows, and `bare` says why some have no numbers.
    `borders` draws a named upright line before a column. The table has the numbers, unless `make_table`
    makes another.
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

    def draw(self, room: Room) -> Figure:
        theme, matrix = room.theme, np.asarray(self.values, dtype=np.float32)
        limits = matrix if self.limit is None else np.array([self.limit])
        scale = weight_scale(theme) if self.of_shares else signed_scale(limits, theme)
        is_hatched = not theme.has_hues and not self.of_shares and bool((matrix < 0).any())
        n_rows, n_columns = matrix.shape
        names = [str(n_rows)] if self.rows is None else list(map(shortened, self.rows))
        widest = max(map(em_width, names))
        of = label(f"{self.of}{', hatched below zero' * is_hatched}", longest=30)
        left = max(widest * TYPE, em_width(scale.ends[0]) * LEGEND / 2) + 2 * MARGIN
        above, wide = TITLE_LINE * (1 + bool(self.borders)), room.width - left - 2 * MARGIN
        around = above + BELOW + bar_room([of], wide)
        box = Rect(left, above, wide, self._height(room, around))
        drawn = canvas(room.width, box.height + around, theme)
        bar = drawn.bar(scale, box.left, box.bottom + BELOW, min(BAR, box.width))
        place = f"{label(self.y_title)} %{{y}}, {label(self.x_title)} %{{x}}"
        hover = f"{place}: {label(self.of)} %{{z:.3f}}<extra></extra>"
        apart = APART if self.rows is not None and box.height / n_rows >= TALL else 0
        look = {"colorbar": bar, "hovertemplate": hover, "hoverongaps": False, "ygap": apart}
        drawn.add_trace(scale.heatmap(matrix, **look))
        if is_hatched:
            cell = min(box.width / n_columns, box.height / n_rows)
            drawn.add_trace(hatched(np.nan_to_num(matrix) < 0, cell, theme))
        ticks = list(across(range(n_columns), box.width).ticks)
        columns = name_axis(TYPE) | {"tickvals": ticks, "range": (-0.5, n_columns - 0.5)}
        rows = self._row_axis(n_rows, box.height, room.smallest_type) | {"range": (n_rows - 0.5, -0.5)}
        drawn.set_axes(box, columns, rows)
        for name, at in self.borders.items():
            _border(drawn, box, name, at, n_columns)
        drawn.note(f"{label(self.y_title, longest=20)} ↓", 2, TITLE_LINE - 4, "left bottom", size=TYPE)
        title = label(self.x_title, longest=box.width / TYPE - 2)
        drawn.note(f"{title} →", box.left, box.bottom + BELOW - 4, "left bottom", size=TYPE)
        drawn.legend_of_bar([of], box.left, box.bottom + BELOW, box.width)
        is_bare = np.isnan(matrix).all(axis=1)
        if self.bare and is_bare.any():
            middle = (float(np.flatnonzero(is_bare).mean()) + 0.5) * box.height / n_rows
            at, bare = box.left + box.width / 2, label(self.bare, longest=20)
            drawn.note(bare, at, box.top + middle, size=LEGEND, colour=theme.muted)
        return drawn.finished()

    def _height(self, room: Room, around: float) -> float:
        """Return the height of all rows; a screen may scroll to a figure that names all of them."""
        n, height = 0 if self.rows is None else len(self.rows), min(room.tallest, HIGHEST) - around
        least = LINE * room.smallest_type * n
        if not room.is_printed and least <= HIGHEST:
            height = max(height, least)
        return height if room.fills else min(max(ROW * n, LOW if n else USUAL), height)

    def _row_axis(self, n: int, height: float, smallest_type: float) -> Axis:
        """Return the names of all rows, of every n-th if there is no room, or row numbers."""
        if self.rows is None:
            ticks = across(range(n), height, most=max(2, int(height / (1.5 * TYPE)))).ticks
            return name_axis(TYPE) | {"tickvals": list(ticks)}
        row = height / n
        size = min(TYPE, max(smallest_type, row / LINE))
        return name_axis(size) | word_ticks(self.rows, ceil(LINE * size / row - 1e-9))

    def alt(self) -> str:
        matrix = np.asarray(self.values)
        matrix = matrix[~np.isnan(matrix).all(axis=1)]
        n_rows, n_columns = matrix.shape
        span = f"from {two_decimals(matrix.min())} to {two_decimals(matrix.max())}"
        return f"{self.title}: {counted(n_rows, 'row')} of {counted(n_columns, 'number')}, {span}."

    def table(self) -> pd.DataFrame:
        if self.make_table is not None:
            return self.make_table()
        matrix = np.asarray(self.values)
        index = pd.RangeIndex(len(matrix)) if self.rows is None else pd.Index(self.rows)
        columns = [f"{self.x_title} {at}" for at in range(matrix.shape[1])]
        return pd.DataFrame(matrix, index=index.rename(self.y_title), columns=columns)


def _border(drawn: Canvas, box: Rect, name: str, at: float, n_columns: int) -> None:
    """Draw an upright line before column `at`, named above on the side that has more room."""
    if not 0 < at < n_columns:
        return
    theme, (_, upwards) = drawn.theme, drawn.domains(box, 0)
    for look in framing({"color": theme.selection, "width": 2, "dash": "dot"}, theme):
        ends = {"x0": at - 0.5, "x1": at - 0.5, "y0": upwards[0], "y1": upwards[1], "yref": "paper"}
        drawn.shape(type="line", line=look, **ends)
    is_left = at < n_columns / 2
    room = box.width * (1 - at / n_columns if is_left else at / n_columns)
    x, anchor = box.left + box.width * at / n_columns, "left bottom" if is_left else "right bottom"
    text = label(name, longest=room / LEGEND)
    drawn.note(text, x, box.top, anchor, size=LEGEND, colour=theme.selection, borderpad=2)
