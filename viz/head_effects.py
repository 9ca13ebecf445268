"""What a prediction loses with each head alone: a small bar for every head, to choose one by click."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.parts.canvas import HEADLINE_LINE, MARGIN, canvas
from viz.parts.kept import kept
from viz.parts.sketch import Trace, trace_of
from viz.predictions import SIZE
from viz.text import em_width
from viz.theme import Theme

TITLE = "Effect of knocking out each head (nats)"
HEIGHT, FOOT = 150, 24
"""Height of the figure in pixels, and what the names of the heads take of it."""

NAME, LARGEST_NUMBER, SMALLEST_NUMBER = 14, 13, 10
"""Type sizes in pixels: of the names of the heads, and of the number above a bar."""

BETWEEN_LAYERS = 0.5
"""The gap between two layers, in bars."""

THICKNESS, FULL = 0.7, 0.78
"""Width of a bar in columns, and the share of the height that the largest takes: its number stands above."""

SMALLEST_TOP = 0.05
"""The axis reaches so many nats at least: where no head matters, no bar is to look large."""

MOST_TOLD = 3
"""So many heads are named in the alternative text."""

Head = tuple[int, int]
"""A layer and a head of it, counted from 1."""


@kept
def head_effects(
    table: pd.DataFrame, *, theme: Theme, silenced: Collection[Head] = (), size: int = SIZE
) -> go.Figure:
    """A bar for every row of `table`, whose columns are `layer` and `head`, from 1, and `divergence` in nats.

    The heads in `silenced` are hatched, as the bars without them are. A click anywhere above a head's name
    reports its layer and head as customdata. The figure is `size` pixels wide.
    """
    places = _places(table)
    drawn = canvas(size, HEADLINE_LINE + HEIGHT, theme, title=TITLE)
    drawn.figure.update_layout(
        margin={"l": MARGIN, "r": MARGIN, "t": HEADLINE_LINE, "b": FOOT}, barmode="overlay"
    )
    drawn.figure.layout["xaxis"] = _head_axis(table, places, theme, silenced)
    top = max(float(table["divergence"].max()), SMALLEST_TOP) / FULL
    drawn.figure.layout["yaxis"] = {"visible": False, "fixedrange": True, "range": (0, top)}
    drawn.figure.add_trace(_bars(table, places, theme, silenced, size))
    drawn.figure.add_trace(_targets(table, places, top))
    return drawn.finished()


def describe_head_effects(table: pd.DataFrame) -> str:
    """The alternative text of `head_effects`: the heads that matter most."""
    first = table.sort_values("divergence", ascending=False, kind="stable").head(MOST_TOLD)
    told = ", ".join(
        f"{name_of(*head)} {nats:.3f}" for head, nats in zip(_heads(first), first["divergence"], strict=True)
    )
    return f"{TITLE}, of {len(table)}. The largest, as layer.head: {told}."


def name_of(layer: int, head: int) -> str:
    """A head as it is called where there is little room: 2.3 is head 3 of layer 2."""
    return f"{layer}.{head}"


def _places(table: pd.DataFrame) -> np.ndarray:
    """Where the bars stand, a gap before every layer but the first."""
    gaps = BETWEEN_LAYERS * (table["layer"] - 1)
    places: np.ndarray = np.arange(len(table)) + gaps.to_numpy()
    return places


def _heads(table: pd.DataFrame) -> list[Head]:
    # Not by itertuples, which writes and compiles a class first: that takes longer than all of the figure.
    return list(zip(table["layer"], table["head"], strict=True))


def _head_axis(
    table: pd.DataFrame, places: np.ndarray, theme: Theme, silenced: Collection[Head]
) -> dict[str, Any]:
    """The names of the heads below their bars, those knocked out in the colour of what is chosen."""
    names = [
        f'<b><span style="color:{theme.selection}">{name_of(*head)}</span></b>'
        if head in silenced
        else name_of(*head)
        for head in _heads(table)
    ]
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    line = {"showline": True, "linecolor": theme.line, "tickfont": {"size": NAME}, "tickangle": 0}
    return {**look, **line, "tickvals": places, "ticktext": names, "range": (-0.5, places[-1] + 0.5)}


def _bars(
    table: pd.DataFrame, places: np.ndarray, theme: Theme, silenced: Collection[Head], size: int
) -> Trace:
    shapes = ["/" if head in silenced else "" for head in _heads(table)]
    colours = [theme.selection if shape else theme.attention for shape in shapes]
    written = [f"{value:.2f}" for value in table["divergence"]]
    room = _number_size(written, (size - 2 * MARGIN) / (places[-1] + 1))
    return trace_of(
        "bar",
        x=places,
        y=table["divergence"].to_numpy(dtype=float),
        width=THICKNESS,
        marker={"color": colours, "pattern": {"shape": shapes, "bgcolor": theme.paper, "size": 5}},
        text=written if room else None,
        textposition="outside",
        textfont={"size": room or SMALLEST_NUMBER},
        textangle=0,
        constraintext="none",
        cliponaxis=False,
        hoverinfo="skip",
    )


def _targets(table: pd.DataFrame, places: np.ndarray, top: float) -> Trace:
    """What is pointed at and clicked: a bar of full height for every head, which nobody sees."""
    heads = _heads(table)
    said = [
        f"layer {layer}, head {head}: {nats:.3f} nats. Click: knock out, or put back."
        for (layer, head), nats in zip(heads, table["divergence"], strict=True)
    ]
    return trace_of(
        "bar",
        x=places,
        y=[top] * len(places),
        width=1,
        marker={"opacity": 0},
        customdata=heads,
        hovertext=said,
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _number_size(written: Sequence[str], room: float) -> int:
    """Pixels of type at which every number fits its column; 0 where they would be too small to read."""
    size = int(min(LARGEST_NUMBER, room / max(map(em_width, written))))
    return size if size >= SMALLEST_NUMBER else 0
