"""What a part computed: vectors of words with their norms, and the weights of queries for keys."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from viz.parts.canvas import HEADLINE_LINE, canvas, headline_width
from viz.parts.cells import Matrix
from viz.parts.drawing import draw, foot
from viz.parts.grid import Grid, fit, word_widths
from viz.parts.kept import kept
from viz.parts.kinds import real_numbers, weights
from viz.parts.scale import signed_scale
from viz.parts.sketch import blank, trace_of
from viz.tables import unique_words
from viz.text import em_width, label, literal, plain, shortened
from viz.theme import LIGHT, Theme
from viz.units import magnitude

ROWS, LARGEST_ROW, SMALLEST_ROW = 260, 24, 3
"""Pixels that all words share, and of one word at most and at least."""

NAME, NUMBER, TITLE = 14, 12, 13
TOP, BOTTOM, LEFT, RIGHT = 24, 26, 12, 6
LINE = 15
"""The least distance between two words that are written."""

NUMBERS, NORMS = (0.0, 0.72), (0.76, 1.0)
"""The shares of the width of the matrix and of the bars of its norms."""


@kept
def vectors(values: ArrayLike, words: Sequence[str], *, theme: Theme) -> go.Figure:
    """A row for each word with the numbers of its vector as colours, and its norm as a bar beside them."""
    matrix = np.asarray(values, dtype=np.float32)
    n, width = matrix.shape
    norms = np.linalg.norm(matrix, axis=1)
    scale = signed_scale(matrix, theme)
    row = max(SMALLEST_ROW, min(LARGEST_ROW, ROWS // n))
    figure = blank(theme, height=TOP + row * n + BOTTOM)
    left = ceil(max(em_width(shortened(word)) for word in words) * NAME) + LEFT
    figure.update_layout(margin={"l": left, "r": RIGHT, "t": TOP, "b": BOTTOM})
    quiet = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    written = list(range(0, n, ceil(LINE / row)))
    names = {"tickvals": written, "ticktext": [label(words[at]) for at in written]}
    figure.layout["yaxis"] = {**quiet, **names, "tickfont": {"size": NAME}, "range": (n - 0.5, -0.5)}
    figure.layout["xaxis"] = {**quiet, "visible": False, "domain": NUMBERS, "range": (-0.5, width - 0.5)}
    most = float(norms.max()) or 1.0
    figure.layout["xaxis2"] = {**quiet, "visible": False, "domain": NORMS, "range": (0, 1.5 * most)}
    spoken = [literal(word) for word in unique_words(words)]
    figure.add_trace(
        trace_of(
            "heatmap",
            z=matrix,
            zmin=scale.low,
            zmax=scale.high,
            colorscale=scale.colours,
            showscale=False,
            ygap=1 if row >= 8 else 0,
            customdata=[[word] * width for word in spoken] if matrix.size <= 4096 else None,
            hovertemplate="dimension %{x}: %{z:.3f}<extra></extra>",
        )
    )
    figure.add_trace(
        trace_of(
            "bar",
            x=norms,
            y=np.arange(n),
            orientation="h",
            width=0.7,
            xaxis="x2",
            marker={"color": theme.muted},
            text=[magnitude(float(norm)) for norm in norms] if row >= LINE else None,
            textposition="outside",
            textfont={"size": NUMBER, "color": theme.ink},
            cliponaxis=False,
            hovertext=[f"norm of {word}: {norm:.3f}" for word, norm in zip(spoken, norms, strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    for share, text in ((NUMBERS[0], f"{width} numbers of each word"), (NORMS[0], "norm")):
        _note(figure, text, share, 1, "bottom", TITLE, theme)
    ends = f"colours from {scale.ends[0]} to {scale.ends[1]}; mean norm {magnitude(float(norms.mean()))}"
    _note(figure, ends, NUMBERS[0], 0, "top", NUMBER + 1, theme)
    return figure.finished()


def _note(figure, text: str, x: float, y: float, anchor: str, size: int, theme: Theme) -> None:  # type: ignore[no-untyped-def]
    place = {"x": x, "xref": "paper", "xanchor": "left", "y": y, "yref": "paper", "yanchor": anchor}
    font = {"size": size, "color": theme.muted}
    figure.add_annotation(text=text, showarrow=False, borderpad=3, font=font, **place)


def describe_vectors(values: ArrayLike, words: Sequence[str], *, what: str) -> str:
    """The alternative text of `vectors`: how many numbers, and the smallest and the largest norm."""
    matrix = np.asarray(values, dtype=float)
    norms, names = np.linalg.norm(matrix, axis=1), unique_words(words)
    low, high = int(norms.argmin()), int(norms.argmax())
    return (
        f"{plain(what)}: {matrix.shape[1]} numbers for each of {len(words)} positions. Norms from "
        f"{magnitude(norms[low])} ({names[low]}) to {magnitude(norms[high])} ({names[high]})."
    )


@kept
def between(
    matrix: ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    theme: Theme,
    size: int,
    allowed: ArrayLike | None = None,
    shares: bool = True,
) -> go.Figure:
    """Numbers for (query, key) where the two may be of different sentences: `shares` from 0 to 1, or any."""
    drawn = _matrix(matrix, queries, keys, allowed, theme, shares=shares)
    grid = Grid(query_widths=word_widths(queries), key_widths=word_widths(keys), head=HEADLINE_LINE)
    grid = fit(grid, size=size)
    least = min(size, headline_width(title))
    grid = replace(grid, foot=foot(drawn, grid.cell), least=least)
    surface = canvas(grid.width, grid.height, theme, title=title)
    draw(surface, grid, drawn)
    return surface.finished()


def describe_between(
    matrix: ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    allowed: ArrayLike | None = None,
    shares: bool = True,
) -> str:
    """The alternative text of `between`: its size, its largest number, how much of it is masked."""
    drawn = _matrix(matrix, queries, keys, allowed, LIGHT, shares=shares)
    largest = "" if drawn.masked.all() else f" Largest: {drawn.spoken(drawn.highest)}."
    return f"{plain(title)}: {drawn.extent}.{largest}{drawn.spoken_gaps}"


def _matrix(
    matrix: ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    allowed: ArrayLike | None,
    theme: Theme,
    *,
    shares: bool,
) -> Matrix:
    kind = weights if shares else real_numbers
    return kind(matrix, queries, keys, allowed, theme)
