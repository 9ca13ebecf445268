"""Rows of bars one above the other, on separate axes with the same columns."""

from collections.abc import Callable, Sequence
from math import asin, ceil, cos, degrees, floor, radians, sin
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viz.layout.canvas import canvas
from viz.layout.levels import draw_level
from viz.layout.plot import Plot
from viz.layout.rows import name_axis, row_height, word_ticks
from viz.layout.ruler import OVERHANG, Ruler
from viz.room import Room
from viz.text import em_width, literal, shortened, unique_words

FEWEST, WORD, SIDE = 2, 16, 12
"""Least number of columns that share the width, usual type of their words, and pixels on the right."""

ANGLE = 60
"""Degrees by which words over narrow columns are slanted, or more if they would touch."""

LEAST_BAR = 6
"""Pixels of the longest bar of a row that has no room for the text above it."""

MOST_TOLD = 3
"""Greatest number of bars of a row that an alternative text names."""

Numbers = NDArray[np.floating]


class WordColumns(NamedTuple):
    """Columns of words: their pitch, the type and slant of a word, and the step of written words.

    The words take `above` pixels above the columns.
    """

    words: Sequence[str]
    pitch: float
    type_size: float = WORD
    angle: float = 0
    step: int = 1
    above: float = 1.6 * WORD

    @property
    def ruler(self) -> Ruler:
        """The axis of columns, counted from 0."""
        n = max(len(self.words), FEWEST)
        return Ruler(low=-0.5, high=n - 0.5, length=n * self.pitch + 2 * OVERHANG)


def fit_columns(words: Sequence[str], width: float, least_type: float, beside: float = SIDE) -> WordColumns:
    """Fit columns into `width` with at least `beside` pixels after the last.

    Their words are horizontal if all fit, else slanted, else vertical; if they would still touch, every n-th
    is written.
    """
    n, longest = max(len(words), FEWEST), [em_width(shortened(word)) for word in words]
    pitch, right = (width - beside) / n, beside
    if (max(longest) + 0.5) * WORD <= pitch:
        return WordColumns(words, pitch)
    for _ in range(3):  # the room beside the last word depends on its slant, and the slant on the room
        pitch = (width - right) / n
        size = max(least_type, min(WORD, floor(pitch * sin(radians(ANGLE)))))
        step = ceil(size / pitch)
        angle = max(ANGLE, degrees(asin(min(1.0, size / (step * pitch)))))
        along = cos(radians(angle)) * size
        ends = [(at + 0.5) * pitch + one * along for at, one in enumerate(longest)]
        right = max(beside, max(ends) + size - n * pitch)
    above = (max(longest) * sin(radians(angle)) + 1) * size
    return WordColumns(words, pitch, size, angle, step, above)


def stacked(
    room: Room,
    ups: Sequence[Callable[[float], Ruler]],
    across: Ruler,
    left: float,
    *,
    above: float,
    below: float,
    heading: float,
    usual: float,
    least: float,
) -> list[Plot]:
    """Draw empty axes for each of `ups`, functions from a length to an upright axis, with a line at zero.

    They begin at `left`, with free pixels `above` all and `below`, and a `heading` above each. A row with its
    heading is as high as `usual`, and on a screen at least the `least`.
    """
    row = row_height(room, len(ups), around=above + below, usual=usual, least=least)
    heading = min(heading, row - 2 * OVERHANG - LEAST_BAR)
    paper = canvas(room.width, round(above + row * len(ups) + below), room.theme)
    paper.layout.update(barmode="overlay", bargap=0)
    plots = []
    for at, up in enumerate(ups):
        place: dict[str, Any] = {"left": left, "top": above + at * row + heading, "number": at + 1}
        plot = Plot(paper=paper, across=across, up=up(row - heading), **place)
        draw_empty(plot)
        plots.append(plot)
    return plots


def draw_empty(plot: Plot) -> None:
    """Draw axes without lines except at zero; an axis with ticks keeps its lines."""
    plot.draw_axes()
    for axis, ruler in (("xaxis", plot.across), ("yaxis", plot.up)):
        plot.axis(axis)["showline"] = bool(ruler.ticks)
    draw_level(plot, 0.0, {"color": plot.paper.theme.muted, "width": 1})


def write_words(plot: Plot, columns: WordColumns, above: float, chosen: int | None) -> None:
    """Write words, whose lower edge is `above` pixels above the canvas's; a hover names the others."""
    words = word_ticks(columns.words, columns.step, chosen, plot.paper.theme.selection)
    place = {"side": "top", "tickangle": -columns.angle, "anchor": "free"}
    axis = name_axis(columns.type_size) | words | place
    plot.axis("xaxis").update(axis, position=1 - above / plot.paper.height)


def draw_bars(
    plot: Plot,
    name: str,
    words: Sequence[str],
    lengths: Numbers,
    said: Sequence[str],
    colours: str | Sequence[str],
    **look: Any,
) -> None:
    """Draw a bar in each column. A hover names row, word and number; a click reports row and column."""
    columns = range(len(words))
    hovers = [f"{literal(name)}, {literal(word)}: {one}" for word, one in zip(words, said, strict=True)]
    # A list of pairs: the browser would report objects for an array's rows.
    look |= {"customdata": [(plot.number - 1, column) for column in columns], "marker": {"color": colours}}
    plot.trace(np.array(columns) + plot.across.low + 0.5, lengths, hovers, type="bar", **look)


def largest_bars(words: Sequence[str], sizes: Numbers, said: Sequence[str]) -> str:
    """Return the words with the largest sizes and their numbers; a negative size does not count."""
    names, order = unique_words(words), np.argsort(-sizes, kind="stable")
    largest = [at for at in order if sizes[at] >= 0][:MOST_TOLD]
    # In "layer 2, head 4 94 %" a listener would not hear the end of the name.
    return ", ".join(f"{names[at]}{':' * (', ' in names[at])} {said[at]}" for at in largest)
