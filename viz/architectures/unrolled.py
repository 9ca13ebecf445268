"""A recurrent model unrolled over its words: a box for every step, the encoder below the decoder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.words import counted
from viz.architectures.layout import Box
from viz.architectures.model import CHOSEN, SHAPE
from viz.architectures.pen import Frame, Pen
from viz.parts.figure_cache import cached_figure
from viz.picture import Picture, finished
from viz.text import em_width, label, literal, plain, shortened
from viz.theme import Theme

Step = tuple[str, int]

MOST = 16
"""Greatest number of words of a sentence that are drawn."""

ROW, CELL, WIDEST_CELL, NARROWEST_CELL = 56, 30, 52, 12
"""The distance of two rows, the height of a box, and its width at most and at least, in pixels."""

NAMES, NARROW_NAMES, ROOMY = 132, 100, 520
"""Room at the left for the names of rows, and in a figure narrower than the last number of pixels."""

WORD, ROW_NAME, ANGLE = 14, 14, 60
AROUND = 7
"""Pixels from a box to an arrow that goes round it."""

EDGE, FEWEST = 8, 4
"""Pixels that stay free at the right, and how many columns at least share the width."""

THICKEST = 6.0
"""Pixels of the line of a weight of 1."""

UNSEEN = 0.02
"""A weight below this has no line."""


@dataclass(frozen=True)
class Places:
    """Positions of the boxes: the middle of every row, of every column, and the sizes of all."""

    width: float
    height: float
    left: float
    column: float
    rows: Mapping[str, float]
    words: Mapping[str, float]

    def frame(self, row: str, at: int) -> Frame:
        """The box of a step."""
        across = max(NARROWEST_CELL, min(WIDEST_CELL, self.column * 0.62))
        return Frame(self.left + (at + 0.5) * self.column, self.rows[row], across, CELL)


def unrolled(
    rows: Sequence[Box],
    words: Mapping[str, Sequence[str]],
    arrows: Sequence[tuple[Step, Step]],
    *,
    title: str,
    theme: Theme,
    alignment: np.ndarray | None = None,
    behind: Callable[[], pd.DataFrame] | None = None,
    **look: Any,
) -> Picture:
    """The model `title` over its words, `width` pixels wide; `look` is what else `_unrolled` takes.

    Rows from below upwards, `words` under the lowest of each stack, `arrows` between steps.

    `rows` are boxes whose `kind` is "words", "state", "vector", "context" or "output". Of the `alignment`,
    (target, source), the weights of one `step` are drawn, as thick as they are large. A click on a box
    reports the name of its row as customdata. `behind` makes the table behind the picture.
    """
    return finished(
        _unrolled(rows, words, arrows, theme=theme, alignment=alignment, **look),
        alt=_alt(rows, words, title=title, attends=alignment is not None),
        table=behind,
        title=f"{plain(title)} unrolled over its words",
    )


@cached_figure
def _unrolled(
    rows: Sequence[Box],
    words: Mapping[str, Sequence[str]],
    arrows: Sequence[tuple[Step, Step]],
    *,
    theme: Theme,
    width: float,
    alignment: np.ndarray | None,
    step: int = 0,
    chosen: str = "",
) -> go.Figure:
    places = _places(rows, words, width)
    pen = Pen(theme, width, places.height)
    drawn = {stack: min(len(these), MOST) for stack, these in words.items()}
    sizes = {row.name: 1 if row.kind == "vector" else drawn[row.stack] for row in rows}
    known = {row.name: row for row in rows}
    for row in rows:
        _draw_row(pen, places, row, sizes[row.name], is_chosen=row.name == chosen)
    for stack, these in words.items():
        _write_words(pen, places, these, places.words[stack])
    for (start, at), (end, to) in arrows:
        if to >= sizes[end] or (at >= sizes[start] and known[end].kind != "vector"):
            continue
        if known[end].kind != "context" or known[start].stack == known[end].stack:
            first = min(at, sizes[start] - 1)  # of a sentence that is cut off the last state is not drawn
            _draw_arrow(pen, places, (start, first), (end, to), known)
        elif alignment is not None and to == step:
            _draw_weight(pen, places, (start, at), (end, to), float(abs(alignment[to, at])))
    return pen.finished()


def _alt(rows: Sequence[Box], words: Mapping[str, Sequence[str]], *, title: str, attends: bool) -> str:
    """The rows from below, and by which way the second sentence knows of the first."""
    told = "; ".join(f"{plain(row.title)} ({row.shape})" for row in rows)
    counts = ", ".join(counted(len(these), "word") for these in words.values())
    text = f"{plain(title)}, unrolled over {counts}. From below: {told}."
    if len(words) > 1:
        text += " The encoder's last state is where the decoder begins"
        text += ", and every step of the decoder attends to all states of the encoder." if attends else "."
    return text


def _places(rows: Sequence[Box], words: Mapping[str, Sequence[str]], width: float) -> Places:
    """Rows from below, with room for the words of each stack."""
    left = NAMES if width >= ROOMY else NARROW_NAMES
    n = max(min(len(these), MOST) for these in words.values())
    column = (width - left - EDGE) / max(n, FEWEST)
    room = _room_for_words(words, column)
    middles: dict[str, float] = {}
    under: dict[str, float] = {}
    y = 0.0  # upwards from the bottom: below 0
    for row in rows:
        if row.stack not in under and row.kind != "vector":
            y -= room
            under[row.stack] = y
        middles[row.name] = y - CELL / 2
        y -= ROW
    height = -y - (ROW - CELL) + 12
    bottom = height - 4
    from_top = {name: bottom + at for name, at in middles.items()}
    return Places(width, height, left, column, from_top, {stack: bottom + at for stack, at in under.items()})


def _room_for_words(words: Mapping[str, Sequence[str]], column: float) -> float:
    longest = max(em_width(shortened(word)) for these in words.values() for word in these[:MOST]) * WORD
    return 24.0 if longest <= column - 4 else longest * np.sin(np.radians(ANGLE)) + WORD + 4


def _write_words(pen: Pen, places: Places, words: Sequence[str], top: float) -> None:
    drawn = words[:MOST]
    is_level = max(em_width(shortened(word)) for word in drawn) * WORD <= places.column - 4
    look: dict[str, Any] = {} if is_level else {"xanchor": "right", "textangle": -ANGLE}
    for at, word in enumerate(drawn):
        x = places.left + (at + 0.5) * places.column + (0 if is_level else 5)
        pen.write(label(word), x, top + 4, size=WORD, yanchor="top", **look)


def _draw_row(pen: Pen, places: Places, row: Box, n: int, *, is_chosen: bool) -> None:
    """The boxes of `n` steps, and what they are."""
    theme = pen.theme
    colours = {"state": theme.recurrence, "vector": theme.recurrence, "context": theme.attention}
    outline, width = (theme.selection, CHOSEN) if is_chosen else (colours.get(row.kind, theme.ink), 2)
    fill = theme.sequential[1][1] if row.kind == "context" else theme.paper
    said = f"<b>{label(row.title, longest=40)}</b><br>{literal(row.shape)}"
    for at in range(n):
        frame = places.frame(row.name, at)
        pen.box(frame, outline, fill=fill, width=width)
        pen.answer(frame, row.name, said)
    _name_row(pen, places, row)


def _name_row(pen: Pen, places: Places, row: Box) -> None:
    """Write a row's title and shape at the left of the figure."""
    first = places.frame(row.name, 0)
    size = ROW_NAME if places.left == NAMES else SHAPE
    pen.write(label(row.title, longest=12), 4, first.y - 8, size=size, xanchor="left")
    pen.write(literal(row.shape), 4, first.y + 9, size=SHAPE, colour=pen.theme.muted, xanchor="left")


