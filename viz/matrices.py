"""One matrix as a picture: the weights of a head, a part around a cell, or numbers between two sentences."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import Cell, Matrix, checked_selection, visible
from viz.layout.downsampling import least_seen, near
from viz.layout.drawing import Panel, draw_panels
from viz.layout.figure import Figure
from viz.layout.grid import DECODER_TITLE, ENCODER_TITLE, KEY_TITLE, QUERY_TITLE, Grid, fit, word_widths
from viz.layout.kinds import real_numbers, weights
from viz.picture import Picture
from viz.room import Room
from viz.tables import cells_table, matrix_table
from viz.text import plain, quoted
from viz.theme import LIGHT, Theme
from words import counted

AROUND = "Around the chosen cell"
"""Title above a part of a matrix, beside the whole, whose title names both."""

ROLES = (QUERY_TITLE, KEY_TITLE)
CROSS_ROLES = (DECODER_TITLE, ENCODER_TITLE)
"""Titles for attention from a translation to its source: row t is the step that writes word t."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadMatrix(Picture):
    """The weights of a head, `pattern` (query, key): colours from 0 to 1, or less without digits.

    Rows are queries from top to bottom, columns are keys, and `words` names both; each stands for a `unit`. A
    cell that `allowed` forbids, or that is NaN, is a dotted gap. `selected` frames a (query, key). A click on
    a cell reports x = key, y = query. If cells would be too small to be seen each shows the largest of a
    block, and a click reports its place as data: `downsampling.cell_of` understands both. A `short` title is
    drawn if the whole one has no room.
    """

    pattern: ArrayLike
    words: Sequence[str]
    allowed: ArrayLike | None = None
    unit: str = "word"
    short: str = ""
    selected: Cell | None = None

    def draw(self, room: Room) -> Figure:
        panel = Panel(self._matrix(room.theme))
        surface, _ = draw_panels([panel], room, title=self.title, short=self.short, selected=self.selected)
        return surface.finished()

    def alt(self) -> str:
        """Return the size, the largest weight, and the number of masked cells.

        A query that sees one key gives it all its weight, so only queries with several keys count.
        """
        matrix = self._matrix(LIGHT)
        choice = np.sum(~matrix.masked, axis=1, keepdims=True) > 1
        free = replace(matrix, values=np.where(choice, matrix.values, np.nan)) if choice.any() else matrix
        where = "" if choice.all() or not choice.any() else f" of a {self.unit} with several keys"
        largest = free.largest(f"Largest weight{where}")
        return f"{plain(self.title)}: attention {matrix.extent(self.unit)}.{largest}{matrix.spoken_gaps}"

    def table(self) -> pd.DataFrame:
        return cells_table(visible(self.pattern, self.allowed), self.words)

    def shows_blocks(self, room: Room) -> bool:
        """Return whether it is drawn in blocks in this room."""
        widths = word_widths(self.words)
        return fit(Grid(query_widths=widths, key_widths=widths), room).cell < least_seen(room)

    def close_up(self, around: Cell) -> "CloseUp":
        """Return the part around a cell."""
        query, key = (quoted(self.words[at]) for at in around)
        title = f"{self.title}, around {query} to {key}"
        return CloseUp(
            title=title, pattern=self.pattern, words=self.words, allowed=self.allowed, around=around
        )

    def _matrix(self, theme: Theme) -> Matrix:
        return weights(self.pattern, self.words, theme, allowed=self.allowed)


@dataclass(frozen=True, kw_only=True, eq=False)
class CloseUp(Picture):
    """The weights of one head `around` a cell, which is framed: a part of the blocks of `HeadMatrix`."""

    pattern: ArrayLike
    words: Sequence[str]
    around: Cell
    allowed: ArrayLike | None = None

    def draw(self, room: Room) -> Figure:
        matrix = weights(self.pattern, self.words, room.theme, allowed=self.allowed)
        checked_selection(self.around, matrix.values.shape, "(query, key)")
        part = near(matrix, self.around)
        assert part.places is not None, "a part knows its places"
        query, key = (at - int(first) for at, first in zip(self.around, part.places[0, 0], strict=True))
        return draw_panels([Panel(part)], room, title=AROUND, selected=(query, key))[0].finished()

    def alt(self) -> str:
        query, key = (plain(self.words[at]) for at in self.around)
        return f"The weights around the chosen cell: {query} → {key}"


@dataclass(frozen=True, kw_only=True, eq=False)
class SentencePairMatrix(Picture):
    """Numbers (query, key) of one or two sentences: weights, or any numbers if they are `signed`.

    `measure` names the numbers if they are neither attention weights nor scores. `roles` are the titles of
    the two sides. A click on a cell reports x = key, y = query. A `short` title is drawn if the whole one has
    no room.
    """

    values: ArrayLike
    queries: Sequence[str]
    keys: Sequence[str]
    allowed: ArrayLike | None = None
    signed: bool = False
    measure: str = ""
    roles: tuple[str, str] = ROLES
    short: str = ""

    def draw(self, room: Room) -> Figure:
        return self._drawn(Panel(self._matrix(room.theme)), room)

    def alt(self) -> str:
        matrix = self._matrix(LIGHT)
        return f"{plain(self.title)}: {matrix.extent()}.{matrix.largest('Largest')}{matrix.spoken_gaps}"

    def table(self) -> pd.DataFrame:
        return matrix_table(self.values, self.queries, keys=self.keys)

    def _matrix(self, theme: Theme) -> Matrix:
        kind = real_numbers if self.signed else weights
        matrix = kind(self.values, self.queries, theme, keys=self.keys, allowed=self.allowed)
        return replace(matrix, roles=self.roles, measure=self.measure or matrix.measure)

    def _drawn(self, panel: Panel, room: Room, selected: Cell | None = None) -> Figure:
        drawn, _ = draw_panels(
            [panel], room, title=self.title, short=self.short, selected=selected, is_whole=True
        )
        return drawn.finished()


@dataclass(frozen=True, kw_only=True, eq=False)
class Alignment(SentencePairMatrix):
    """Attention from a translation, whose words are queries, to its source; `gold` cells are outlined.

    The words of the `selected` cell are in the colour of a choice. If there are `outlined` cells, they have
    an outline in place of the gold ones, which the legend explains as `outlined_as`.
    """

    gold: Collection[Cell] = ()
    selected: Cell | None = None
    outlined: Collection[Cell] = ()
    outlined_as: str = ""

    def draw(self, room: Room) -> Figure:
        cells, meaning = (self.gold, "right alignment")
        if self.outlined:
            cells, meaning = self.outlined, self.outlined_as
        panel = Panel(self._matrix(room.theme), outlined=cells, outlined_as=meaning)
        return self._drawn(panel, room, self.selected)

    def alt(self) -> str:
        best = np.abs(np.asarray(self.values)).argmax(axis=1).tolist()
        pairs = zip(self.queries, best, strict=True)
        details = ", ".join(f"{plain(target)} to {plain(self.keys[source])}" for target, source in pairs)
        linked = {target for target, _ in self.gold}
        right = sum((target, source) in self.gold for target, source in enumerate(best))
        extent = self._matrix(LIGHT).extent()
        what, most = ("", "Largest") if self.measure else ("attention ", "Most weight")
        listed = f"{plain(self.title)}: {what}{extent}. {most}: {details}."
        if not linked:
            return listed
        return f"{listed} {right} of {counted(len(linked), 'linked word')} as in the right alignment."
