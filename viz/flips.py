"""Probabilities of texts by several models as a grid, the wrong verdicts outlined."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from viz.alignment import outlined
from viz.matrices import SIZE, alone
from viz.parts.cells import Cell
from viz.parts.kept import kept
from viz.parts.kinds import weights
from viz.text import plain
from viz.theme import Theme
from viz.units import probability

ROLES = ("text ↓", "model →")


@kept
def flip_grid(
    values: ArrayLike,
    texts: Sequence[str],
    models: Sequence[str],
    *,
    title: str,
    wrong: Collection[Cell] = (),
    theme: Theme,
    size: int = SIZE,
) -> go.Figure:
    """Probabilities (text, model) from 0 to 1 in colours; the cells of `wrong` verdicts are outlined."""
    matrix = replace(weights(values, texts, models, None, theme), roles=ROLES)
    if wrong:
        key = f'<span style="color:{theme.output}">☐</span> not the label by the rules'
        matrix = replace(matrix, legend=(*matrix.legend, key))
    return alone(matrix, title, theme, None, size, marks=outlined(wrong, theme))


def describe_flip_grid(
    values: ArrayLike,
    texts: Sequence[str],
    models: Sequence[str],
    *,
    title: str,
    wrong: Collection[Cell] = (),
) -> str:
    """The span of the probabilities of every text, and the verdicts that are wrong."""
    told = [
        f"{plain(text)} {probability(row.min())} to {probability(row.max())}"
        for text, row in zip(texts, np.asarray(values, dtype=float), strict=True)
    ]
    named = [f"{plain(models[column])} on {plain(texts[row])}" for row, column in sorted(wrong)]
    return f"{plain(title)}: {'; '.join(told)}. Wrong: {', '.join(named) or 'none'}."
