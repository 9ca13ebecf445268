"""Rows and columns of a figure: their sizes in a room, their names, bars, digits and gaps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, floor, inf, radians, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.layout.canvas import Canvas
from viz.layout.figure import Axis, Trace, trace_of
from viz.layout.plot import Plot, Title
from viz.layout.ruler import Ruler
from viz.layout.scale import Scale
from viz.room import Room
from viz.text import em_width, label, shortened
from viz.theme import Theme

ROW, LEAST_ROW, PAIRED_ROW, BREAK = 28, 20, 36, 0.35
"""Pixels of height of a row, its least height on a page, and the height of a row with two bars.

The last is the space before a separate row, in rows.
"""

WORD, NUMBER, BESIDE = 16, 13, 8
"""Type sizes of names and numbers, and the space beside them, in pixels."""

ALONE, PAIRED, APART = 0.62, 0.36, 0.2
"""Thickness in rows of a single bar and of one of two, and the distance of each of two from the middle."""

LONGEST_NAME = 10.0
"""Greatest width in em of a name beside its bars."""


TYPE, SLANT = 15, 60
"""Type size of the names in pixels, and the degrees by which they are slanted."""


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Names one below the other: their places in rows, the height of a row and the type sizes in pixels."""

    names: Sequence[str]
    marked: Sequence[bool]
    places: np.ndarray
    row: float
    type_size: float
    number_size: float

    @property
    def height(self) -> float:
        return (float(self.places[-1]) + 1) * self.row

    @property
    def width(self) -> float:
        """Pixels of the longest name with the space on both sides."""
        longest = max(em_width(shortened(name, longest=LONGEST_NAME)) for name in self.names)
        return longest * self.type_size + 2 * BESIDE

    def plot(
        self, paper: Canvas, left: float, top: float, across: Ruler, title: Title | None = None, **look: Any
    ) -> Plot:
        """Draw axes: quantities across, and names upright, marked ones in the colour of a choice."""
        up = Ruler(low=0, high=1, length=self.height)
        plot = Plot(paper=paper, left=left, top=top, across=across, up=up, **look)
        plot.draw_axes(title)
        plot.axis("yaxis").update(self.axis(paper.theme), showline=False)
        return plot

    def axis(self, theme: Theme) -> Axis:
        """Return the axis of the names, marked ones in the colour of a choice."""
        shown = self.inked([label(name, longest=LONGEST_NAME) for name in self.names], theme)
        ends = float(self.places[-1]) + 0.5, -0.5
        return name_axis(self.type_size) | {"tickvals": self.places, "ticktext": shown, "range": ends}

    def draw_bars(
        self,
        plot: Plot,
        values: ArrayLike,
        look: dict[str, Any],
        hovers: Sequence[str] = (),
        *,
        text: Sequence[str] = (),
        at: float = 0.0,
        thickness: float = ALONE,
        **more: Any,
    ) -> None:
        """Draw a bar beside each name, moved down by `at` rows, with its text at its end."""
        more |= {"text": self.inked(text, plot.paper.theme)} if text else {}
        look = self._look(look, thickness)
        plot.trace(np.asarray(values, dtype=float), self.places + at, hovers, type="bar", **look, **more)

    def inked(self, texts: Sequence[str], theme: Theme) -> list[str]:
        """Return texts of the rows, those of marked rows in the colour of a choice."""
        return [
            f'<b><span style="color:{theme.selection}">{text}</span></b>' if marked and text else text
            for text, marked in zip(texts, self.marked, strict=True)
        ]

    def bars(self, values: ArrayLike, look: dict[str, Any], **more: Any) -> Trace:
        """Return a bar beside each name, for axes outside a plot."""
        x = np.asarray(values, dtype=float)
        return trace_of("bar", x=x, y=self.places, **self._look(look, ALONE), **more)

    def _look(self, look: dict[str, Any], thickness: float) -> dict[str, Any]:
        form = {"orientation": "h", "width": thickness, "marker": look, "cliponaxis": False}
        text = {"textposition": "outside", "textfont": {"size": self.number_size}, "constraintext": "none"}
        return form | text

    def draw_targets(self, plot: Plot, hovers: Sequence[str], data: Sequence[Any]) -> None:
        """Draw invisible bars as long as the axis: a click anywhere in a row reports its data."""
        ends = np.full(len(self.names), plot.across.high)
        # A list, because for a NumPy array a click would report an object with the keys 0 and 1.
        self.draw_bars(plot, ends, {"opacity": 0}, hovers, thickness=1.0, customdata=list(data))


