"""The query matrices of all heads to one scale: how standard, narrow and wide heads share the width."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.words import counted, enumerated
from viz.parts.canvas import Box, Canvas, canvas
from viz.parts.figure_cache import cached_figure
from viz.parts.scale import channels_of, inks_on
from viz.picture import Picture, finished
from viz.text import em_width, label, plain
from viz.theme import Theme

SIZE = 640
BESIDE, LARGEST, IN_A_ROW = 170, 104, 4
"""Pixels left of the matrices, the most that d takes, and how many wide heads stand in a row."""

APART, BETWEEN = 6, 26
"""Pixels between two matrices that are not parts of one, and between two kinds."""

MARGIN = 10
TITLE, SIDE, NUMBER, LINE = 17, 14, 14, 20
BARE = 0.4
"""What is left free beside the number of a matrix, in em."""

OPACITIES = (0.85, 0.6)
"""Neighbouring heads differ, so that each can be seen where they touch."""

Shape = tuple[int, int]
"""Rows and columns of the query matrix of one head."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of heads: its name, the shape of one head's matrix, the number of heads, and what they cost."""

    name: str
    shape: Shape
    n_heads: int
    costs: tuple[str, ...] = ()

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
    """Draw each kind as the numbered matrices of its heads, beside its name, their shape and their cost.

    All are drawn to one scale, kind below kind, in a figure that is `size` pixels wide. A dotted square of
    d × d shows what heads that share it leave unused. The `table` has what else is known of the kinds.
    """
    names = enumerated([plain(kind.name) for kind in kinds])
    title = f"Query matrices of {names} heads, to scale"
    return finished(_drawn(kinds, d_model, theme, size), _alt(kinds, d_model), table, title=title)


@cached_figure
def _drawn(kinds: Sequence[Kind], d_model: int, theme: Theme, size: int) -> go.Figure:
    unit = _unit(kinds, d_model, size)
    heights = [
        max(_rows(kind, d_model) * (unit + APART) - APART, LINE * (2 + len(kind.costs))) for kind in kinds
    ]
    drawn = canvas(size, sum(heights) + BETWEEN * (len(kinds) - 1) + 2 * MARGIN, theme)
    top = float(MARGIN)
    for kind, height in zip(kinds, heights, strict=True):
        _draw(drawn, kind, top, unit, d_model)
        top += height + BETWEEN
    return drawn.finished()


def _alt(kinds: Sequence[Kind], d_model: int) -> str:
    """The shapes in words."""
    told = (
        f"{plain(kind.name)}: {counted(kind.n_heads, 'matrix').replace('matrixs', 'matrices')} of "
        f"{kind.shape[0]} by {kind.shape[1]}{''.join(f', {cost}' for cost in kind.costs)}"
        for kind in kinds
    )
    return f"Query matrices for words of {d_model} numbers, to scale. {'; '.join(told)}."


def _draw(drawn: Canvas, kind: Kind, top: float, unit: float, d: int) -> None:
    """Draw one kind from `top` on."""
    rows, columns = kind.shape
    theme, height, width = drawn.theme, unit * rows / d, unit * columns / d
    if kind.is_wide(d):
        places = [divmod(head, IN_A_ROW) for head in range(kind.n_heads)]
        step = unit + APART
        boxes = [Box(BESIDE + step * across, top + step * down, unit, unit) for down, across in places]
    else:
        boxes = [Box(BESIDE + x * unit, top + y * unit, width, height) for x, y in kind.blocks(d)]
        square = Box(BESIDE, top, unit, unit)
        _rectangle(drawn, square, line={"color": theme.muted, "width": 1, "dash": "dot"})
    for head, box in enumerate(boxes):
        line = {"color": theme.paper, "width": 1}
        _rectangle(drawn, box, line=line, fillcolor=theme.query, opacity=OPACITIES[head % 2])
        _number(drawn, str(head + 1), box, _ink(theme, OPACITIES[head % 2]))
    _write(drawn, kind, top, f"{kind.n_heads} × ({rows} × {columns})")


def _rows(kind: Kind, d: int) -> int:
    """How many rows of squares a kind takes."""
    return ceil(kind.n_heads / IN_A_ROW) if kind.is_wide(d) else 1


def _unit(kinds: Sequence[Kind], d: int, size: int) -> int:
    """Pixels for d: the most with which all kinds have room, but not less than a digit."""
    most = max(min(kind.n_heads, IN_A_ROW) if kind.is_wide(d) else 1 for kind in kinds)
    room = size - BESIDE - MARGIN - APART * (most - 1)
    return max(NUMBER, min(LARGEST, room // most))


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
    size = min(NUMBER, int(box.height), int(box.width / (em_width(number) + BARE)))
    if size >= 8:
        look = {"xanchor": "center", "yanchor": "middle", "font": {"size": size, "color": ink}}
        drawn.note(number, box.left + box.width / 2, box.top + box.height / 2, **look)


def _write(drawn: Canvas, kind: Kind, top: float, shape: str) -> None:
    look = {"xanchor": "left", "yanchor": "top"}
    drawn.note(f"<b>{label(kind.name)}</b>", MARGIN, top - 4, font={"size": TITLE}, **look)
    for at, line in enumerate((shape, *kind.costs), start=1):
        font = {"size": SIDE, "color": drawn.theme.muted}
        drawn.note(label(line, longest=14), MARGIN, top - 2 + LINE * at, font=font, **look)
