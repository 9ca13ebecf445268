"""Scores of attention heads as tiles: a row for each score, a column for each head and equal weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.canvas import BAR, LEGEND, LEGEND_LINE, MARGIN, Canvas, Rect, bar_room, canvas
from viz.layout.cell_marks import framing
from viz.layout.cells import Numbers, checked_selection
from viz.layout.figure import Figure
from viz.layout.rows import BESIDE, TYPE, Lines, fit_columns, fit_lines, inked_digits, name_axis
from viz.layout.scale import weight_scale
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, literal, plain, wrapped
from viz.tiles import Head
from words import count_heads, counted

ROW, DIGITS, WIDEST = 32, 13, 110
"""Usual height of a tile in pixels, type of its digits, and its greatest width."""

ABOVE, LAYERS, HEADS = 52, 4, 28
"""Pixels above the tiles, and from the top to the numbers of layers and of heads."""

GAP = 0.2
"""Em between two numbers of layers."""

RAREST = 4
"""Step of head numbers from which on none is written."""

FRAME, LEAST_GAPPED = 3, 6
HIGHEST, HIGHEST_ON_SCREEN = 1.3, 1.6
"""Height of a picture in widths up to which each head may have a row, on paper and on a screen."""

EQUAL = ("equal", "weights")
UNIFORM = " ".join(EQUAL)
LEGEND_WORDS = f"{UNIFORM}: the score of a head that attends equally to all words it may see"


class Layout(NamedTuple):
    """Rows of tiles in a box, the pixels of a column, the size of digits or 0, the height of the figure.

    The `axis` names columns of scores; columns of heads have none yet.
    """

    rows: Lines
    box: Rect
    cell: float
    digits: float
    legend: list[str]
    height: float
    axis: dict[str, Any] | None


def score_names(table: pd.DataFrame) -> list[str]:
    """Return the scores in `table`, in its order."""
    return list(table["score"].unique())


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadScores(Picture):
    """The scores of all heads, coloured from 0 to 1: layers side by side, equal weights at the end.

    `scores` has a line for each score of each head with the columns layer, head (both from 1), score, value,
    baseline and places; values are shares, and `meanings` explains them. `selected` frames a (layer, head)
    counted from 0, or only its tile of the `marked` score. If columns of heads have no room for digits and
    columns of scores do, each of a few heads has a row. A click reports the line of a tile in `scores`, and
    −1 beside the heads.
    """

    scores: pd.DataFrame
    meanings: Mapping[str, str]
    selected: Head | None = None
    marked: str = ""

    def draw(self, room: Room) -> Figure:
        checked_selection(self.selected, self._extent, "(layer, head)")
        upright, turned = self._columns_of_heads(room), self._rows_of_heads(room)
        highest = (HIGHEST if room.is_printed else HIGHEST_ON_SCREEN) * room.width
        fits = turned.height <= (room.tallest if room.fills else highest) + 1
        return self._drawn(turned if turned.digits and not upright.digits and fits else upright, room)

    def alt(self) -> str:
        n_layers, n_heads = self._extent
        size = count_heads(n_layers, n_heads)
        highest = self.scores.loc[self.scores.groupby("score", sort=False)["value"].idxmax()]
        found = (
            f"{plain(row.score)}: layer {row.layer}, head {row.head}, {row.value:.2f} ({row.baseline:.2f})"
            for row in highest.itertuples()
        )
        return f"Scores of {size}. Highest of each, with equal weights in brackets: {'; '.join(found)}."

    def table(self) -> pd.DataFrame:
        return self.scores if self.make_table is None else self.make_table()

    @cached_property
    def _extent(self) -> Head:
        return int(self.scores["layer"].max()), int(self.scores["head"].max())

    def _place(self, layer: Any, head: Any) -> Any:
        """Return the place of a head in the row; one place before each layer is free."""
        return layer * (self._extent[1] + 1) + head + 1

    def _tiles(self, *, is_turned: bool) -> tuple[Numbers, NDArray[np.intp], NDArray[np.object_]]:
        """Return values, the lines of the table that they show, and hovers.

        They are (score, place from 1 on), or (place, score) if they are turned. The last place has equal
        weights, and the one before it is free.
        """
        names, table = score_names(self.scores), self.scores
        shape = len(names), self._place(self._extent[0], 1)
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
        if is_turned:
            return values.T, lines.T, hovers.T
        return values[:, 1:], lines[:, 1:], hovers[:, 1:]

    def _columns_of_heads(self, room: Room) -> Layout:
        """Lay out a row for each score; the free place before the first layer is left out."""
        names, n = score_names(self.scores), self._place(self._extent[0], 0)
        width = room.width - _beside(names)
        cell = min(WIDEST, (width - MARGIN) / n, (width - em_width(EQUAL[1]) * TYPE) / (n - 1))
        return _layout(room, names, None, Rect(_beside(names), ABOVE, cell * n, 0), cell)

    def _rows_of_heads(self, room: Room) -> Layout:
        """Lay out a column for each score; the name of a layer is above those of its heads."""
        n_layers, n_heads = self._extent
        layer = [f"head {head}" for head in range(1, n_heads + 1)]
        heads = [name for at in range(1, n_layers + 1) for name in (f"layer {at}", *layer)]
        chosen = None if self.selected is None or room.is_printed else self._place(*self.selected)
        columns = fit_columns(score_names(self.scores), room.width - _beside(heads) - MARGIN, most=WIDEST)
        box = Rect(_beside(heads), columns.height, columns.pitch * len(columns.names), 0)
        return _layout(room, [*heads, *EQUAL], chosen, box, columns.pitch, columns.axis())

    def _drawn(self, layout: Layout, room: Room) -> Figure:
        rows, box, theme, is_turned = layout.rows, layout.box, room.theme, layout.axis is not None
        values, lines, hovers = self._tiles(is_turned=is_turned)
        n_rows, n_columns = values.shape
        drawn, scale = canvas(room.width, layout.height, theme), weight_scale(theme)
        foot = box.bottom + 2 * BESIDE
        look: dict[str, Any] = {"xgap": 2 if layout.digits else int(layout.cell >= LEAST_GAPPED)}
        if layout.digits:
            text = inked_digits(values, scale, theme).tolist()
            look |= {"text": text, "texttemplate": "%{text}", "textfont": {"size": layout.digits}}
            drawn.legend(layout.legend, MARGIN, foot)
        else:
            look["colorbar"] = drawn.bar(scale, MARGIN, foot, BAR)
            drawn.legend_of_bar(layout.legend, MARGIN, foot, room.width - MARGIN)
        look |= {"ygap": 2, "showscale": not layout.digits, "customdata": lines, "hoverongaps": False}
        hover = {"hovertext": hovers.tolist(), "hovertemplate": "%{hovertext}<extra></extra>"}
        drawn.add_trace(scale.heatmap(values, **hover, **look))
        across, upwards = drawn.domains(box, FRAME)
        x = layout.axis or self._name_columns_of_heads(drawn, layout, room)
        x |= {"range": _range(n_columns, layout.cell), "domain": across, "side": "top"}
        y = rows.axis(theme) | {"range": _range(n_rows, rows.row)[::-1], "domain": upwards}
        y["ticklabelstandoff"] = 2
        drawn.layout.update(xaxis=x, yaxis=y)
        if self.selected is not None and not room.is_printed:
            at = self._place(*self.selected) - (not is_turned)
            names = score_names(self.scores)
            first, last = (names.index(self.marked),) * 2 if self.marked else (0, len(names) - 1)
            ends = (at - 0.5, at + 0.5), (first - 0.5, last + 0.5)
            (x0, x1), (y0, y1) = ends[::-1] if is_turned else ends
            for line in framing({"color": theme.selection, "width": FRAME}, theme):
                drawn.shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line=line)
        return drawn.finished()

    def _name_columns_of_heads(self, drawn: Canvas, layout: Layout, room: Room) -> dict[str, Any]:
        """Write the numbers of layers above the columns, and return the axis with those of heads below."""
        (n_layers, n_heads), box, cell = self._extent, layout.box, layout.cell
        size, step, angle = float(TYPE), 1, 0
        if cell < em_width(str(n_heads)) * TYPE + 3:  # turned, and some left out if they would touch
            step = ceil(room.smallest_type / cell)
            size, angle = max(room.smallest_type, min(TYPE - 1, floor(step * cell))), -90
        has_room = em_width(f"layer {n_layers}") * TYPE < cell * (n_heads + 1)
        # If layers are narrower than their numbers, some are left out.
        apart = 1 if has_room else ceil((em_width(str(n_layers)) + GAP) * TYPE / (cell * (n_heads + 1)))
        for layer in range(0, n_layers, apart):
            middle = box.left + cell * (self._place(layer, -1) + n_heads / 2)
            name = f"layer {layer + 1}" if has_room else str(layer + 1)
            drawn.note(name, middle, LAYERS, "center top", size=TYPE)
        each = "head" if step < RAREST else f"{counted(n_heads, 'head')} each"
        for name, top in ((each, HEADS), *([] if has_room else [("layer", LAYERS)])):
            drawn.note(name, box.left - BESIDE, top, "right top", size=TYPE)
        muted: dict[str, Any] = {"size": TYPE, "colour": room.theme.muted, "align": "left"}
        drawn.note("<br>".join(EQUAL), box.right - cell, LAYERS, "left top", **muted)
        # Every fourth number or fewer would not identify heads: they would only be a row of ticks.
        shown = [at for at in np.ndindex(n_layers, n_heads) if at[1] % step == 0] if step < RAREST else []
        chosen = None if room.is_printed else self.selected
        heads = [f"<b>{at[1] + 1}</b>" if at == chosen else str(at[1] + 1) for at in shown]
        places = [self._place(*at) - 1 for at in shown]
        return {**name_axis(size), "tickvals": places, "ticktext": heads, "tickangle": angle}


def _beside(names: list[str]) -> float:
    """Return the pixels of width for names beside tiles."""
    return round(max(map(em_width, names)) * TYPE) + 2 * BESIDE


def _layout(
    room: Room,
    names: list[str],
    chosen: int | None,
    box: Rect,
    cell: float,
    axis: dict[str, Any] | None = None,
) -> Layout:
    """Fit rows of tiles of this width into the height of a room; digits are written if they fit."""
    width, marked = room.width - MARGIN, [at == chosen for at in range(len(names))]
    lines = wrapped(LEGEND_WORDS, (width - MARGIN) / LEGEND)
    for legend in (lines, ["score", *lines]):  # a bar replaces digits
        below = LEGEND_LINE * len(lines) if legend is lines else bar_room(legend, width)
        around = box.top + below + 3 * BESIDE
        rows = fit_lines(names, marked, [0.0] * len(names), room, around, usual=ROW)
        digits = floor(min(DIGITS, (cell - 3) / em_width("0.00"), rows.row - 3))
        if digits >= room.smallest_type:
            break
    box = box._replace(height=rows.height)
    height = box.bottom + below + 3 * BESIDE
    return Layout(rows, box, cell, digits if digits >= room.smallest_type else 0, legend, height, axis)


def _range(n: int, cell: float) -> tuple[float, float]:
    """Return the ends of an axis of `n` cells of `cell` pixels, with room for a frame."""
    return -0.5 - FRAME / cell, n - 0.5 + FRAME / cell
