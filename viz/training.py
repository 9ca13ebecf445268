"""A training as it goes on: loss, accuracy, gradient and learning rate against the steps taken."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from core.words import counted, decimal, enumerated, magnitude, per_cent
from viz.parts.levels import Course, write_levels
from viz.parts.ruler import TICK
from viz.parts.sketch import Sketch, blank, trace_of
from viz.picture import Picture, finished
from viz.text import fitting_size, plain
from viz.theme import Theme

SMOOTHED_OVER = 40
"""Over how many steps the thick curves average, as the span of an exponentially weighted mean."""

MOST_POINTS = 600
"""Greatest number of points drawn of a curve: a panel has fewer pixels."""

TITLE, SMALLEST_TITLE = 16, 11
WIDEST_HEAD = "learning rate 0.00048"
"""The longest title and usual value: by the value now, type would change its size during a training."""

LEFT, RIGHT, TOP, BOTTOM = 52, 22, 26, 24
"""Pixels around the panels: ticks at the left and below, the titles of the upper ones above."""

COLUMNS = (0.0, 0.44), (0.56, 1.0)
ROWS = (0.44, 1.0), (0.0, 0.27)
"""The panels' domains in the figure, as shares of it."""


LARGEST_IN_FULL = 1000.0
"""From which on a number of a training that diverges is written short: in full it has no room."""


def _short(value: float) -> str:
    return magnitude(value) if value >= LARGEST_IN_FULL else f"{value:.2f}"


@dataclass(frozen=True)
class Panel:
    """A panel: a column of the table, what it is called, how a value is written, where it lies."""

    column: str
    title: str
    say: Callable[[float], str]
    across: tuple[float, float]
    up: tuple[float, float]
    smoothed: bool = True


PANELS = (
    Panel("loss", "loss", lambda loss: f"{_short(loss)} nats", COLUMNS[0], ROWS[0]),
    Panel("accuracy", "accuracy", per_cent, COLUMNS[1], ROWS[0]),
    Panel("gradient_norm", "gradient norm", _short, COLUMNS[0], ROWS[1]),
    Panel("learning_rate", "learning rate", decimal, COLUMNS[1], ROWS[1], smoothed=False),
)

TITLE_OF_ALL = f"{enumerated([panel.title for panel in PANELS]).capitalize()} during training"

References = Mapping[str, Mapping[str, float]]
"""Values to compare with, by their names, for some columns."""


def smoothed(values: pd.Series, *, span: int = SMOOTHED_OVER) -> pd.Series:
    """The exponentially weighted mean of everything so far: the latest values count most.

    The weights add up to one from the first value on, so there is no pull towards zero at the beginning.
    """
    return values.ewm(span=span, adjust=True).mean()


def training_curves(
    table: pd.DataFrame,
    *,
    total: int,
    references: References,
    schedule: Sequence[float],
    theme: Theme,
    height: int = 400,
    width: float = inf,
) -> Picture:
    """Four panels over the steps from 0 to `total`, from the columns of `table`, a row for each step.

    Thin lines are the steps themselves, thick ones their smoothed course; the number beside a title is its
    latest value. `references` are drawn across their panels and named there. `schedule` is the learning rate
    of every step that is planned, drawn ahead of what is done. Before the first step the table
    is of that alone. Titles are set smaller where the page has less `width` than they need.
    """
    figure = _drawn(
        table,
        total=total,
        references=references,
        schedule=schedule,
        theme=theme,
        height=height,
        size=_size_of_titles(width),
    )
    told = _told(table, total=total, references=references)
    planned = pd.DataFrame({"step": np.arange(1, len(schedule) + 1), "learning_rate": schedule})
    return finished(figure, told, lambda: planned if table.empty else table, title=TITLE_OF_ALL)


def _drawn(
    table: pd.DataFrame,
    *,
    total: int,
    references: References,
    schedule: Sequence[float],
    theme: Theme,
    height: int,
    size: int,
) -> go.Figure:
    figure = blank(theme, height=height)
    figure.update_layout(margin={"l": LEFT, "r": RIGHT, "t": TOP, "b": BOTTOM}, hovermode="closest")
    for at, panel in enumerate(PANELS, start=1):
        number = str(at) if at > 1 else ""
        axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        lines = references.get(panel.column, {})
        ahead = schedule if panel.column == "learning_rate" else []
        figure.layout[f"xaxis{number}"] = _across(panel, total, theme, anchor=axes["yaxis"])
        figure.layout[f"yaxis{number}"] = _up(
            panel, [*table[panel.column], *lines.values(), *ahead], theme, anchor=axes["xaxis"]
        )
        if len(ahead):
            _thin(figure, np.arange(1, len(ahead) + 1), ahead, theme, axes)
        pixels = (height - TOP - BOTTOM) * (panel.up[1] - panel.up[0])
        write_levels(
            figure, lines, _courses(table, panel), total=total, pixels=pixels, theme=theme, axes=axes
        )
        _draw(figure, table, panel, theme, axes)
        _head(figure, table, panel, theme, size)
    return figure.finished()


