"""Additions of position schemes to a score by distance: a small chart for each, in one figure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.canvas import canvas
from viz.layout.figure import Figure
from viz.layout.plot import Plot, below, beside
from viz.layout.plot import title as title_of
from viz.layout.ruler import TICK, Ruler, across, upright
from viz.picture import Picture
from viz.room import Room
from viz.text import label, plain
from words import signed

NARROWEST, MOST_COLUMNS, PLOT = 165, 3, 110
"""Least pixels of width of one chart; greatest number of charts in a row; usual height of the axes."""

BRIEF, GAP, BETWEEN, FOOT = 14, 14, 12, 4
"""Type size of the line in brief, and pixels beside a chart, below it and below all of them."""

MOST_TICKS = 4

FLAT = 1e-4
"""Changes up to this are rounding: such a chart has the scale of ±1."""


@dataclass(frozen=True, kw_only=True)
class SchemeCurve:
    """The addition of one scheme to a score: a title, a line in brief, and the `values` (head, distance)."""

    title: str
    brief: str
    values: NDArray[np.floating]


@dataclass(frozen=True, kw_only=True, eq=False)
class Schemes(Picture):
    """A chart for each scheme, each on a separate scale, with the line of the `chosen` head on top.

    A click on a line reports the number of the chart as customdata. The table has a row for each distance and
    a column for each scheme: the numbers of the chosen head.
    """

    panels: Sequence[SchemeCurve]
    chosen: int
    x_title: str

    def draw(self, room: Room) -> Figure:
        n_columns = self._columns(room)
        n_rows = ceil(len(self.panels) / n_columns)
        wide = (room.width + GAP) / n_columns - GAP
        small = room.smallest_type
        names = [title_of(panel.title, wide, smallest=small) for panel in self.panels]
        briefs = [title_of(panel.brief, wide, usual=BRIEF, smallest=small) for panel in self.panels]
        above = max(name.height + brief.height for name, brief in zip(names, briefs, strict=True))
        axis = title_of(self.x_title, wide, smallest=small)
        foot = below(TICK) + axis.height + FOOT
        usual = n_rows * (above + PLOT + BETWEEN) + foot
        paper = canvas(room.width, round(room.tallest if room.fills else usual), room.theme)
        row = (paper.height - foot) / n_rows
        ups = [_up(panel.values, row - above - BETWEEN) for panel in self.panels]
        for at, (panel, name, brief, up) in enumerate(zip(self.panels, names, briefs, ups, strict=True)):
            column, top = at % n_columns * (wide + GAP), at // n_columns * row
            left = column + max(map(beside, ups[at % n_columns :: n_columns]))
            along = across(range(panel.values.shape[1]), column + wide - left, most=MOST_TICKS)
            is_lowest = at + n_columns >= len(self.panels)
            along = along if is_lowest else replace(along, ticks={})
            plot = Plot(paper=paper, left=left, top=top + above, across=along, up=up, number=at + 1)
            plot.draw_axes(axis if is_lowest else None)
            paper.note(f"<b>{name.text}</b>", column, top, "left top", size=name.size, align="left")
            look: dict[str, Any] = {"size": brief.size, "colour": room.theme.muted, "align": "left"}
            paper.note(brief.text, column, top + name.height, "left top", **look)
            self._draw_lines(plot, panel, at)
        return paper.finished()

    def alt(self) -> str:
        return f"{self.title}: {'; '.join(map(self._course, self.panels))}."

    def table(self) -> pd.DataFrame:
        columns = {panel.title: panel.values[self.chosen] for panel in self.panels}
        return pd.DataFrame(columns).rename_axis(self.x_title)

    def _course(self, panel: SchemeCurve) -> str:
        values = np.asarray(panel.values[self.chosen], dtype=float)
        course = f"from {signed(float(values.min()))} to {signed(float(values.max()))}"
        if np.abs(values).max() <= FLAT:
            course = "the same at every distance"
        return f"{plain(panel.title)} ({plain(panel.brief)}) {course}"

    def _columns(self, room: Room) -> int:
        """Return the number of charts side by side; in a room to fill, the best number for all."""
        n = len(self.panels)
        most = max(1, min(n, MOST_COLUMNS, int(room.width // NARROWEST)))
        if not room.fills:
            return most
        return max(
            range(1, most + 1),
            key=lambda columns: min(
                room.width / columns / NARROWEST, room.tallest / ceil(n / columns) / PLOT
            ),
        )

    def _draw_lines(self, plot: Plot, panel: SchemeCurve, at: int) -> None:
        """Draw zero, the other heads as one muted line, and the chosen head above them."""
        theme, values = plot.paper.theme, np.asarray(panel.values, dtype=float)
        zero, quiet = plot.y(0), {"color": theme.line, "width": 1}
        plot.paper.shape_between("line", (plot.left, zero), (plot.right, zero), layer="below", line=quiet)
        others, n = np.delete(values, self.chosen, axis=0), values.shape[1]
        if len(others):
            gaps = np.full((len(others), 1), np.nan)
            along = np.tile(np.append(np.arange(n, dtype=float), np.nan), len(others))
            heights = np.concatenate([others, gaps], axis=1).ravel()
            plot.trace(along, heights, mode="lines", line={"color": theme.line, "width": 1.5})
        chosen, named = values[self.chosen], label(panel.title)
        said = [f"{named}, {back} back: {signed(float(one))}" for back, one in enumerate(chosen)]
        line = {"color": theme.attention, "width": 2.5 * plot.paper.line_scale}
        look = {"mode": "lines+markers", "line": line, "marker": {"color": theme.attention, "size": 4}}
        plot.trace(np.arange(n), chosen, said, customdata=np.full(n, at), **look)


def _up(values: NDArray[np.floating], length: float) -> Ruler:
    """Return an upright axis with zero on it."""
    reach = [-1.0, 0.0, 1.0] if np.abs(values).max() <= FLAT else [0.0, *np.ravel(values)]
    return upright(reach, signed, length, most=MOST_TICKS)
