"""Tokens and their numbers: mean and spread of each, its vector, and what several measures say of it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from core.words import counted, signed
from viz.parts.axes import key_axis
from viz.parts.cells import checked
from viz.parts.figure_cache import cached_figure
from viz.parts.grid import TITLE_SIZE, Grid, word_widths
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import unique_words
from viz.text import label, literal, plain
from viz.theme import Theme

NARROWEST, FEWEST_COLUMNS = 480, 6
"""The width in pixels that must be enough, and how many words at least share it."""

LEFT, RIGHT, FOOT = 64, 14, 8
NAME, TICK = 16, 14
ROW, HEADING = 92, 26
"""Height in pixels of a row of bars and of its name above it."""

BAR, VECTOR_BAR = 0.6, 0.8
"""Width of a bar in columns."""

AXIS = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": "", "visible": True}

MOST_TOLD = 3
"""Greatest number of bars of a row that the alternative text names."""

Numbers = NDArray[np.floating]


class Statistics(NamedTuple):
    """Mean and standard deviation of every token."""

    mean: ArrayLike
    deviation: ArrayLike


def spreads(
    stages: Mapping[str, Statistics],
    colours: Mapping[str, str],
    words: Sequence[str],
    *,
    title: str,
    theme: Theme,
    chosen: int | None = None,
) -> Picture:
    """A bar for each word from mean − deviation to mean + deviation, a row with its own scale for each stage.

    `colours` are those of the stages; the bar and the name of the `chosen` word have the colour of what is
    chosen. A click on a bar reports the position of its word as customdata. `title` names the numbers.
    """
    return finished(
        _spreads(stages, colours, words, theme=theme, chosen=chosen),
        alt=_told_spreads(stages, words, title),
        table=lambda: _table(stages, words),
        title=title,
    )


@cached_figure
def _spreads(
    stages: Mapping[str, Statistics],
    colours: Mapping[str, str],
    words: Sequence[str],
    *,
    theme: Theme,
    chosen: int | None,
) -> go.Figure:
    grid = _grid(words)
    figure = _rows(list(stages), theme, above=grid.above - TITLE_SIZE, right=_right(grid))
    columns = max(len(words), FEWEST_COLUMNS)
    axis = key_axis(words, grid, selected=chosen, colour=theme.selection)
    figure.layout["xaxis"] = {**axis, "range": (-0.5, columns - 0.5), "anchor": "free", "position": 1}
    for at, (name, (means, deviations)) in enumerate(stages.items()):
        mean, deviation = checked(np.stack([means, deviations]).astype(float), ["mean", "deviation"], words)
        _scale(figure, at, mean - deviation, mean + deviation, theme)
        shades = [theme.selection if place == chosen else colours[name] for place in range(len(words))]
        hovers = [
            f"{literal(word)}, {label(name)}: mean {signed(m)}, standard deviation {signed(d)}"
            for word, m, d in zip(unique_words(words), mean, deviation, strict=True)
        ]
        places = list(range(len(words)))
        figure.add_trace(_bars(at, places, mean - deviation, 2 * deviation, shades, hovers, BAR, places))
        figure.add_trace(_means(at, mean, theme))
    return figure.finished()


def _told_spreads(stages: Mapping[str, Statistics], words: Sequence[str], title: str) -> str:
    """How far means and deviations reach at every stage."""
    told = [
        f"{plain(name)}: means {_extent(mean)}, standard deviations {_extent(deviation)}"
        for name, (mean, deviation) in stages.items()
    ]
    return f"{title} of {counted(len(words), 'word')}. {'; '.join(told)}."


def _extent(numbers: ArrayLike) -> str:
    values = np.asarray(numbers, dtype=float)
    return f"from {signed(values.min())} to {signed(values.max())}"


def _table(stages: Mapping[str, Statistics], words: Sequence[str]) -> pd.DataFrame:
    """A row for each word."""
    columns: dict[str, ArrayLike] = {}
    for name, (mean, deviation) in stages.items():
        columns |= {f"{name}, mean": mean, f"{name}, standard deviation": deviation}
    return pd.DataFrame(columns, index=pd.Index(unique_words(words), name="word"))


def vector(
    stages: Mapping[str, ArrayLike], colours: Mapping[str, str], *, title: str, theme: Theme
) -> Picture:
    """The bars of the vector, told from the same numbers, and its dimensions as rows of a table."""
    n = len(np.asarray(next(iter(stages.values()))))
    return finished(
        vector_bars(stages, colours, theme=theme),
        alt=describe_vector_bars(stages, title=title),
        table=lambda: pd.DataFrame(stages, index=pd.RangeIndex(1, n + 1, name="d")),
        title=title,
    )


@cached_figure
def vector_bars(stages: Mapping[str, ArrayLike], colours: Mapping[str, str], *, theme: Theme) -> go.Figure:
    """The numbers of one vector as bars, a row with its own scale for each stage.

    A line is drawn at their mean, and dotted ones a standard deviation above and below it.
    """
    figure = _rows(list(stages), theme, above=FOOT, right=RIGHT)
    for at, (name, numbers) in enumerate(stages.items()):
        values = np.asarray(numbers, dtype=float)
        places = list(range(1, len(values) + 1))
        hovers = [f"{label(name)}, dimension {d}: {signed(v)}" for d, v in zip(places, values, strict=True)]
        _scale(figure, at, np.minimum(values, 0), np.maximum(values, 0), theme)
        shades = [colours[name]] * len(values)
        figure.add_trace(_bars(at, places, np.zeros(len(values)), values, shades, hovers, VECTOR_BAR, places))
        _lines(figure, at, values.mean(), values.std(), theme)
        figure.layout["xaxis"] |= {"range": (0.2, len(values) + 0.8)}
    return figure.finished()


def describe_vector_bars(stages: Mapping[str, ArrayLike], *, title: str) -> str:
    """Mean and deviation at every stage, for those who cannot see the bars."""
    arrays = {name: np.asarray(numbers, dtype=float) for name, numbers in stages.items()}
    told = [
        f"{plain(name)} mean {signed(values.mean())}, standard deviation {signed(values.std())}"
        for name, values in arrays.items()
    ]
    return f"{title}: {'; '.join(told)}."


def word_bars(
    measures: Mapping[str, ArrayLike], words: Sequence[str], *, title: str, theme: Theme
) -> Picture:
    """A number for each word by every measure, a row with its own scale for each.

    Bars go up from 0 or down, in a colour for each sign.
    """
    return finished(
        _word_bars(measures, words, theme=theme),
        alt=_told_word_bars(measures, words, title=title),
        table=lambda: pd.DataFrame({"word": list(words), **measures}),
        title=title,
    )


@cached_figure
def _word_bars(measures: Mapping[str, ArrayLike], words: Sequence[str], *, theme: Theme) -> go.Figure:
    grid = _grid(words)
    figure = _rows(list(measures), theme, above=grid.above - TITLE_SIZE, right=_right(grid))
    axis, columns = key_axis(words, grid, selected=None, colour=theme.ink), max(len(words), FEWEST_COLUMNS)
    figure.layout["xaxis"] = {**axis, "range": (-0.5, columns - 0.5), "anchor": "free", "position": 1}
    down, up = theme.signs
    places = list(range(len(words)))
    for at, (name, numbers) in enumerate(measures.items()):
        (values,) = checked(np.asarray([numbers], dtype=float), [name], words)
        shades = [up if value >= 0 else down for value in values]
        hovers = [
            f"{literal(word)}, {label(name)}: {signed(value)}"
            for word, value in zip(unique_words(words), values, strict=True)
        ]
        _scale(figure, at, values, values, theme)
        figure.add_trace(_bars(at, places, np.zeros(len(values)), values, shades, hovers, BAR, places))
    return figure.finished()


def _told_word_bars(measures: Mapping[str, ArrayLike], words: Sequence[str], *, title: str) -> str:
    """The words furthest from 0 by every measure, or that none is."""
    names, told = unique_words(words), []
    for name, numbers in measures.items():
        values = np.asarray(numbers, dtype=float)
        largest = np.argsort(-np.abs(values), kind="stable")[:MOST_TOLD]
        bars = ", ".join(f"{names[at]} {signed(values[at])}" for at in largest if values[at])
        told.append(f"{plain(name)}: {bars or 'no word'}")
    return f"{title}. Furthest from 0 by {'; by '.join(told)}."


def _grid(words: Sequence[str]) -> Grid:
    n = max(len(words), FEWEST_COLUMNS)
    cell = (NARROWEST - LEFT - RIGHT) / n
    return Grid(query_widths=(0,), key_widths=word_widths(words), cell=cell)


def _right(grid: Grid) -> float:
    """Room for what slanted words reach beyond the last column, which is not theirs if they are few."""
    return max(RIGHT, grid.right - max(0, FEWEST_COLUMNS - grid.n_keys) * grid.cell)


def _rows(names: Sequence[str], theme: Theme, *, above: float, right: float) -> Sketch:
    """An empty figure with a row for each name, the first on top, and the names above the rows."""
    inner = (ROW + HEADING) * len(names)
    figure = blank(theme, height=round(above + inner + FOOT))
    figure.update_layout(margin={"l": LEFT, "r": right, "t": above, "b": FOOT}, barmode="overlay", bargap=0)
    for at, name in enumerate(names):
        top = 1 - (at * (ROW + HEADING) + HEADING) / inner
        figure.layout[f"yaxis{at + 1 if at else ''}"] = {"domain": (max(0, top - ROW / inner), top), **AXIS}
        place = {"x": 0, "xref": "paper", "xanchor": "left", "y": top, "yref": "paper", "yanchor": "bottom"}
        font = {"size": NAME, "color": theme.muted}
        figure.add_annotation(text=label(name, longest=24), showarrow=False, borderpad=1, font=font, **place)
    return figure


def _scale(figure: Sketch, row: int, low: Numbers, high: Numbers, theme: Theme) -> None:
    """The axis of a row: as far as its bars go, with ticks at both ends and at zero; at zero if none goes."""
    ends = [min(0.0, float(low.min())), max(0.0, float(high.max()))]
    apart = 0.2 * (ends[1] - ends[0])
    ticks = [0.0, *(end for end in ends if abs(end) > apart)]
    if ends[0] == ends[1]:
        ends = [-1.0, 1.0]
    room = 0.06 * (ends[1] - ends[0])
    figure.layout[f"yaxis{row + 1 if row else ''}"].update(
        range=(ends[0] - room, ends[1] + room),
        tickvals=sorted(ticks),
        ticktext=[signed(tick) for tick in sorted(ticks)],
        tickfont={"size": TICK},
    )
    _line(figure, row, 0.0, {"color": theme.muted, "width": 1}, layer="below")


def _bars(
    row: int,
    x: Sequence[int],
    base: Numbers,
    length: Numbers,
    colours: Sequence[str],
    hovers: Sequence[str],
    width: float,
    places: Sequence[int],
) -> Trace:
    return trace_of(
        "bar",
        x=np.asarray(x),
        base=base.tolist(),
        y=length,
        width=width,
        yaxis=_name("y", row),
        marker={"color": list(colours)},
        customdata=list(places),
        hovertext=list(hovers),
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _means(row: int, mean: Numbers, theme: Theme) -> Trace:
    """A short line across each bar where the mean is."""
    look: dict[str, Any] = {"symbol": "line-ew", "size": 14, "line": {"color": theme.ink, "width": 2}}
    x = np.arange(len(mean))
    return trace_of(
        "scatter", x=x, y=mean, yaxis=_name("y", row), mode="markers", marker=look, hoverinfo="skip"
    )


def _lines(figure: Sketch, row: int, mean: float, deviation: float, theme: Theme) -> None:
    _line(figure, row, mean, {"color": theme.selection, "width": 2})
    for at in (mean - deviation, mean + deviation):
        _line(figure, row, at, {"color": theme.selection, "width": 2, "dash": "dot"})


def _line(figure: Sketch, row: int, at: float, look: dict[str, Any], *, layer: str = "above") -> None:
    place = {"x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "yref": _name("y", row)}
    figure.add_shape(type="line", line=look, layer=layer, **place)


def _name(axis: str, row: int) -> str:
    return f"{axis}{row + 1}" if row else axis