def _draw_arrow(pen: Pen, places: Places, start: Step, end: Step, rows: Mapping[str, Box]) -> None:
    """Draw an arrow up within a column, along a row, or over to where the decoder begins."""
    source, target = places.frame(*start), places.frame(*end)
    colour = pen.theme.recurrence
    if start[0] == end[0]:
        pen.arrow([(source.right, source.y), (target.left, target.y)], colour)
    elif rows[end[0]].kind == "vector":
        pen.arrow([(source.x, source.top), (source.x, target.y), (target.right, target.y)], colour)
    elif rows[start[0]].kind == "vector":
        x = max(source.left - AROUND, 4)
        pen.arrow([(source.left, source.y), (x, source.y), (x, target.y), (target.left, target.y)], colour)
    elif abs(source.y - target.y) > 1.6 * ROW:
        x = source.right + min(AROUND, (places.column - source.width) / 2)
        foot, y = source.x + source.width / 3, source.top - AROUND
        way = [(foot, source.top), (foot, y), (x, y), (x, target.y), (target.right, target.y)]
        pen.arrow(way, pen.theme.ink)
    else:
        pen.arrow([(source.x, source.top), (target.x, target.bottom)], pen.theme.ink)


def _draw_weight(pen: Pen, places: Places, start: Step, end: Step, weight: float) -> None:
    """How much of a state goes into the context: a line as thick as the weight is large."""
    if weight < UNSEEN:
        return
    source, target = places.frame(*start), places.frame(*end)
    width = round(max(0.5, THICKEST * min(weight, 1.0)) * 2) / 2
    pen.line([(source.x, source.top), (target.x, target.bottom)], pen.theme.attention, width=width)