def _told(table: pd.DataFrame, *, total: int, references: References) -> str:
    """How far the training is, where each curve began and is now, for those who cannot see them."""
    if table.empty:
        return f"Training: none of {counted(total, 'step')} taken yet."
    courses = [_course(table, panel, references.get(panel.column, {})) for panel in PANELS]
    return f"Training after {int(table['step'].iloc[-1])} of {counted(total, 'step')}. {' '.join(courses)}"


def _course(table: pd.DataFrame, panel: Panel, lines: Mapping[str, float]) -> str:
    first, last = table[panel.column].iloc[0], _latest(table, panel)
    beside = "".join(f", {plain(name)} {panel.say(value)}" for name, value in lines.items())
    return f"{panel.title.capitalize()} from {panel.say(first)} to {panel.say(last)}{beside}."


def _latest(table: pd.DataFrame, panel: Panel) -> float:
    values = table[panel.column]
    return float((smoothed(values) if panel.smoothed else values).iloc[-1])


def _draw(figure: Sketch, table: pd.DataFrame, panel: Panel, theme: Theme, axes: Mapping[str, str]) -> None:
    values = table[panel.column]
    kept = _kept(len(table))
    course = smoothed(values) if panel.smoothed else values
    along, colour = table["step"].to_numpy()[kept], theme.attention
    if panel.smoothed:
        _thin(figure, table["step"], values, theme, axes)
    shown = course.to_numpy()[kept]
    figure.add_trace(
        trace_of(
            "scatter",
            x=along,
            y=shown,
            mode="lines+markers" if len(kept) == 1 else "lines",
            line={"color": colour, "width": 3},
            hovertext=[
                f"{panel.title} {panel.say(value)} at step {at:,}"
                for at, value in zip(along, shown, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            **axes,
        )
    )


def _thin(figure: Sketch, along: ArrayLike, values: ArrayLike, theme: Theme, axes: Mapping[str, str]) -> None:
    """A pale line, behind the one that counts."""
    kept = _kept(len(np.asarray(values)))
    line = {"color": theme.attention, "width": 1}
    x, y = np.asarray(along)[kept], np.asarray(values)[kept]
    figure.add_trace(
        trace_of("scatter", x=x, y=y, mode="lines", line=line, opacity=0.4, hoverinfo="skip", **axes)
    )


def _kept(n: int) -> list[int]:
    """Evenly spaced rows, few enough to draw, and always the last."""
    step = max(1, ceil(n / MOST_POINTS))
    return list(range(n - 1, -1, -step))[::-1]


def _size_of_titles(width: float) -> int:
    """Pixels of type at which a title and the value at its other end do not touch."""
    room = (width - LEFT - RIGHT) * (COLUMNS[0][1] - COLUMNS[0][0])
    return TITLE if room == inf else fitting_size(WIDEST_HEAD, room, usual=TITLE, smallest=SMALLEST_TITLE)


def _head(figure: Sketch, table: pd.DataFrame, panel: Panel, theme: Theme, size: int) -> None:
    """The title above the panel, and at its other end the latest value."""
    place = {"xref": "paper", "yref": "paper", "y": panel.up[1], "yanchor": "bottom", "showarrow": False}
    font = {"size": size, "color": theme.ink}
    figure.add_annotation(text=panel.title, x=panel.across[0], xanchor="left", font=font, **place)
    if len(table):
        value = f"<b>{panel.say(_latest(table, panel))}</b>"
        font = {"size": size, "color": theme.attention}
        figure.add_annotation(text=value, x=panel.across[1], xanchor="right", font=font, **place)


def _courses(table: pd.DataFrame, panel: Panel) -> list[Course]:
    """The two lines of a panel as they are drawn: the steps themselves and their smoothed course."""
    kept = _kept(len(table))
    along, values = table["step"], table[panel.column]
    return [
        (along.to_numpy(float)[kept], line.to_numpy(float)[kept])
        for line in (values, smoothed(values) if panel.smoothed else values)
    ]


def _across(panel: Panel, total: int, theme: Theme, *, anchor: str) -> dict[str, object]:
    """The steps, from none to all that are planned."""
    return {
        **_quiet(theme),
        "domain": panel.across,
        "anchor": anchor,
        "range": (0, total),
        "tickvals": [0, total / 2, total],
        "ticktext": ["0", "steps", f"{total:,}"],
    }


def _up(panel: Panel, values: Sequence[float], theme: Theme, *, anchor: str) -> dict[str, object]:
    """The range of an axis, from nothing to the largest of `values`; shares always to one."""
    axis = {**_quiet(theme), "domain": panel.up, "anchor": anchor, "nticks": 4}
    if panel.column == "accuracy":
        return {**axis, "range": (0, 1.02), "tickvals": [0, 0.5, 1], "ticktext": ["0 %", "50 %", "100 %"]}
    largest = max(values, default=1.0)
    axis |= {"range": (0, 1.05 * largest)}
    if largest >= LARGEST_IN_FULL:
        return {**axis, "tickvals": [0, largest], "ticktext": ["0", magnitude(largest)]}
    return {**axis, "tickformat": "~r"}


def _quiet(theme: Theme) -> dict[str, object]:
    return {
        "visible": True,
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": theme.line,
        "ticks": "",
        "tickangle": 0,
        "tickfont": {"size": TICK - 1},
    }
