"""A training in progress: loss, accuracy, gradient and learning rate by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from viz.layout.canvas import Rect, canvas
from viz.layout.figure import Figure
from viz.layout.levels import draw_level, place_of_name, write_level
from viz.layout.line_looks import BOLD
from viz.layout.plot import Plot, below, beside, fitted_height
from viz.layout.plot import title as title_of
from viz.layout.ruler import TICK, Ruler, Say, across, upright
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, plain
from words import counted, decimal, enumerated, magnitude, per_cent, signed

SMOOTHED_OVER = 40
"""Span in steps of the exponentially weighted mean of the thick curves."""

SMOOTHED = (
    f"Thick lines are means of the last {SMOOTHED_OVER} steps or so, and thin ones the steps themselves; the "
    "thin line of the learning rate is its schedule."
)

MOST_POINTS = 600
"""Greatest number of points drawn of a curve: a panel has fewer pixels."""

HEIGHT, LOWEST = 400, 330
"""Usual and least height of the figure in pixels."""

HEAD, LINE = 16, 21
"""Type size of the title of a panel and its latest value, and the height of their line."""

APART, GAP, RIGHT, FOOT = 16, 28, 14, 4
"""Pixels between a title and a value in one line, between panels, on their right and at the lower edge."""

WIDEST = "0.00048"
"""Longest usual value of the longest title, so that lines do not change during a training."""

UPPER = 0.62
"""Share of the height for the upper panels."""

MOST_TICKS = 5

STEPS = "training steps"

LARGEST_IN_FULL = 1000.0
"""Value from which on a number of a diverging training is written short, because it has no room."""


def _short(value: float) -> str:
    return magnitude(value) if value >= LARGEST_IN_FULL else f"{value:.2f}"


@dataclass(frozen=True)
class Panel:
    """A panel: a column of the table, its title, and the writing of values and ticks."""

    column: str
    title: str
    say: Say
    tick: Say
    smoothed: bool = True


PANELS = (
    Panel("loss", "loss", lambda loss: f"{_short(loss)} nats", signed),
    Panel("accuracy", "accuracy", per_cent, per_cent),
    Panel("gradient_norm", "gradient norm", _short, signed),
    Panel("learning_rate", "learning rate", decimal, decimal, smoothed=False),
)
"""The panels from left to right and down, two in a row."""

TITLE_OF_ALL = f"{enumerated([panel.title for panel in PANELS]).capitalize()} during training"

References = Mapping[str, Mapping[str, float]]
"""Reference values by name, for some columns."""


def smoothed(values: pd.Series, *, span: int = SMOOTHED_OVER) -> pd.Series:
    """Return the exponentially weighted mean so far, whose weights add up to one from the first value on."""
    return values.ewm(span=span, adjust=True).mean()


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingCurves(Picture):
    """Four panels over the steps from 0 to `total`, from the columns of `steps`, a row for each step.

    Thin lines are the steps themselves, thick ones their smoothed course; the number beside a title is its
    latest value. `references` are drawn across their panels and named there. `schedule` is the learning rate
    of every planned step, drawn ahead. Before the first step the table has only the schedule.
    """

    steps: pd.DataFrame
    total: int
    references: References
    schedule: Sequence[float]
    title: str = TITLE_OF_ALL

    def draw(self, room: Room) -> Figure:
        height = fitted_height(room, HEIGHT, LOWEST)
        paper = canvas(room.width, height, room.theme, line_scale=room.line_scale)
        paper.layout.update(hovermode="closest")
        wide = (room.width - GAP) / 2
        n_lines = 1 if em_width(PANELS[-1].title + WIDEST) * HEAD + APART <= wide - 4 * TICK else 2
        steps = title_of(STEPS, wide, smallest=room.smallest_type)
        around = LINE * n_lines + below(TICK)
        inner = height - 2 * around - steps.height - FOOT
        heights = [UPPER * inner] * 2 + [(1 - UPPER) * inner] * 2
        ups = [self._up(panel, length) for panel, length in zip(PANELS, heights, strict=True)]
        for at, (panel, up) in enumerate(zip(PANELS, ups, strict=True)):
            column, is_lower = at % 2, at >= 2
            left = column * (wide + GAP) + max(beside(ups[column]), beside(ups[column + 2]))
            length = (column + 1) * wide + column * GAP - left - RIGHT
            along = across([0, self.total], length, most=MOST_TICKS)
            top = LINE * n_lines + is_lower * (heights[0] + around)
            plot = Plot(paper=paper, left=left, top=top, across=along, up=up, number=at + 1)
            plot.draw_axes(steps if is_lower else None)
            self._write_head(plot, panel, n_lines)
            self._draw_panel(plot, panel)
        return paper.finished()

    def alt(self) -> str:
        if self.steps.empty:
            return f"Training: none of {counted(self.total, 'step')} taken yet."
        details = " ".join(map(self._course, PANELS))
        last = int(self.steps["step"].iloc[-1])
        return f"Training after {last} of {counted(self.total, 'step')}. {details} {SMOOTHED}"

    def table(self) -> pd.DataFrame:
        planned = {"step": np.arange(1, len(self.schedule) + 1), "learning_rate": self.schedule}
        return pd.DataFrame(planned) if self.steps.empty else self.steps

    def _course(self, panel: Panel) -> str:
        first, last = panel.say(self.steps[panel.column].iloc[0]), panel.say(self._latest(panel))
        lines = self.references.get(panel.column, {})
        others = "".join(f", {plain(name)} {panel.say(value)}" for name, value in lines.items())
        return f"{panel.title.capitalize()} from {first} to {last}{others}."

    def _latest(self, panel: Panel) -> float:
        return float(self._shown(panel).iloc[-1])

    def _shown(self, panel: Panel) -> pd.Series:
        values = self.steps[panel.column]
        return smoothed(values) if panel.smoothed else values

    def _planned(self, panel: Panel) -> Sequence[float]:
        return self.schedule if panel.column == "learning_rate" else []

    def _up(self, panel: Panel, length: float) -> Ruler:
        """Return an axis from zero to the largest number of a panel, or to one for shares."""
        lines = self.references.get(panel.column, {}).values()
        values = [0.0, *self.steps[panel.column], *lines, *self._planned(panel)]
        is_share = panel.say is per_cent
        return upright(
            [*values, 1.0] if is_share or max(values) == 0 else values, panel.tick, length, most=MOST_TICKS
        )

    def _write_head(self, plot: Plot, panel: Panel, n_lines: int) -> None:
        """Write the title above a panel, and its latest value at the other end or below."""
        theme = plot.paper.theme
        above = plot.top - LINE * (n_lines - 1)
        plot.paper.note(panel.title, plot.left, above, "left bottom", size=HEAD, colour=theme.ink)
        if not self.steps.empty:
            value = f"<b>{panel.say(self._latest(panel))}</b>"
            x, anchor = (plot.right, "right bottom") if n_lines == 1 else (plot.left, "left bottom")
            plot.paper.note(value, x, plot.top, anchor, size=HEAD, colour=theme.attention)

    def _draw_panel(self, plot: Plot, panel: Panel) -> None:
        """Draw the reference lines, the planned schedule, the steps and their smoothed course."""
        colour, planned = plot.paper.theme.attention, self._planned(panel)
        thin: dict[str, Any] = {"mode": "lines", "line": {"color": colour, "width": 1}, "opacity": 0.4}
        self._draw_references(plot, panel)
        if len(planned):
            kept = _kept(len(planned))
            plot.trace(np.array(kept) + 1, np.asarray(planned)[kept], **thin)
        kept = _kept(len(self.steps))
        along = self.steps["step"].to_numpy()[kept]
        if panel.smoothed:
            plot.trace(along, self.steps[panel.column].to_numpy()[kept], **thin)
        shown = self._shown(panel).to_numpy()[kept]
        hovers = [
            f"{panel.title} {panel.say(value)} at step {at:,}" for at, value in zip(along, shown, strict=True)
        ]
        mode = "lines+markers" if len(kept) == 1 else "lines"
        plot.trace(
            along, shown, hovers, mode=mode, line={"color": colour, "width": BOLD * plot.paper.line_scale}
        )

    def _draw_references(self, plot: Plot, panel: Panel) -> None:
        """Draw reference lines, each named in a place with the fewest curves and names in its way."""
        kept, lines = _kept(len(self.steps)), self.references.get(panel.column, {})
        drawn = [self.steps[panel.column], self._shown(panel)]
        along = self.steps["step"].to_numpy(float)[kept]
        courses = [plot.course(along, values.to_numpy(float)[kept]) for values in drawn]
        ends = np.array([plot.left, plot.right])
        courses += [(ends, np.full(2, plot.y(value))) for value in lines.values()]
        taken: list[Rect] = []
        for name, value in lines.items():
            box, _ = place_of_name(plot, value, name, courses, taken)
            taken.append(box)
            draw_level(plot, value)
            write_level(plot, name, box)


def _kept(n: int) -> list[int]:
    """Return evenly spaced rows, few enough to draw, and always the last."""
    step = max(1, ceil(n / MOST_POINTS))
    return list(range(n - 1, -1, -step))[::-1]
