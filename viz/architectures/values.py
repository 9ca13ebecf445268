"""What a part computed: vectors of words with their norms, and the weights of queries for keys."""

from collections.abc import Sequence
from math import ceil

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted, magnitude
from viz.parts.figure_cache import cached_figure
from viz.parts.scale import Numbers, Scale, signed_scale
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import unique_words
from viz.text import em_width, label, literal, plain, shortened
from viz.theme import Theme

ROWS, LARGEST_ROW, SMALLEST_ROW = 260, 24, 3
"""Pixels that all words share, and of one word at most and at least."""

NAME, NUMBER, TITLE = 14, 12, 13
TOP, BOTTOM, LEFT, RIGHT = 24, 26, 12, 6
LINE = 15
"""The least distance between two words that are written."""

ROW_WITH_GAP = 8
"""Pixels of a row from which on rows stand apart."""

MOST_SPOKEN = 4096
"""Most numbers that have the name of their word beside them: each costs the browser a copy of it."""

ROOM_FOR_NUMBER = 1.5
"""How much longer than the longest bar the room for it is: its number stands at its end."""

NUMBERS, NORMS = (0.0, 0.72), (0.76, 1.0)
"""The shares of the width of the matrix and of the bars of its norms."""


def vectors(values: ArrayLike, words: Sequence[str], *, title: str, theme: Theme) -> Picture:
    """A row for each word with the numbers of its vector as colours, and its norm as a bar beside them.

    The `title` says what these vectors are. The table has the norm first.
    """
    return finished(
        _vectors(values, words, theme=theme),
        alt=_norms_told(values, words, title),
        table=lambda: _vectors_table(np.asarray(values), words),
        title=title,
    )


@cached_figure
def _vectors(values: ArrayLike, words: Sequence[str], *, theme: Theme) -> go.Figure:
    matrix = np.asarray(values, dtype=np.float32)
    n, width = matrix.shape
    norms = np.linalg.norm(matrix, axis=1)
    scale = signed_scale(matrix, theme)
    row = max(SMALLEST_ROW, min(LARGEST_ROW, ROWS // n))
    figure = blank(theme, height=TOP + row * n + BOTTOM)
    _set_axes(figure, words, width, row, float(norms.max()) or 1.0)
    figure.add_trace(_numbers(matrix, words, row, scale))
    figure.add_trace(_norms(norms, words, row, theme))
    _note(figure, f"{width} numbers of each word", (NUMBERS[0], 1), TITLE, theme)
    _note(figure, "norm", (NORMS[0], 1), TITLE, theme)
    low, high = scale.ends
    ends = f"colours from {low} to {high}" if theme.has_hues else f"from {low}, light, to {high}, dark"
    ends = f"{ends}; mean norm {magnitude(float(norms.mean()))}"
    _note(figure, ends, (NUMBERS[0], 0), NUMBER + 1, theme)
    return figure.finished()


def _set_axes(figure: Sketch, words: Sequence[str], width: int, row: int, longest: float) -> None:
    """The words downwards, each written where there is room; `width` numbers, then norms up to `longest`."""
    left = ceil(max(em_width(shortened(word)) for word in words) * NAME) + LEFT
    figure.update_layout(margin={"l": left, "r": RIGHT, "t": TOP, "b": BOTTOM})
    quiet = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    written = list(range(0, len(words), ceil(LINE / row)))
    names = {"tickvals": written, "ticktext": [label(words[at]) for at in written]}
    figure.layout["yaxis"] = {**quiet, **names, "tickfont": {"size": NAME}, "range": (len(words) - 0.5, -0.5)}
    figure.layout["xaxis"] = {**quiet, "visible": False, "domain": NUMBERS, "range": (-0.5, width - 0.5)}
    room = ROOM_FOR_NUMBER * longest
    figure.layout["xaxis2"] = {**quiet, "visible": False, "domain": NORMS, "range": (0, room)}


def _numbers(matrix: Numbers, words: Sequence[str], row: int, scale: Scale) -> Trace:
    """The numbers as colours; the pointer says which word they are of unless that were too many names."""
    is_spoken = matrix.size <= MOST_SPOKEN
    spoken = [[literal(word)] * matrix.shape[1] for word in unique_words(words)] if is_spoken else None
    return trace_of(
        "heatmap",
        z=matrix,
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.colours,
        showscale=False,
        ygap=1 if row >= ROW_WITH_GAP else 0,
        customdata=spoken,
        hovertemplate=("%{customdata}, " if is_spoken else "") + "dimension %{x}: %{z:.3f}<extra></extra>",
    )


def _norms(norms: Numbers, words: Sequence[str], row: int, theme: Theme) -> Trace:
    """A bar for each word, with its norm beside it where rows are high enough to write."""
    spoken = [literal(word) for word in unique_words(words)]
    return trace_of(
        "bar",
        x=norms,
        y=np.arange(len(norms)),
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


def _note(figure: Sketch, text: str, corner: tuple[float, float], size: int, theme: Theme) -> None:
    """Write outside of the figure: above it at the height 1, below it at 0."""
    x, y = corner
    place = {"x": x, "xref": "paper", "xanchor": "left", "y": y, "yref": "paper"}
    font = {"size": size, "color": theme.muted}
    anchor = "bottom" if y else "top"
    figure.add_annotation(text=text, showarrow=False, borderpad=3, font=font, yanchor=anchor, **place)


def _vectors_table(values: np.ndarray, words: Sequence[str]) -> pd.DataFrame:
    table = pd.DataFrame(values, index=pd.Index(unique_words(words), name="word"))
    table.columns = [f"{at}" for at in range(1, values.shape[1] + 1)]
    table.insert(0, "norm", np.linalg.norm(values, axis=1))
    return table


def _norms_told(values: ArrayLike, words: Sequence[str], title: str) -> str:
    """How many numbers, and the smallest and the largest norm."""
    matrix = np.asarray(values, dtype=float)
    norms, names = np.linalg.norm(matrix, axis=1), unique_words(words)
    low, high = int(norms.argmin()), int(norms.argmax())
    return (
        f"{plain(title)}: {counted(matrix.shape[1], 'number')} for each of "
        f"{counted(len(words), 'position')}. "
        f"Norms from {magnitude(norms[low])} ({names[low]}) to {magnitude(norms[high])} ({names[high]})."
    )
