"""A mask as cells to paint, and beside it the resulting weights or gradients."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import Canvas
from viz.layout.cell_marks import framing
from viz.layout.cells import Allowed, Cell, Gap, Matrix, permissions, weights
from viz.layout.drawing import FRAME, Panel, draw_panels
from viz.layout.figure import Figure
from viz.layout.grid import SHORTEST_CELL, TITLE_SIZE, Grid
from viz.picture import Picture
from viz.room import Room
from viz.tables import matrix_table
from viz.text import plain
from viz.theme import LIGHT, Theme
from words import counted

MASK = "mask"
SUMS, SUMS_TITLE, BESIDE, NUMBER = 128, "sum of allowed:<br>no mask → mask", 12, 15
"""Sums of rows: their pixels on the right, title, distance from the matrix, and type."""

SMALLEST_PANEL, AROUND = 100, 240
"""Pixels of the smallest panel, so that weights stay beside a mask, and greatest width beside its cells."""

EXACTLY_ZERO = Gap(sign="0", hover="exactly 0", legend="exactly 0", brief="exactly 0")


@dataclass(frozen=True, kw_only=True, eq=False)
class MaskPicture(Picture):
    """A mask and its effect.

    `allowed` (query, key) is True where a query may look; cells `flipped` by hand are framed. A click on
    either matrix reports x = key, y = query. If `is_painted`, cells are large enough to be clicked, even if
    a narrow window has to scroll. `beside` is the title of the second matrix; rows and columns stand for a
    `unit` each.
    """

    allowed: Allowed
    words: Sequence[str]
    beside: str
    flipped: Sequence[Cell] = ()
    is_painted: bool = True
    unit: str = "word"

    @property
    def _without_keys(self) -> list[int]:
        """Queries that may attend to nothing."""
        return [int(at) for at in np.flatnonzero(~self.allowed.any(axis=1))]

    def _two_panels(self, beside: Matrix, room: Room, *, right: int = 0) -> tuple[Canvas, Grid]:
        """Draw the mask and the matrix `beside` it, or below, with `right` pixels kept free on the right."""
        least = SHORTEST_CELL * len(self.words) if self.is_painted and not room.is_printed else 0
        room = replace(room, width=max(room.width, AROUND + least if least else 0))
        mask = Panel(
            permissions(self.allowed, self.words, room.theme),
            MASK,
            outlined=self.flipped,
            outlined_as="flipped by hand",
        )
        panels, least = [mask, Panel(beside, self.beside)], max(SMALLEST_PANEL, least)
        return draw_panels(panels, room, is_whole=self.is_painted, beside=right, smallest=least)


@dataclass(frozen=True, kw_only=True, eq=False)
class MaskedWeights(MaskPicture):
    """The mask with its cells, and the weights under it, with the sums of rows on the right.

    `pattern` are the weights (query, key) with zeros for a query that may attend to nothing: its row is
    framed and keeps its zeros. `kept` is the sum of each row if the masked weights are only removed.
    The row of the query `chosen` is framed, but not in print.
    """

    pattern: ArrayLike
    kept: ArrayLike
    chosen: int | None = None

    def draw(self, room: Room) -> Figure:
        surface, grid = self._two_panels(self._weights(room.theme), room, right=SUMS)
        line, ends = {"color": room.theme.ink, "width": 2, "dash": "dot"}, (-0.5, len(self.words) - 0.5)
        for query in self._without_keys:
            row = {"x0": ends[0], "x1": ends[1], "y0": query - 0.5, "y1": query + 0.5}
            surface.shape(type="rect", line=line, **row, xref="x2", yref="y2")
        chosen = None if room.is_printed or grid.step > 1 else self.chosen
        if chosen is not None:
            row = {"x0": ends[0], "x1": ends[1], "y0": chosen - 0.5, "y1": chosen + 0.5}
            for frame in framing({"color": room.theme.selection, "width": FRAME}, room.theme):
                surface.shape(type="rect", line=frame, **row, xref="x2", yref="y2")
        self._write_sums(surface, grid, chosen)
        return surface.finished()

    def alt(self) -> str:
        matrix = weights(self.pattern, self.words, LIGHT, allowed=self.allowed)
        n_without = len(self._without_keys)
        by_hand = f", {counted(len(self.flipped), 'cell')} flipped by hand" if self.flipped else ""
        queries = "1 query" if n_without == 1 else f"{n_without} queries"
        nothing = f" {queries} may attend to nothing." if n_without else ""
        mask = f"Mask {matrix.extent(self.unit)}{by_hand}.{matrix.spoken_gaps}{nothing}"
        beside = plain(self.beside)
        return f"{mask} {beside[:1].upper()}{beside[1:]}.{matrix.largest('Largest weight')}"

    def table(self) -> pd.DataFrame:
        pattern = np.asarray(self.pattern)
        table = matrix_table(pattern, self.words, allowed=self.allowed)
        return table.assign(**{"sum before": np.asarray(self.kept), "sum after": pattern.sum(axis=1)})

    def _weights(self, theme: Theme) -> Matrix:
        """Return the weights with gaps where masked, but zeros for a query that may attend to nothing."""
        shown = self.allowed | ~self.allowed.any(axis=1, keepdims=True)
        nowhere = f'<span style="color:{theme.ink}">▭</span> may attend to nothing: all 0'
        legend = (nowhere,) if self._without_keys else ()
        return replace(weights(self.pattern, self.words, theme, allowed=shown), legend=legend)

    def _write_sums(self, surface: Canvas, grid: Grid, chosen: int | None) -> None:
        """Write the sum of each row after the mask alone, and after the softmax of the unmasked scores."""
        if grid.step > 1:
            return
        box = grid.box(1)
        left = box.right + BESIDE
        title: dict[str, Any] = {"size": TITLE_SIZE, "colour": surface.theme.muted, "align": "left"}
        surface.note(SUMS_TITLE, left, box.top - TITLE_SIZE, "left middle", **title)
        size = max(grid.smallest_type, min(NUMBER, int(grid.cell)))
        for query, share in enumerate(np.asarray(self.kept).tolist()):
            after = "0" if query in self._without_keys else "1"
            middle = box.top + (query + 0.5) * grid.cell
            colour = surface.theme.selection if query == chosen else ""
            surface.note(
                f"{share:.2f} → <b>{after}</b>", left, middle, "left middle", size=size, colour=colour
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class MaskedDependence(MaskPicture):
    """The mask, and the dependence of every output on every input: `shares` (output, input) from 0 to 1.

    A share of exactly 0 is a marked gap, because it is not a small number that was rounded. The table has the
    `norms` of the gradients.
    """

    shares: ArrayLike
    norms: ArrayLike

    def draw(self, room: Room) -> Figure:
        return self._two_panels(self._dependence(room.theme), room)[0].finished()

    def alt(self) -> str:
        matrix = self._dependence(LIGHT)
        title, n_zero = plain(self.beside).capitalize(), int(matrix.masked.sum())
        zeros = f"{matrix.extent()}: {n_zero} of {matrix.values.size} exactly 0."
        return f"{title} {zeros}{matrix.largest('Largest share')}"

    def table(self) -> pd.DataFrame:
        return matrix_table(np.asarray(self.norms), self.words)

    def _dependence(self, theme: Theme) -> Matrix:
        values = np.array(self.shares, dtype=np.float32)
        values[values == 0] = np.nan
        matrix = weights(values, self.words, theme)
        return replace(matrix, gap=EXACTLY_ZERO, measure="share of the gradient")
