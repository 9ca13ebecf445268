"""The query matrices of all heads to one scale: how standard, narrow and wide heads share the width."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.parts.canvas import Box, Canvas, canvas
from viz.parts.figure_cache import cached_figure
from viz.parts.scale import channels_of, inks_on
from viz.picture import Picture
from viz.text import counted, em_width, enumerated, label, plain
from viz.theme import Theme

SIZE = 980
BETWEEN, LARGEST = 64, 150
"""Pixels between two kinds, and the most that d takes."""

APART = 6
"""Pixels between two matrices that are not parts of one."""

TOP, LEFT, FOOT = 56, 10, 30
TITLE, SIDE, NUMBER = 17, 14, 14
OPACITIES = (0.85, 0.6)
"""Neighbouring heads differ, so that each can be seen where they touch."""

Shape = tuple[int, int]
"""Rows and columns of the query matrix of one head."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of heads: its name, the shape of one head's matrix, and how many heads there are."""

    name: str
    shape: Shape
    n_heads: int

    def blocks(self, d: int) -> list[tuple[float, float]]:
        """Left and upper corner of each head's matrix, in units of the width d, if it is not wide."""
        rows, columns = self.shape
        return [(h * columns / d, (h * rows / d) if rows < d else 0.0) for h in range(self.n_heads)]

    def is_wide(self, d: int) -> bool:
        """Whether every head has a square of its own."""
        return self.shape == (d, d)


def head_blocks(
    kinds: Sequence[Kind],
    *,
    d_model: int,
    theme: Theme,
    size: int = SIZE,
    table: Callable[[], pd.DataFrame] | None = None,
) -> Picture:
    """Every kind as the matrices of its heads, numbered, with a dotted square of d × d where some is unused.

    All are drawn to the same scale, side by side, in a figure of at most `size` pixels of width. The `table`
    has what else is known of the kinds.
    """
    names = enumerated([plain(kind.name) for kind in kinds])
    title = f"Query matrices of {names} heads, to scale"
    return Picture(_drawn(kinds, d_model, theme, size), _alt(kinds, d_model), table, title=title)


@cached_figure
def _drawn(kinds: Sequence[Kind], d_model: int, theme: Theme, size: int) -> go.Figure:
    unit = _unit(kinds, d_model, size - 2 * LEFT)
    drawn = canvas(size, TOP + unit + FOOT, theme)
    left = float(LEFT)
    for kind in kinds:
        left = _draw(drawn, kind, left, unit, d_model) + BETWEEN
    return drawn.finished()


def _alt(kinds: Sequence[Kind], d_model: int) -> str:
    """The shapes in words."""
    told = (
        f"{plain(kind.name)}: {counted(kind.n_heads, 'matrix').replace('matrixs', 'matrices')} of "
        f"{kind.shape[0]} by {kind.shape[1]}"
        for kind in kinds
    )
    return f"Query matrices for words of {d_model} numbers, to scale. {'; '.join(told)}."


def _draw(drawn: Canvas, kind: Kind, left: float, unit: float, d: int) -> float:
    """One kind from `left` on; where it ends."""
    rows, columns = kind.shape
    theme, height, width = drawn.theme, unit * rows / d, unit * columns / d
    if kind.is_wide(d):
        boxes = [Box(left + h * (unit + APART), TOP, unit, unit) for h in range(kind.n_heads)]
    else:
        boxes = [Box(left + x * unit, TOP + y * unit, width, height) for x, y in kind.blocks(d)]
        square = Box(left, TOP, unit, unit)
        _rectangle(drawn, square, line={"color": theme.muted, "width": 1, "dash": "dot"})
    for head, box in enumerate(boxes):
        line = {"color": theme.paper, "width": 1}
        _rectangle(drawn, box, line=line, fillcolor=theme.query, opacity=OPACITIES[head % 2])
        _number(drawn, str(head + 1), box, _ink(theme, OPACITIES[head % 2]))
    _write(drawn, kind, left, f"{kind.n_heads} × ({rows} × {columns})")
    return left + _width(kind, unit, d)


def _unit(kinds: Sequence[Kind], d: int, room: int) -> int:
    """Pixels for d: the most with which all kinds go into `room`, but not less than a digit."""
    left = room - BETWEEN * (len(kinds) - 1)
    units = range(LARGEST, NUMBER, -1)
    return next((unit for unit in units if sum(_width(kind, unit, d) for kind in kinds) <= left), NUMBER)


def _width(kind: Kind, unit: float, d: int) -> float:
    """Pixels that a kind takes, its name above it included."""
    n_squares = kind.n_heads if kind.is_wide(d) else 1
    return max(n_squares * (unit + APART) - APART, em_width(kind.name) * TITLE)


def _rectangle(drawn: Canvas, box: Box, **look: Any) -> None:
    (x0, x1), (y0, y1) = drawn.domains(box, 0)
    corners = {"x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": "paper", "yref": "paper"}
    drawn.shape(type="rect", **corners, **look)


def _ink(theme: Theme, opacity: float) -> str:
    """Black or white, whichever contrasts more with a matrix through which the paper is seen."""
    fill, paper = np.array(channels_of(theme.query)), np.array(channels_of(theme.paper))
    return str(inks_on(opacity * fill + (1 - opacity) * paper))


def _number(drawn: Canvas, number: str, box: Box, ink: str) -> None:
    """The number of a head in the middle of its matrix, where it fits."""
    size = min(NUMBER, int(box.height), int(box.width / em_width(number)))
    if size >= 8:
        look = {"xanchor": "center", "yanchor": "middle", "font": {"size": size, "color": ink}}
        drawn.note(number, box.left + box.width / 2, box.top + box.height / 2, **look)


def _write(drawn: Canvas, kind: Kind, left: float, shape: str) -> None:
    look = {"xanchor": "left", "yanchor": "top"}
    drawn.note(f"<b>{label(kind.name)}</b>", left, 4, font={"size": TITLE}, **look)
    drawn.note(label(shape, longest=12), left, 28, font={"size": SIDE, "color": drawn.theme.muted}, **look)
