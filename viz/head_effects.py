"""What knocking out each head alone does: a small bar for every head, to choose one by click."""

from collections.abc import Collection, Sequence
from math import floor, log10
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.words import counted, thousandths
from viz.parts.canvas import HEADLINE_LINE, MARGIN, canvas
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.predictions import SIZE
from viz.text import em_width
from viz.theme import Theme

HEIGHT, FOOT = 150, 24
"""Height of the figure in pixels, and what the names of the heads take of it."""

NAME, LARGEST_NUMBER, SMALLEST_NUMBER = 14, 13, 10
"""Type sizes in pixels: of the names of the heads, and of the number above a bar."""

FEWEST_DECIMALS, SMALLEST_WRITTEN = 2, 1e-3
"""Decimals of the number above a bar, and the largest effect from which on it gets no more of them."""

LAYER_ROOM = 60
"""Pixels that bars of a layer take for its name to be written with the word."""

BETWEEN_LAYERS = 0.5
"""The gap between two layers, in bars."""

THICKNESS, FULL = 0.7, 0.78
"""Width of a bar in columns, and the share of the height that the largest takes: its number stands above."""

MOST_TOLD = 3
"""Greatest number of heads that the alternative text names."""

Head = tuple[int, int]
"""A layer and a head of it, counted from 1."""


class Effect(NamedTuple):
    """What the bars measure: a column of the table, the title of the figure, and the unit, if there is one.

    A `short` title is drawn where the whole one has no room. The axis reaches `smallest_top` at least: where
    no head matters, no bar is to look large.
    """

    column: str
    title: str
    unit: str
    smallest_top: float
    short: str = ""


DIVERGENCE = Effect(
    "divergence",
    "KL divergence of the prediction without each head, in nats",
    " nats",
    0.05,
    "KL divergence without each head",
)
STATES = Effect("change", "Change of states without each head", "", 0.05)


@cached_figure
def head_effects(
    table: pd.DataFrame,
    *,
    theme: Theme,
    silenced: Collection[Head] = (),
    size: int = SIZE,
    effect: Effect = DIVERGENCE,
) -> go.Figure:
    """A bar for every row of `table`, whose columns are `layer` and `head`, from 1, and that of the `effect`.

    The heads in `silenced` are hatched, as the bars without them are. Where there are too many heads to name
    each, their layers are named. A click anywhere above a head's name reports its layer and head as
    customdata. The figure is `size` pixels wide.
    """
    places = _places(table)
    drawn = canvas(size, HEADLINE_LINE + HEIGHT, theme, title=effect.title, short=effect.short)
    drawn.figure.update_layout(
        margin={"l": MARGIN, "r": MARGIN, "t": HEADLINE_LINE, "b": FOOT}, barmode="overlay"
    )
    room = (size - 2 * MARGIN) / (places[-1] + 1)
    drawn.figure.layout["xaxis"] = _head_axis(table, places, theme, silenced, room)
    top = max(float(table[effect.column].max()), effect.smallest_top) / FULL
    drawn.figure.layout["yaxis"] = {"visible": False, "fixedrange": True, "range": (0, top)}
    drawn.figure.add_trace(_bars(table, places, theme, silenced, room, effect))
    drawn.figure.add_trace(_targets(table, places, top, effect))
    return drawn.finished()


def effects(table: pd.DataFrame, *, theme: Theme, effect: Effect = DIVERGENCE, **look: Any) -> Picture:
    """The bars of every head, told and listed from `table`; `look` is what else `head_effects` takes."""
    return finished(
        head_effects(table, theme=theme, effect=effect, **look),
        alt=_alt(table, effect),
        table=lambda: table.rename(columns={"divergence": "KL divergence in nats"}),
        title=effect.title,
    )


def _alt(table: pd.DataFrame, effect: Effect) -> str:
    """The heads that matter most."""
    first = table.sort_values(effect.column, ascending=False, kind="stable").head(MOST_TOLD)
    sizes = map(thousandths, first[effect.column])
    told = "; ".join(
        f"layer {layer}, head {head}: {size}"
        for (layer, head), size in zip(_heads(first), sizes, strict=True)
    )
    return f"{effect.title}: {counted(len(table), 'head')}. The largest: {told}."


