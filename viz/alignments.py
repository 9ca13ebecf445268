"""Alignments of the same words side by side: one for each way to compare two states."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from viz.alignment import CROSS_ROLES, key_of_links, most_attended, outlined
from viz.parts.canvas import canvas
from viz.parts.captions import CAPTION_LINE, with_room, write_caption
from viz.parts.cells import Cell, Matrix
from viz.parts.drawing import draw
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import Grid, fit, word_widths
from viz.parts.kinds import real_numbers, weights
from viz.picture import Picture
from viz.stages import SIZE
from viz.text import counted
from viz.theme import Theme

OWN_SCALE = "own scale: not a softmax"
BY_PLACE = "⋯ same relative place"
"""What the dotted line stands for, along which one would align without reading a word."""

LINE = "A dotted line leads through the words at the same relative place."


@dataclass(frozen=True)
class Aligned:
    """Weights of (target, source) under a title; `signed` ones come without a softmax.

    `name` is what their column of the table is called.
    """

    name: str
    title: str
    weights: ArrayLike
    signed: bool = False


def alignments(
    panels: Sequence[Aligned],
    targets: Sequence[str],
    sources: Sequence[str],
    *,
    theme: Theme,
    exact: Collection[Cell] = (),
    size: int = SIZE,
) -> Picture:
    """Heatmaps in a row, or in several where the width is too small for one, the `exact` links outlined.

    Weights run from 0 to 1 in the same colours everywhere; `signed` ones have a scale of their own,
    symmetric about zero, and say so. A line leads through the cells of words at the same relative place. A
    hover names both words. The table has a row for each word of the translation and each of the source.
    """
    return Picture(
        _alignments(panels, targets, sources, theme=theme, exact=exact, size=size),
        alt=_alt(panels, targets, sources, exact),
        table=lambda: _table(panels, targets, sources),
        title=f"Attention weights of a translation, {counted(len(panels), 'score function')}",
    )


@cached_figure
def _alignments(
    panels: Sequence[Aligned],
    targets: Sequence[str],
    sources: Sequence[str],
    *,
    theme: Theme,
    exact: Collection[Cell],
    size: int,
) -> go.Figure:
    matrices = [_matrix(panel, targets, sources, exact, theme) for panel in panels]
    queries, keys = word_widths(targets), word_widths(sources)
    grid = Grid(query_widths=queries, key_widths=keys, panels=len(panels), caption=CAPTION_LINE)
    grid = fit(grid, size=size)
    grid = with_room(grid, [panel.title for panel in panels], matrices, size=size)
    drawn = canvas(grid.width, grid.height, theme)
    for at, (panel, matrix) in enumerate(zip(panels, matrices, strict=True)):
        draw(drawn, grid, matrix, panel=at)
        drawn.shape(
            **_same_place(grid, theme), xref=f"x{at + 1}" if at else "x", yref=f"y{at + 1}" if at else "y"
        )
        for mark in outlined(exact, theme):
            number = str(at + 1) if at else ""
            drawn.figure.add_trace(mark | {"xaxis": f"x{number}", "yaxis": f"y{number}"})
        write_caption(drawn, grid, panel.title, at)
    return drawn.finished()


def _alt(
    panels: Sequence[Aligned], targets: Sequence[str], sources: Sequence[str], exact: Collection[Cell]
) -> str:
    """What is told of each alignment, one after the other, and what the line is."""
    told = (
        most_attended(panel.weights, targets, sources, title=panel.title, exact=exact) for panel in panels
    )
    return " ".join([*told, LINE])


def _table(panels: Sequence[Aligned], targets: Sequence[str], sources: Sequence[str]) -> pd.DataFrame:
    """A row for each word of the translation and each of the source: the weights of every panel."""
    places = [(t, s) for t in range(len(targets)) for s in range(len(sources))]
    names = {
        "position": [t + 1 for t, _ in places],
        "word": [targets[t] for t, _ in places],
        "source position": [s + 1 for _, s in places],
        "source word": [sources[s] for _, s in places],
    }
    return pd.DataFrame(names | {panel.name: np.asarray(panel.weights).ravel() for panel in panels})


def _same_place(grid: Grid, theme: Theme) -> dict[str, Any]:
    """The line from the first word of both to the last of both."""
    ends = {"x0": 0, "y0": 0, "x1": grid.n_keys - 1, "y1": grid.n_queries - 1}
    return {"type": "line", "line": {"color": theme.ink, "width": 1.5, "dash": "2px,3px"}, **ends}


def _matrix(
    panel: Aligned, targets: Sequence[str], sources: Sequence[str], exact: Collection[Cell], theme: Theme
) -> Matrix:
    kind = real_numbers if panel.signed else weights
    matrix = kind(panel.weights, targets, sources, None, theme)
    notes = (BY_PLACE,) + (OWN_SCALE,) * panel.signed + (key_of_links(theme),) * bool(exact)
    return replace(matrix, legend=notes, roles=CROSS_ROLES)
