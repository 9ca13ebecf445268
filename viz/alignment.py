"""Attention from a translation to its source, and the links of the gold alignment."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted
from viz.matrices import SIZE, alone
from viz.parts.boxes import outlines
from viz.parts.cells import Cell
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import KEY_TITLE, QUERY_TITLE, WRITER_TITLE
from viz.parts.kinds import real_numbers, weights
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.tables import matrix_table
from viz.text import plain
from viz.theme import LIGHT, Theme

ROLES = (QUERY_TITLE, KEY_TITLE)
CROSS_ROLES = (WRITER_TITLE, KEY_TITLE)
"""Titles for attention from a translation to its source: row t is the step that writes word t."""

LINK, WITHIN = 2, 0.44
"""The outline of an exact link in pixels, and how far it is from the middle of its cell, in cells."""


def alignment(
    pattern: ArrayLike,
    targets: Sequence[str],
    sources: Sequence[str],
    *,
    title: str,
    theme: Theme,
    exact: Collection[Cell] = (),
    **look: Any,
) -> Picture:
    """Weights of (target, source) as a heatmap, the cells of the `exact` links outlined.

    `look` is what else `_alignment` takes: weights run from 0 to 1, unless they are `signed`: then they are
    any numbers, in colours symmetric about zero. `roles` are the titles of the two sides, and `size` is the
    greatest width in pixels. A `short` title is drawn where the whole one has no room. A click on a cell
    reports x = source, y = target.
    """
    return finished(
        _alignment(pattern, targets, sources, title=title, theme=theme, exact=exact, **look),
        alt=most_attended(pattern, targets, sources, title=title, exact=exact),
        table=lambda: matrix_table(pattern, targets, keys=sources),
        title=title,
    )


@cached_figure
def _alignment(
    pattern: ArrayLike,
    targets: Sequence[str],
    sources: Sequence[str],
    *,
    title: str,
    theme: Theme,
    exact: Collection[Cell],
    short: str = "",
    signed: bool = False,
    roles: tuple[str, str] = ROLES,
    size: int = SIZE,
) -> go.Figure:
    kind = real_numbers if signed else weights
    matrix = kind(pattern, targets, sources, None, theme)
    matrix = replace(matrix, roles=roles)
    if exact:
        matrix = replace(matrix, legend=(*matrix.legend, key_of_links(theme)))
    return alone(matrix, title, theme, None, size, short=short, marks=outlined(exact, theme))


def most_attended(
    pattern: ArrayLike,
    targets: Sequence[str],
    sources: Sequence[str],
    *,
    title: str,
    exact: Collection[Cell] = (),
) -> str:
    """What every word of the translation attends to most, and how often as the rules link it."""
    best = np.abs(np.asarray(pattern)).argmax(axis=1).tolist()
    told = ", ".join(f"{plain(t)} to {plain(sources[s])}" for t, s in zip(targets, best, strict=True))
    linked = {target for target, _ in exact}
    right = sum((target, source) in exact for target, source in enumerate(best))
    judged = f" {right} of {counted(len(linked), 'linked word')} as in the gold alignment." if exact else ""
    matrix = weights(pattern, targets, sources, None, LIGHT)
    return f"{plain(title)}: attention {matrix.extent()}. Most weight: {told}.{judged}"


def key_of_links(theme: Theme) -> str:
    """What the outlines stand for, as markup for a legend."""
    return f'<span style="color:{theme.output}">☐</span> gold alignment'


def outlined(exact: Collection[Cell], theme: Theme) -> list[Trace]:
    """Outlines of the cells of exact links, each on a wider one of the paper: a cell may have any colour."""
    if not exact:
        return []
    targets, sources = np.array(sorted(exact)).T
    x, y = outlines(sources, targets, WITHIN, WITHIN)
    lines = {theme.paper: 2 * LINK, theme.output: LINK}
    look = {"mode": "lines", "hoverinfo": "skip", "cliponaxis": False}
    return [
        trace_of("scatter", x=x, y=y, line={"color": colour, "width": width}, **look)
        for colour, width in lines.items()
    ]
