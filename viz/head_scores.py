"""Scores of attention heads as tiles: a row for each score, a column for each head and for equal weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, cos, floor, radians, sin
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.canvas import BAR, BAR_LINE, LEGEND, LEGEND_LINE, MARGIN, Box, Canvas, canvas, legend_width
from viz.layout.cells import checked_selection
from viz.layout.figure import Figure
from viz.layout.frames import framing
from viz.layout.rows import inked_digits, name_axis, row_height
from viz.layout.scale import weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, literal, plain
from viz.tiles import Head
from words import counted

TYPE, DIGITS = 15, 13
"""Usual type sizes in pixels: of names, and of the digits of a tile."""

ABOVE, NUMBERS_BELOW, BESIDE = 52, 28, 8
"""Pixels above the tiles for the numbers of heads below those of layers, and beside a name."""

ROW, LEAST_ROW, WIDEST = 32, 20, 110
"""Pixels of height of a tile, and at least on a screen, and of its width at most."""

SLANT, FRAME, LEAST_GAPPED = 60, 3, 6
HIGHEST, HIGHEST_ON_SCREEN = 1.3, 1.6
"""Height of a picture in widths up to which each head may have a row, on paper and on a screen."""

GROUPS = ("layer {} · head", "layer {}", "{}")
"""Titles above the heads of a layer, by how much room there is."""

UNIFORM = "equal weights"
LEGEND_WORDS = (f"{UNIFORM}: the score of a head", "that attends equally to all words it may see")

Numbers = NDArray[np.floating]


class Tiles(NamedTuple):
    """Values (row, column) of tiles, the lines of the table that they show, and what a hover says of each."""

    values: Numbers
    lines: NDArray[np.intp]
    hovers: NDArray[np.object_]

    def turned(self) -> "Tiles":
        """Return rows as columns, with a free row above for the name of the first layer."""
        values = np.insert(self.values.T, 0, np.nan, axis=0)
        return Tiles(values, np.insert(self.lines.T, 0, -1, axis=0), np.insert(self.hovers.T, 0, "", axis=0))


def score_names(table: pd.DataFrame) -> list[str]:
    """Return the scores in `table`, in its order."""
    return list(table["score"].unique())


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadScores(Picture):
    """The scores of all heads, coloured from 0 to 1: layers side by side, equal weights at the end.

    `scores` has a line for each score of each head with the columns layer, head (both from 1), score, value,
    baseline and places; values are shares, and `meanings` says of what. `selected` frames a (layer, head)
    counted from 0. Where columns of heads have no room for digits and columns of scores do, each of a few
    heads has a row. A click reports the line of a tile in `scores`, and −1 beside the heads.
    """

    scores: pd.DataFrame
    meanings: Mapping[str, str]
    selected: Head | None = None
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        checked_selection(self.selected, self._extent, "(layer, head)")
        upright, turned = self._columns_of_heads(room), self._rows_of_heads(room)
        highest = (HIGHEST if room.is_printed else HIGHEST_ON_SCREEN) * room.width
        if room.fills and room.height is not None:
            highest = room.height
        is_better = turned.has_digits and not upright.has_digits and turned.height <= highest + 1
        return self._drawn(turned if is_better else upright, room)

    def alt(self) -> str:
        """The highest head of each score, and what equal weights give."""
        n_layers, n_heads = self._extent
        size = f"{counted(n_layers, 'layer')} with {counted(n_heads, 'head')} each"
        highest = self.scores.loc[self.scores.groupby("score", sort=False)["value"].idxmax()]
        found = (
            f"{plain(row.score)}: layer {row.layer}, head {row.head}, {row.value:.2f} ({row.baseline:.2f})"
            for row in highest.itertuples()
        )
        return (
            f"Scores of {size}. Highest of each, and in brackets that of equal weights: {'; '.join(found)}."
        )

    def table(self) -> pd.DataFrame:
        return self.scores if self.behind is None else self.behind()

    @cached_property
    def _extent(self) -> Head:
        return int(self.scores["layer"].max()), int(self.scores["head"].max())

    def _place(self, layer: Any, head: Any) -> Any:
        """The place of a head in line; before each layer one is free, and the first is left out."""
        return layer * (self._extent[1] + 1) + head

    def _n_places(self) -> int:
        """Heads of every layer and a free place behind them, then equal weights."""
        n_layers, n_heads = self._extent
        return n_layers * (n_heads + 1) + 1

    def _tiles(self) -> Tiles:
        """Tiles (score, place); without a number between layers."""
        names, table = score_names(self.scores), self.scores
        shape = len(names), self._n_places()
        values = np.full(shape, np.nan, dtype=np.float32)
        lines, hovers = np.full(shape, -1), np.full(shape, "", dtype=object)
        row = table["score"].map({name: at for at, name in enumerate(names)}).to_numpy()
        place = self._place(table["layer"].to_numpy() - 1, table["head"].to_numpy() - 1)
        values[row, place], lines[row, place] = table["value"], np.arange(len(table))
        values[row, -1] = table["baseline"]
        said = {name: (f"<b>{literal(name)}</b>", literal(self.meanings[name])) for name in names}
        for at, column, one in zip(row, place, table.itertuples(), strict=True):
            name, meaning = said[one.score]
            chance = f"{UNIFORM} {one.baseline:.2f}, over {counted(one.places, 'word')}"
            hovers[at, -1] = f"{name}: {meaning}<br>{chance}"
            head = f"layer {one.layer}, head {one.head}"
            hovers[at, column] = f"{head} · {name} {one.value:.2f}<br>{meaning}<br>{chance}"
        return Tiles(values, lines, hovers)

    def _columns_of_heads(self, room: Room) -> "Layout":
        """A row for each score."""
        names, n = score_names(self.scores), self._n_places()
        left = round(max(map(em_width, names)) * TYPE) + 2 * BESIDE
        uniform = em_width("weights") * TYPE
        cell = min(WIDEST, (room.width - left - MARGIN) / n, (room.width - left - uniform) / (n - 1))
        return _layout(room, Box(left, ABOVE, cell * n, ROW * len(names)), (len(names), n), self.legend(room))

    def _rows_of_heads(self, room: Room) -> "Layout":
        """A column for each score, whose name is slanted; the name of a layer is above those of its heads."""
        names, n_heads = score_names(self.scores), self._extent[1]
        left = em_width(f"head {n_heads}") * TYPE + 2 * BESIDE
        longest = max(map(em_width, names)) * TYPE
        above = longest * sin(radians(SLANT)) + TYPE + BESIDE
        width = room.width - left - MARGIN
        # The last name, from the middle of its column on, ends in the figure.
        beyond = em_width(names[-1]) * TYPE * cos(radians(SLANT)) + TYPE
        cell = min(WIDEST, (width - max(0.0, beyond - width / len(names) / 2)) / len(names))
        n = self._n_places() + 1
        box = Box(left, above, cell * len(names), ROW * n)
        return _layout(room, box, (n, len(names)), self.legend(room), turned=True)

    def legend(self, room: Room) -> tuple[str, ...]:
        """What equal weights are, in one line if there is room."""
        one = " ".join(LEGEND_WORDS)
        return (one,) if legend_width((one,)) + MARGIN <= room.width else LEGEND_WORDS

    def _drawn(self, layout: "Layout", room: Room) -> Figure:
        box, theme, tiles = layout.box, room.theme, self._tiles()
        values, lines, hovers = tiles.turned() if layout.turned else tiles
        drawn = canvas(room.width, layout.height, theme)
        scale = weight_scale(theme)
        end = box.bottom + 2 * BESIDE
        look: dict[str, Any] = {
            "xgap": 2 if layout.has_digits else int(layout.cell >= LEAST_GAPPED),
            "ygap": 2,
            "showscale": not layout.has_digits,
        }
        if layout.has_digits:
            text = inked_digits(values, scale, theme).tolist()
            look |= {"text": text, "texttemplate": "%{text}", "textfont": {"size": layout.digits}}
        else:
            length = min(box.width - em_width("score") * LEGEND - LEGEND, BAR)
            look["colorbar"] = drawn.bar(scale, box.left, end, length)
            drawn.legend(["score"], box.left + length + LEGEND, end - 4)
        drawn.figure.add_trace(
            scale.heatmap(
                values,
                customdata=lines,
                hovertext=hovers.tolist(),
                hovertemplate="%{hovertext}<extra></extra>",
                hoverongaps=False,
                **look,
            )
        )
        (self._name_rows_of_heads if layout.turned else self._name_columns_of_heads)(drawn, layout, room)
        if self.selected is not None and not room.is_printed:
            at, n = self._place(*self.selected) + layout.turned, len(score_names(self.scores))
            ends = (at - 0.5, at + 0.5), (-0.5, n - 0.5)
            (x0, x1), (y0, y1) = ends[::-1] if layout.turned else ends
            for line in framing({"color": theme.selection, "width": FRAME}, theme):
                drawn.shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line=line)
        drawn.legend(layout.legend, MARGIN, end + (0 if layout.has_digits else BAR_LINE))
        return drawn.finished()

    def _name_columns_of_heads(self, drawn: Canvas, layout: "Layout", room: Room) -> None:
        """Write scores beside their rows, and above the columns the numbers of heads and of their layers."""
        (n_layers, n_heads), box, cell = self._extent, layout.box, layout.cell
        size, step, angle = float(TYPE), 1, 0
        if cell < em_width(str(n_heads)) * TYPE + 3:  # turned, and some left out where they would touch
            step = ceil(room.smallest_type / cell)
            size, angle = max(room.smallest_type, min(TYPE - 1, floor(step * cell))), -90
        shown = [at for at in np.ndindex(n_layers, n_heads) if at[1] % step == 0]
        heads = [self._bold(str(head + 1), (layer, head), room) for layer, head in shown]
        x = {"tickvals": [self._place(*at) for at in shown], "ticktext": heads, "tickangle": angle}
        _set_axes(drawn, layout, x, size, score_names(self.scores))
        look: dict[str, Any] = {"yanchor": "top", "font": {"size": TYPE}}
        fits = (form for form in GROUPS if em_width(form.format(n_layers)) * TYPE < cell * (n_heads + 1))
        form = next(fits, GROUPS[-1])
        for layer in range(n_layers):
            middle = box.left + cell * (self._place(layer, 0) + n_heads / 2)
            drawn.note(form.format(layer + 1), middle, 4, xanchor="center", **look)
        if form == GROUPS[-1]:
            for name, top in (("layer", 4), ("head", NUMBERS_BELOW)):
                drawn.note(name, box.left - BESIDE, top, xanchor="right", **look)
        muted = look | {"font": {"size": TYPE, "color": room.theme.muted}}
        drawn.note(UNIFORM.replace(" ", "<br>"), box.right - cell, 4, xanchor="left", align="left", **muted)

    def _name_rows_of_heads(self, drawn: Canvas, layout: "Layout", room: Room) -> None:
        """Write scores above their columns, and beside the rows the heads below the names of their layers."""
        n_layers, n_heads = self._extent
        names = score_names(self.scores)
        x = {"tickvals": list(range(len(names))), "ticktext": list(map(label, names)), "tickangle": -SLANT}
        rows = [""] * layout.shape[0]
        for layer, head in np.ndindex(n_layers, n_heads):
            rows[self._place(layer, head) + 1] = self._bold(f"head {head + 1}", (layer, head), room)
        _set_axes(drawn, layout, x, layout.type_size, rows)
        look = {"xanchor": "left", "yanchor": "middle", "font": {"size": layout.type_size}}
        above = {f"layer {layer + 1}": self._place(layer, 0) for layer in range(n_layers)}
        for name, at in (above | {UNIFORM: layout.shape[0] - 2}).items():
            drawn.note(name, MARGIN, layout.box.top + (at + 0.5) * layout.row, **look)

    def _bold(self, name: str, head: Head, room: Room) -> str:
        return f"<b>{name}</b>" if head == self.selected and not room.is_printed else name


class Layout(NamedTuple):
    """Where tiles lie, how many rows and columns of them there are, and in which type they are written."""

    box: Box
    shape: tuple[int, int]
    digits: float
    type_size: float
    legend: tuple[str, ...]
    height: float
    turned: bool

    @property
    def has_digits(self) -> bool:
        return self.digits > 0

    @property
    def cell(self) -> float:
        return self.box.width / self.shape[1]

    @property
    def row(self) -> float:
        return self.box.height / self.shape[0]


def _layout(
    room: Room, box: Box, shape: tuple[int, int], legend: tuple[str, ...], *, turned: bool = False
) -> Layout:
    """Fit rows of tiles of this width into the height of a room; digits are written where they fit."""
    cell, below = box.width / shape[1], 3 * BESIDE + len(legend) * LEGEND_LINE
    size = floor(min(DIGITS, (cell - 3) / em_width("0.00")))
    below += 0 if size >= room.smallest_type else BAR_LINE
    row = row_height(room, shape[0], around=box.top + below, usual=ROW, least=LEAST_ROW)
    size = floor(min(size, row - 3))
    type_size = max(room.smallest_type, min(TYPE, floor(0.8 * row)))
    box = box._replace(height=row * shape[0])
    digits = size if size >= room.smallest_type else 0
    return Layout(box, shape, digits, type_size, legend, box.bottom + below, turned)


def _set_axes(drawn: Canvas, layout: Layout, x: dict[str, Any], size: float, rows: list[str]) -> None:
    across, upwards = drawn.domains(layout.box, FRAME)
    n_rows, n_columns = layout.shape
    beside, below = FRAME / layout.cell, FRAME / layout.row
    edges = {"range": (-0.5 - beside, n_columns - 0.5 + beside), "domain": across}
    drawn.figure.layout["xaxis"] = {**name_axis(size), **x, **edges, "side": "top"}
    names = rows if layout.turned else [label(name) for name in rows]
    upright: dict[str, Any] = {"range": (n_rows - 0.5 + below, -0.5 - below), "domain": upwards}
    upright |= {"tickvals": list(range(n_rows)), "ticktext": names, "ticklabelstandoff": 2}
    drawn.figure.layout["yaxis"] = {**name_axis(layout.type_size), **upright}
