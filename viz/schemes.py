"""What position schemes add to a score by distance: a small chart for each, all in one figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.words import signed
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.text import label, plain
from viz.theme import Theme

NARROWEST = 250
"""Pixels of width that one chart needs with its numbers at the left."""

MOST_COLUMNS, ROW, HEAD, FOOT = 3, 172, 46, 22
"""Charts in one row at most; pixels of a row, of its title and line in brief, and of the numbers below."""

NUMBERS, RIGHT = 54, 12
"""Pixels for the numbers at the left of a chart, and free at its right."""

TITLE, BRIEF, TICK, AXIS = 16, 14, 13, 14
FLAT = 1e-4
"""Changes up to this are rounding: such a chart has the scale of ±1."""


@dataclass(frozen=True, kw_only=True)
class Course:
    """What one scheme adds to a score: a title, a line in brief, and the `values` (head, distance)."""

    title: str
    brief: str
    values: NDArray[np.floating]


def courses(
    panels: Sequence[Course], *, chosen: int, title: str, x_title: str, theme: Theme, size: int
) -> Picture:
    """Draw a chart for each scheme, every one on its own scale, with the line of the `chosen` head on top.

    A click on a line reports the number of the chart as customdata. The table has a row for each distance
    and a column for each scheme: the numbers of the chosen head.
    """
    return finished(
        _drawn(panels, chosen=chosen, x_title=x_title, theme=theme, size=size),
        alt=_alt(panels, chosen, title),
        table=lambda: _table(panels, chosen, x_title),
        title=title,
    )


@cached_figure
def _drawn(panels: Sequence[Course], *, chosen: int, x_title: str, theme: Theme, size: int) -> go.Figure:
    columns = max(1, min(len(panels), MOST_COLUMNS, size // NARROWEST))
    n_rows = ceil(len(panels) / columns)
    height = n_rows * ROW + AXIS + 8
    figure = blank(theme, height=height, width=size)
    figure.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0})
    for at, panel in enumerate(panels):
        left, top = (at % columns) * size / columns, (at // columns) * ROW
        across = ((left + NUMBERS) / size, (left + size / columns - RIGHT) / size)
        upwards = (1 - (top + ROW - FOOT) / height, 1 - (top + HEAD) / height)
        number = "" if at == 0 else str(at + 1)
        _draw_axes(figure, number, panel.values, across, upwards, theme)
        for trace in _lines(panel, at, number, chosen, theme):
            figure.add_trace(trace)
        _write_head(figure, panel, across[0], 1 - top / height, theme, room=size / columns - NUMBERS)
    font = {"size": AXIS, "color": theme.muted}
    place = {"x": 1 - RIGHT / size, "y": 0, "xref": "paper", "yref": "paper"}
    figure.add_annotation(
        text=label(x_title), showarrow=False, xanchor="right", yanchor="bottom", font=font, **place
    )
    return figure.finished()


def _draw_axes(
    figure: Sketch,
    number: str,
    values: NDArray[np.floating],
    across: tuple[float, float],
    upwards: tuple[float, float],
    theme: Theme,
) -> None:
    """The axes of one chart: distances at both ends, and zero with the ends of the values."""
    n = values.shape[1]
    ends = sorted({0.0, *_ends(values)})
    low, high = min(ends), max(ends)
    room = 0.06 * (high - low)
    # Numbers that would touch zero are left out.
    ticks = [end for end in ends if end == 0 or abs(end) > 0.15 * (high - low)]
    look = {
        "visible": True,
        "fixedrange": True,
        "showgrid": False,
        "ticks": "",
        "tickfont": {"size": TICK, "color": theme.muted},
    }
    figure.layout[f"xaxis{number}"] = look | {
        "domain": across,
        "anchor": f"y{number}",
        "range": (-0.5, n - 0.5),
        "tickvals": [0, n // 2, n - 1],
        "zeroline": False,
    }
    figure.layout[f"yaxis{number}"] = look | {
        "domain": upwards,
        "anchor": f"x{number}",
        "range": (low - room, high + room),
        "tickvals": ticks,
        "ticktext": [signed(tick) for tick in ticks],
        "zeroline": True,
        "zerolinecolor": theme.line,
        "zerolinewidth": 1,
    }


def _ends(values: NDArray[np.floating]) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return (-1.0, 1.0) if max(abs(low), abs(high)) <= FLAT else (low, high)


def _lines(panel: Course, at: int, number: str, chosen: int, theme: Theme) -> list[Trace]:
    """The other heads as one quiet trace, and the chosen head above them."""
    values = np.asarray(panel.values, dtype=float)
    n_heads, n = values.shape
    others = [head for head in range(n_heads) if head != chosen]
    gaps = np.full((len(others), 1), np.nan)
    axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    traces = []
    if others:
        traces.append(
            trace_of(
                "scatter",
                x=np.tile(np.append(np.arange(n, dtype=float), np.nan), len(others)),
                y=np.concatenate([values[others], gaps], axis=1).ravel(),
                mode="lines",
                line={"color": theme.line, "width": 1.5},
                hoverinfo="skip",
                **axes,
            )
        )
    said = [
        f"{label(panel.title)}, {back} back: {signed(float(one))}" for back, one in enumerate(values[chosen])
    ]
    traces.append(
        trace_of(
            "scatter",
            x=np.arange(n),
            y=values[chosen],
            customdata=np.full(n, at),
            mode="lines+markers",
            line={"color": theme.attention, "width": 2.5},
            marker={"size": 4, "color": theme.attention},
            hovertext=said,
            hovertemplate="%{hovertext}<extra></extra>",
            **axes,
        )
    )
    return traces


def _write_head(figure: Sketch, panel: Course, left: float, top: float, theme: Theme, *, room: float) -> None:
    place = {"x": left, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}
    for text, size, down, colour in (
        (f"<b>{label(panel.title, longest=room / TITLE)}</b>", TITLE, 0, theme.ink),
        (label(panel.brief, longest=room / BRIEF * 1.6), BRIEF, -20, theme.muted),
    ):
        font = {"size": size, "color": colour}
        figure.add_annotation(text=text, showarrow=False, borderpad=0, yshift=down, font=font, **place)


def _alt(panels: Sequence[Course], chosen: int, title: str) -> str:
    told = []
    for panel in panels:
        values = np.asarray(panel.values, dtype=float)[chosen]
        course = (
            "the same at every distance"
            if np.abs(values).max() <= FLAT
            else f"from {signed(float(values.min()))} to {signed(float(values.max()))}"
        )
        told.append(f"{plain(panel.title)} ({plain(panel.brief)}) {course}")
    return f"{title}: {'; '.join(told)}."


def _table(panels: Sequence[Course], chosen: int, x_title: str) -> pd.DataFrame:
    columns = {panel.title: np.asarray(panel.values)[chosen] for panel in panels}
    return pd.DataFrame(columns).rename_axis(x_title)
