"""A state as a row of colours, below it the largest logits and their probabilities as bars."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted, probability, two_decimals
from viz.parts.canvas import MARGIN, Box, Canvas, canvas
from viz.parts.figure_cache import cached_figure
from viz.parts.scale import signed_scale
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.text import em_width, fitting_size, label, plain, shortened
from viz.theme import Theme

WORD, NUMBER, HEADING, SMALLEST_HEADING, BESIDE = 16, 13, 15, 11, 8
"""Type sizes of words, numbers and the headings of the columns, and the space beside them, in pixels."""

ROW, THICKNESS = 27, 0.62
"""Height of a row in pixels, and the share of it that a bar takes."""

LINE, STATE = 30, 22
"""Height in pixels of a heading, and of the row of colours that is the state."""

HEAD = LINE + STATE + LINE + MARGIN
"""Where the rows begin, below the state and two headings."""

SHARE_OF_LOGITS = 0.42
"""Of the width that bars have together, what those of the logits take."""


@cached_figure
def logit_bars(table: pd.DataFrame, state: ArrayLike, *, theme: Theme, size: int, logit: str) -> go.Figure:
    """The numbers of `state`, and a row for each word of `table`: its logit and its probability.

    Bars of logits begin at 0, those of probabilities run from 0 to 1. The columns are `word`, `logit`,
    `probability`, and `answer`, true of a word in the colour of what is chosen. The figure is `size` pixels
    wide; `logit` is the heading above the logits.
    """
    height = len(table) * ROW
    drawn = canvas(size, HEAD + height + MARGIN, theme)
    logits, shares = _boxes(table, size, height)
    rows = np.arange(len(table))
    for axis, box, column in (("", logits, "logit"), ("2", shares, "probability")):
        across, upwards = drawn.domains(box, 0)
        drawn.figure.layout[f"xaxis{axis}"] = {
            "visible": False,
            "fixedrange": True,
            "domain": across,
            "range": (0, 1) if column == "probability" else _span(table["logit"]),
            "anchor": f"y{axis}",
        }
        drawn.figure.layout[f"yaxis{axis}"] = {
            "visible": False,
            "fixedrange": True,
            "domain": upwards,
            "range": (len(table) - 0.5, -0.5),
            "anchor": f"x{axis}",
        }
        colour = theme.attention if column == "probability" else theme.muted
        drawn.figure.add_trace(_bars(table[column], rows, axis, colour))
    numbers = np.asarray(state, dtype=np.float32)
    _draw_state(drawn, numbers, Box(MARGIN, LINE, size - 2 * MARGIN, STATE))
    _write(drawn, table, logits, shares, logit)
    return drawn.finished()


def softmax_of_logits(
    table: pd.DataFrame,
    state: ArrayLike,
    *,
    theme: Theme,
    size: int,
    behind: Callable[[], pd.DataFrame],
    logit: str,
    title: str,
) -> Picture:
    """The state and the bars with their alternative text; `behind` makes the table behind the picture."""
    return finished(
        logit_bars(table, state, theme=theme, size=size, logit=logit),
        alt=describe_logits(table, state),
        table=behind,
        title=title,
    )


def describe_logits(table: pd.DataFrame, state: ArrayLike) -> str:
    """The alternative text of `logit_bars`: the size of the state, every word with both of its numbers."""
    told = [
        f"{plain(word)} {two_decimals(logit)} to {probability(share)}"
        for word, logit, share in zip(table["word"], table["logit"], table["probability"], strict=True)
    ]
    return f"{_state_heading(np.asarray(state))}. Logits to probabilities by the softmax: {', '.join(told)}."


def _state_heading(state: np.ndarray) -> str:
    span = f"from {two_decimals(state.min())} to {two_decimals(state.max())}"
    return f"last state h: {counted(len(state), 'number')}, {span}"


def _draw_state(drawn: Canvas, state: np.ndarray, box: Box) -> None:
    """A cell for each dimension, its colour symmetric about 0, and what they are above them."""
    scale = signed_scale(state, drawn.theme)
    across, upwards = drawn.domains(box, 0)
    hidden = {"visible": False, "fixedrange": True}
    drawn.figure.layout["xaxis3"] = {**hidden, "domain": across, "anchor": "y3"}
    drawn.figure.layout["yaxis3"] = {**hidden, "domain": upwards, "anchor": "x3"}
    look = {"zmin": scale.low, "zmax": scale.high, "colorscale": scale.colours, "showscale": False}
    hover = "dimension %{x}: %{z:.3f}<extra></extra>"
    first = {"x0": 1, "dx": 1, "xaxis": "x3", "yaxis": "y3", "hovertemplate": hover}
    drawn.figure.add_trace(trace_of("heatmap", z=state[None], **look, **first))
    heading = {"font": {"size": HEADING, "color": drawn.theme.muted}, "xanchor": "left", "yanchor": "middle"}
    greys = "" if drawn.theme.has_hues else ", light to dark"
    drawn.note(_state_heading(state) + greys, box.left, LINE / 2, **heading)


def _boxes(table: pd.DataFrame, size: int, height: float) -> tuple[Box, Box]:
    """The rectangles of both kinds of bars: left of each there is room for its numbers."""
    words = max(em_width(shortened(word)) for word in table["word"]) * WORD + 2 * BESIDE
    number = max(em_width(two_decimals(one)) for one in table["logit"]) * NUMBER + 2 * BESIDE
    share = em_width("<0.001") * NUMBER + 3 * BESIDE
    left = words + number
    both = size - left - share - MARGIN
    logits = Box(left, HEAD, both * SHARE_OF_LOGITS, height)
    return logits, Box(logits.right + share, HEAD, both - logits.width, height)


def _span(logits: pd.Series) -> tuple[float, float]:
    """From 0 to the logit that is furthest from it, or across 0 where there are some on both sides."""
    low, high = min(0.0, float(logits.min())), max(0.0, float(logits.max()))
    return (low, high) if low < high else (0.0, 1.0)


def _bars(values: pd.Series, rows: np.ndarray, axis: str, colour: str) -> Trace:
    return trace_of(
        "bar",
        x=values.to_numpy(),
        y=rows,
        width=THICKNESS,
        orientation="h",
        marker={"color": colour},
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        hovertemplate="%{x:.4g}<extra></extra>",
    )


def _write(drawn: Canvas, table: pd.DataFrame, logits: Box, shares: Box, logit: str) -> None:
    """The words, the numbers left of their bars, and a heading above each column."""
    theme = drawn.theme
    number = {"font": {"size": NUMBER, "color": theme.ink}, "xanchor": "right", "yanchor": "middle"}
    words = max(em_width(shortened(word)) for word in table["word"]) * WORD + BESIDE
    for at, row in enumerate(table.itertuples(index=False)):
        y = HEAD + (at + 0.5) * ROW
        colour = theme.selection if row.answer else theme.ink
        word = f"<b>{label(str(row.word))}</b>" if row.answer else label(str(row.word))
        drawn.note(word, words, y, **number | {"font": {"size": WORD, "color": colour}})
        drawn.note(two_decimals(row.logit), logits.left - BESIDE, y, **number)
        drawn.note(probability(row.probability), shares.left - BESIDE, y, **number)
    heading = {"font": {"size": HEADING, "color": theme.muted}, "xanchor": "left", "yanchor": "middle"}
    drawn.note(f"→ {logit}", logits.left, HEAD - LINE / 2, **heading)
    _write_of_shares(drawn, shares, heading)


def _write_of_shares(drawn: Canvas, shares: Box, heading: dict[str, Any]) -> None:
    """What the right column is, in short where it is narrow."""
    room = drawn.width - shares.left
    said = "→ softmax → probability"
    if em_width(said) * HEADING > room:
        said = "→ softmax → p"
        size = fitting_size(said, room, usual=HEADING, smallest=SMALLEST_HEADING)
        heading = heading | {"font": heading["font"] | {"size": size}}
    drawn.note(said, shares.left, HEAD - LINE / 2, **heading)
