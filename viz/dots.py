"""A dot for each of many numbers, stacked over an axis, with their median and quartiles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import LEGEND_LINE, MARGIN, canvas, joined
from viz.layout.figure import Figure
from viz.layout.levels import draw_mark
from viz.layout.plot import Plot, below, fitted_height, title
from viz.layout.ruler import TICK, Ruler
from viz.picture import Picture
from viz.room import Room
from viz.text import literal
from words import two_decimals

HEIGHT, LEAST_HEIGHT, ABOVE = 250, 170, 30
"""Usual and least height in pixels, and room above the dots for the name of the marked number."""

BIN = 0.05
"""Width of a bin: numbers in one bin are stacked."""

LARGEST_DOT, SMALLEST_DOT = 10, 3

LOW, HIGH = -1.0, 1.0
TICKS = {-1.0: "−1", -0.5: "−0.5", 0.0: "0", 0.5: "0.5", 1.0: "1"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Dots(Picture):
    """A dot for each correlation, with a band for the middle half and a line at the median.

    `quantity` names the numbers on the axis, and each of `names` one of them. A dotted line, named `mark`, is
    drawn at the `marked` number, which need not be one of them.
    """

    numbers: ArrayLike
    names: Sequence[str]
    quantity: str
    unit: str
    marked: float | None = None
    mark: str = ""

    def draw(self, room: Room) -> Figure:
        theme, numbers = room.theme, np.asarray(self.numbers, dtype=float)
        quantity = title(self.quantity, room.width, smallest=room.smallest_type)
        legend = joined(
            [
                f'<span style="color:{theme.attention}">●</span> {literal(self.unit)}',
                f'<span style="color:{theme.ink}"><b>|</b></span> median',
                f'<span style="color:{theme.line}">■</span> middle half',
            ],
            room.width,
        )
        foot = below(TICK) + quantity.height + LEGEND_LINE * len(legend) + MARGIN
        height = fitted_height(room, HEIGHT, LEAST_HEIGHT)
        drawn = canvas(room.width, height, theme)
        heights = stacked(numbers)
        length = height - ABOVE - foot
        plot = Plot(
            paper=drawn,
            left=MARGIN,
            top=ABOVE,
            across=Ruler(low=LOW, high=HIGH, length=room.width - 2 * MARGIN, ticks=TICKS),
            up=Ruler(low=0, high=float(heights.max()) + 1, length=length),
        )
        plot.draw_axes(quantity)
        plot.axis("yaxis")["showline"] = False
        low, middle, high = np.percentile(numbers, (25, 50, 75))
        place = {"xref": plot.axes["xaxis"], "yref": f"{plot.axes['yaxis']} domain", "y0": 0, "y1": 1}
        band = {"fillcolor": theme.line, "line": {"width": 0}, "layer": "below"}
        drawn.shape(type="rect", x0=low, x1=high, **band, **place)
        drawn.shape(type="line", x0=middle, x1=middle, line={"color": theme.ink, "width": 2}, **place)
        across = BIN / (HIGH - LOW) * plot.across.length
        size = max(SMALLEST_DOT, min(LARGEST_DOT, across, length / (float(heights.max()) + 1)))
        hovers = [
            f"{literal(name)}: {two_decimals(one)}" for name, one in zip(self.names, numbers, strict=True)
        ]
        look = {"symbol": "circle", "size": size, "color": theme.attention}
        plot.trace(np.round(numbers / BIN) * BIN, heights, hovers, mode="markers", marker=look)
        if self.marked is not None:
            draw_mark(plot, self.marked, self.mark, room.theme.selection)
        drawn.legend(legend, MARGIN, plot.bottom + below(TICK) + quantity.height + MARGIN / 2)
        return drawn.finished()

    def alt(self) -> str:
        numbers = np.asarray(self.numbers, dtype=float)
        ends = np.percentile(numbers, (0, 25, 50, 75, 100))
        least, low, middle, high, most = (two_decimals(float(one)) for one in ends)
        marked = "" if self.marked is None else f" {self.mark}: {two_decimals(self.marked)}."
        return (
            f"{self.title}: {len(numbers)} dots from {least} to {most}. Median {middle}, quartiles {low} and "
            f"{high}.{marked}"
        )

    def table(self) -> pd.DataFrame:
        return pd.DataFrame({self.unit: list(self.names), self.quantity: np.asarray(self.numbers)})


def stacked(numbers: ArrayLike) -> np.ndarray:
    """Return the height of each number's dot: above all earlier ones of its bin."""
    bins = pd.Series(np.round(np.asarray(numbers, dtype=float) / BIN).astype(int))
    return (bins.groupby(bins).cumcount() + 1).to_numpy(float)