def name_of(layer: int, head: int) -> str:
    """A head as it is called where there is little room: 2.3 is head 3 of layer 2."""
    return f"{layer}.{head}"


def _places(table: pd.DataFrame) -> np.ndarray:
    """Positions of the bars, a gap before every layer but the first."""
    gaps = BETWEEN_LAYERS * (table["layer"] - 1)
    places: np.ndarray = np.arange(len(table)) + gaps.to_numpy()
    return places


def _heads(table: pd.DataFrame) -> list[Head]:
    # Not by itertuples, which writes and compiles a class first: that takes longer than all of the figure.
    return list(zip(table["layer"], table["head"], strict=True))


def _head_axis(
    table: pd.DataFrame, places: np.ndarray, theme: Theme, silenced: Collection[Head], room: float
) -> dict[str, Any]:
    """The names of the heads below their bars, those knocked out in the colour of what is chosen.

    With less than their `room` in pixels for each, the layers' names.
    """
    names = {place: _named(head, theme, silenced) for place, head in zip(places, _heads(table), strict=True)}
    if not _have_room(table, room):
        names = _names_of_layers(table, places, room)
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    line = {"showline": True, "linecolor": theme.line, "tickfont": {"size": NAME}, "tickangle": 0}
    ticks = {"tickvals": list(names), "ticktext": list(names.values())}
    return {**look, **line, **ticks, "range": (-0.5, places[-1] + 0.5)}


def _names_of_layers(table: pd.DataFrame, places: np.ndarray, room: float) -> dict[float, str]:
    """The name of each layer below the middle of its bars."""
    groups = pd.Series(places).groupby(table["layer"].to_numpy())
    word = "layer " if room * groups.size().min() > LAYER_ROOM else ""
    return {float(middle): f"{word}{layer}" for layer, middle in groups.mean().items()}


def _named(head: Head, theme: Theme, silenced: Collection[Head]) -> str:
    """The name of a head, in the colour of what is chosen where it is knocked out."""
    name = name_of(*head)
    return f'<b><span style="color:{theme.selection}">{name}</span></b>' if head in silenced else name


def _have_room(table: pd.DataFrame, room: float) -> bool:
    """Whether the name of every head fits below its bar."""
    return max(em_width(name_of(*head)) for head in _heads(table)) * NAME < room


def _bars(
    table: pd.DataFrame,
    places: np.ndarray,
    theme: Theme,
    silenced: Collection[Head],
    room: float,
    effect: Effect,
) -> Trace:
    shapes = ["/" if head in silenced else "" for head in _heads(table)]
    colours = [theme.selection if shape else theme.attention for shape in shapes]
    written = _written(table[effect.column].to_numpy(dtype=float))
    size = _number_size(written, room)
    return trace_of(
        "bar",
        x=places,
        y=table[effect.column].to_numpy(dtype=float),
        width=THICKNESS,
        marker={"color": colours, "pattern": {"shape": shapes, "bgcolor": theme.paper, "size": 5}},
        text=written if size else None,
        textposition="outside",
        textfont={"size": size or SMALLEST_NUMBER},
        textangle=0,
        constraintext="none",
        cliponaxis=False,
        hoverinfo="skip",
    )


def _written(values: np.ndarray) -> list[str]:
    """The numbers above the bars, with as many decimals as give the largest of them two digits.

    Only nothing is a zero; what is less than the last decimal says so.
    """
    largest = max(float(values.max()), SMALLEST_WRITTEN) if values.any() else 1.0
    decimals = max(FEWEST_DECIMALS, 1 - floor(log10(largest)))
    least = 10.0**-decimals
    return [
        f"<{least:.{decimals}f}" if 0 < value < least / 2 else f"{value:.{decimals}f}"
        for value in values.tolist()
    ]


def _targets(table: pd.DataFrame, places: np.ndarray, top: float, effect: Effect) -> Trace:
    """What is pointed at and clicked: a bar of full height for every head, which nobody sees."""
    heads = _heads(table)
    said = [
        f"layer {layer}, head {head}: {thousandths(size)}{effect.unit}. Click: knock out, or put back."
        for (layer, head), size in zip(heads, table[effect.column], strict=True)
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