def fit_lines(
    names: Sequence[str],
    marked: Sequence[bool],
    apart: Sequence[float],
    room: Room,
    around: float,
    *,
    paired: bool = False,
    usual: float = ROW,
) -> Lines:
    """Fit names into a room less `around` pixels of height, with `apart` rows free above each name."""
    places = np.arange(len(names)) + np.cumsum(apart)
    usual, least = (PAIRED_ROW, 2.5 * room.smallest_type) if paired else (usual, LEAST_ROW)
    row = row_height(room, float(places[-1]) + 1, around=around, usual=usual, least=least)
    type_size = max(room.smallest_type, min(WORD, floor(0.8 * row)))
    number = max(room.smallest_type, min(NUMBER, type_size, floor(2 * APART * row) if paired else NUMBER))
    return Lines(names=names, marked=marked, places=places, row=row, type_size=type_size, number_size=number)


def row_height(room: Room, n: float, *, around: float, usual: float, least: float) -> float:
    """Return the pixels of one of `n` rows: as `usual`, or less in a room with `around` pixels taken.

    On a screen a row has the `least` height at least: the page scrolls. A figure that fills its room divides
    all of it.
    """
    if room.height is None:
        return usual
    each = (room.height - around) / n
    if not room.is_printed:
        each = max(each, least)
    return each if room.fills else min(usual, each)


def name_axis(type_size: float) -> Axis:
    """Return an axis with a name at each place and nothing else."""
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    return {**look, "tickmode": "array", "tickfont": {"size": type_size}, "ticklabeloverflow": "allow"}


def word_ticks(words: Sequence[str], step: int, selected: int | None = None, colour: str = "") -> Axis:
    """Return every `step`-th word from the first on; the `selected` one replaces words that it would touch.

    Words stand at their positions, so that repeated ones stay apart; an alias lets a hover name all others.
    """
    labels, written = [label(word) for word in words], list(range(0, len(words), step))
    if selected is not None:
        labels[selected] = f'<b><span style="color:{colour}">{labels[selected]}</span></b>'
        written = sorted([*(at for at in written if abs(at - selected) >= step), selected])
    aliases = {str(at): labels[at] for at in set(range(len(words))) - set(written)}
    return {"tickvals": written, "ticktext": [labels[at] for at in written], "labelalias": aliases}


def with_gaps(array: NDArray[Any], gap: Any) -> NDArray[Any]:
    """Return (row, column, cell) as one matrix: a column of gaps between columns, a row between rows."""
    n_rows, n_columns, n_cells = array.shape
    spread = np.full((n_rows, 2, n_columns, n_cells + 1), gap, dtype=array.dtype)
    spread[:, 0, :, :n_cells] = array
    return spread.reshape(2 * n_rows, -1)[:-1, :-1]


def inked_digits(
    values: NDArray[np.floating], scale: Scale, theme: Theme, write: Callable[[float], str] | None = None
) -> NDArray[np.object_]:
    """Return the digits of each cell in an ink legible on its colour; empty without a number."""
    write = write or scale.digits
    inks, text = scale.inks(values, theme), np.full(values.shape, "", dtype=object)
    for at in zip(*np.nonzero(~np.isnan(values)), strict=True):
        text[at] = f'<span style="color:{inks[at]}">{write(float(values[at]))}</span>'
    return text


@dataclass(frozen=True, kw_only=True)
class NamedColumns:
    """Names above columns of `pitch` pixels each, slanted by an `angle`; they take `height` pixels."""

    names: Sequence[str]
    pitch: float
    height: float
    angle: float

    def axis(self) -> Axis:
        """Return the axis with the names, without its domain."""
        places, shown = list(range(len(self.names))), list(map(label, self.names))
        names = {"tickvals": places, "ticktext": shown, "tickangle": -self.angle, "side": "top"}
        return {**name_axis(TYPE), **names, "range": (-0.5, len(places) - 0.5)}


def fit_columns(names: Sequence[str], width: float, *, most: float = inf) -> NamedColumns:
    """Divide `width` pixels among columns of `most` pixels at most; the last slanted name fits too."""
    n, widths = len(names), [em_width(label(name)) * TYPE for name in names]
    pitch = min(most, width / n)
    if max(widths) + BESIDE <= pitch:
        return NamedColumns(names=names, pitch=pitch, height=1.4 * TYPE + BESIDE, angle=0)
    beyond = widths[-1] * cos(radians(SLANT)) + TYPE
    pitch = min(most, (width - max(0.0, beyond - width / n / 2)) / n)
    height = max(widths) * sin(radians(SLANT)) + TYPE + BESIDE
    return NamedColumns(names=names, pitch=pitch, height=height, angle=SLANT)
