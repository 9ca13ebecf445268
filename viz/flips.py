"""Shares or probabilities by several models as a grid, the wrong verdicts outlined."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from core.words import probability
from viz.alignment import outlined
from viz.matrices import SIZE, alone
from viz.parts.cells import Cell
from viz.parts.figure_cache import cached_figure
from viz.parts.kinds import weights
from viz.picture import Picture
from viz.text import plain
from viz.theme import Theme


def flip_grid(
    values: ArrayLike,
    texts: Sequence[str],
    models: Sequence[str],
    *,
    title: str,
    short: str,
    theme: Theme,
    wrong: Collection[Cell] | None = None,
    beside: Mapping[str, Sequence[object]] | None = None,
    rows: str = "text",
    size: int = SIZE,
    tallest: float = inf,
) -> Picture:
    """Draw numbers (text, model) from 0 to 1 in colours; the cells of `wrong` verdicts are outlined.

    The table has a row for each of `texts`, and the columns `beside` before the numbers. Such a row is called
    `rows`. Cells end within `tallest` pixels if that leaves them legible. The `short` title is drawn if the
    whole one has no room. Without `wrong` no number is a verdict. A click reports x = model, y = text.
    """
    shares = np.asarray(values, dtype=float)
    look: dict[str, Any] = {"title": title, "wrong": wrong}
    return Picture(
        _drawn(
            shares, texts, models, **look, short=short, theme=theme, size=size, tallest=tallest, rows=rows
        ),
        alt=_alt(shares, texts, models, **look),
        table=lambda: _listed(shares, texts, models, beside or {}, rows),
        title=title,
    )


@cached_figure
def _drawn(
    values: NDArray[np.floating],
    texts: Sequence[str],
    models: Sequence[str],
    *,
    title: str,
    short: str,
    wrong: Collection[Cell] | None,
    theme: Theme,
    size: int,
    tallest: float,
    rows: str,
) -> go.Figure:
    matrix = replace(weights(values, texts, models, None, theme), roles=(f"{rows} ↓", "model →"))
    if wrong:
        key = f'<span style="color:{theme.output}">☐</span> misclassified'
        matrix = replace(matrix, legend=(*matrix.legend, key))
    marks = outlined(wrong or (), theme)
    return alone(matrix, title, theme, None, size, short=short, marks=marks, tallest=tallest)


def _alt(
    values: NDArray[np.floating],
    texts: Sequence[str],
    models: Sequence[str],
    *,
    title: str,
    wrong: Collection[Cell] | None,
) -> str:
    """Return the span of the numbers of every text, and the verdicts that are wrong."""
    told = [
        f"{plain(text)} {probability(row.min())} to {probability(row.max())}"
        for text, row in zip(texts, values, strict=True)
    ]
    listed = f"{plain(title)}: {'; '.join(told)}."
    if wrong is None:
        return listed
    named = [f"{plain(models[column])} on {plain(texts[row])}" for row, column in sorted(wrong)]
    return f"{listed} Wrong: {', '.join(named) or 'none'}."


def _listed(
    values: NDArray[np.floating],
    texts: Sequence[str],
    models: Sequence[str],
    beside: Mapping[str, Sequence[object]],
    rows: str,
) -> pd.DataFrame:
    index = pd.Index(list(texts), name=rows)
    return pd.DataFrame({**beside, **dict(zip(models, values.T, strict=True))}, index=index)
