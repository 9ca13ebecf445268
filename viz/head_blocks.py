"""The query matrices of all heads to one scale: how standard, narrow and wide heads divide the width."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from viz.layout.canvas import LEGEND, Canvas, Rect, canvas
from viz.layout.figure import Figure
from viz.layout.scale import channels_of, inks_on
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain

LEAST, LARGEST, HIGH = 40, 104, 520
"""Least and greatest pixels of d in a room without filling, and height on a page of unknown height."""

APART, BETWEEN, MARGIN = 6, 26, 10
"""Pixels between two matrices that are not parts of one, between two kinds, and around everything."""

TITLE, LINE, BARE = 17, 20, 0.4
"""Type of a name in pixels, distance of two lines, and em left free beside the number of a matrix."""

Shape = tuple[int, int]
"""Rows and columns of the query matrix of one head."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of heads: its name, the shape of one head's matrix, the number of heads, and their costs."""

    name: str
    shape: Shape
    n_heads: int
    costs: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines below the name."""
        rows, columns = self.shape
        return (f"Q: {self.n_heads} × ({rows} × {columns})", *self.costs)

    @property
    def width(self) -> float:
        """Pixels of width of the name and the lines."""
        return max(em_width(self.name) * TITLE, *(em_width(line) * LEGEND for line in self.lines))

    def is_wide(self, d: int) -> bool:
        """Return whether every head has a separate square."""
        return self.shape == (d, d)

    def corners(self, d: int, in_a_row: int, unit: float) -> list[tuple[float, float]]:
        """Return the left and upper corner of each matrix in pixels, if d takes `unit` of them.

        `in_a_row` wide heads share a row. Others share the width, narrow ones the height as well.
        """
        rows, columns = self.shape
        if self.is_wide(d):
            places = (divmod(head, in_a_row) for head in range(self.n_heads))
            return [((unit + APART) * across, (unit + APART) * down) for down, across in places]
        right, down = unit * columns / d, unit * rows / d if rows < d else 0.0
        return [(head * right, head * down) for head in range(self.n_heads)]

    def height(self, d: int, in_a_row: int, unit: float) -> float:
        """Return pixels of height of the matrices, or of the lines beside them."""
        n_rows = ceil(self.n_heads / in_a_row) if self.is_wide(d) else 1
        return max(n_rows * (unit + APART) - APART, LINE * (1 + len(self.lines)))


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadBlocks(Picture):
    """Each of the `kinds` as the numbered matrices of its heads, with name, shape and cost.

    All are drawn to one scale, one kind below the other. A dotted square of d × d shows what its heads leave
    unused.
    """

    kinds: Sequence[Kind]
    d_model: int

    def draw(self, room: Room) -> Figure:
        beside = ceil(max(kind.width for kind in self.kinds)) + 3 * MARGIN
        most = max(kind.n_heads if kind.is_wide(self.d_model) else 1 for kind in self.kinds)
        rows = (n for n in range(1, most + 1) if most % n == 0)
        unit, in_a_row = max((self._unit(room, beside, n), n) for n in rows)
        width = beside + in_a_row * (unit + APART) - APART + MARGIN
        drawn = canvas(ceil(width), self._height(unit, in_a_row), room.theme)
        top = float(MARGIN)
        for kind in self.kinds:
            self._draw_kind(drawn, kind, Rect(beside, top, unit, unit), in_a_row, room.smallest_type)
            top += kind.height(self.d_model, in_a_row, unit) + BETWEEN
        return drawn.finished()

    def alt(self) -> str:
        details = (
            f"{plain(kind.name)}: {kind.n_heads} {'matrix' if kind.n_heads == 1 else 'matrices'} of "
            f"{kind.shape[0]} by {kind.shape[1]}{''.join(f', {cost}' for cost in kind.costs)}"
            for kind in self.kinds
        )
        return f"Query matrices for words of {self.d_model} numbers, to scale. {'; '.join(details)}."

    def _height(self, unit: float, in_a_row: int) -> float:
        """Return the height of the figure, if d takes `unit` pixels and `in_a_row` wide heads share a row."""
        heights = [kind.height(self.d_model, in_a_row, unit) for kind in self.kinds]
        return sum(heights) + BETWEEN * (len(heights) - 1) + 2 * MARGIN

    def _unit(self, room: Room, beside: float, in_a_row: int) -> int:
        """Return the most pixels for d with `in_a_row` wide heads in a row."""
        lines_alone = self._height(0, in_a_row)
        tallest = max(room.height or (room.width if room.is_printed else HIGH), lines_alone)
        unit = int((room.width - beside - MARGIN + APART) / in_a_row - APART)
        least, unit = (LEGEND, unit) if room.fills else (LEAST, min(unit, LARGEST))
        while unit > least and self._height(unit, in_a_row) > tallest:
            unit -= 1
        return max(unit, LEGEND)

    def _draw_kind(self, drawn: Canvas, kind: Kind, square: Rect, in_a_row: int, smallest: float) -> None:
        """Draw one kind, whose first matrix is in the `square` of d × d."""
        theme, d, unit = drawn.theme, self.d_model, square.width
        width, height = (unit * n / d for n in reversed(kind.shape))
        if not kind.is_wide(d):
            line = {"color": theme.muted, "width": 1, "dash": "dot"}
            drawn.shape_between("rect", (square.left, square.bottom), (square.right, square.top), line=line)
        ink = str(inks_on(np.array(channels_of(theme.query))))
        for head, (x, y) in enumerate(kind.corners(d, in_a_row, unit)):
            box, number = Rect(square.left + x, square.top + y, width, height), str(head + 1)
            look: dict[str, Any] = {"line": {"color": theme.paper, "width": 1}, "fillcolor": theme.query}
            drawn.shape_between("rect", (box.left, box.bottom), (box.right, box.top), **look)
            size = min(LEGEND, height, width / (em_width(number) + BARE))
            if size >= smallest:
                x, y = box.left + width / 2, box.top + height / 2
                drawn.note(number, x, y, "center middle", size=size, colour=ink)
        drawn.note(f"<b>{label(kind.name)}</b>", MARGIN, square.top - 4, "left top", size=TITLE)
        for at, text in enumerate(kind.lines, start=1):
            drawn.legend([label(text, longest=20)], MARGIN, square.top - 2 + LINE * at)
