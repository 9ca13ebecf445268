"""Matrices of words by words: of a head, of two sentences, of two configurations, and of stages."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import (
    MASKED_WEIGHT,
    NOISE,
    Allowed,
    Cell,
    Gap,
    Matrix,
    Numbers,
    changes,
    checked_selection,
    permissions,
    real_numbers,
    visible,
    weights,
)
from viz.layout.downsampling import least_seen, near
from viz.layout.drawing import Panel, draw_panels
from viz.layout.figure import Figure
from viz.layout.grid import (
    DECODER_TITLE,
    ENCODER_TITLE,
    KEY_TITLE,
    QUERY_TITLE,
    SMALLEST_PANEL,
    Grid,
    fit,
    word_widths,
)
from viz.picture import Picture
from viz.room import Room
from viz.tables import cells_table, largest_changes, matrix_table, pairs_table
from viz.text import plain, quoted, unique_words
from viz.theme import LIGHT, Theme
from words import counted

NOTHING = 0.005
"""Largest number that two decimals write as 0."""

AROUND = "Around the chosen cell"
"""Title above a part of a matrix, beside the whole, whose title names both."""

ROLES = (QUERY_TITLE, KEY_TITLE)
CROSS_ROLES = (DECODER_TITLE, ENCODER_TITLE)
"""Titles for attention from a translation to its source: row t is the step that writes word t."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadMatrix(Picture):
    """The weights of a head, `pattern` (query, key): colours from 0 to 1, or less without digits.

    Rows are queries from top to bottom, columns are keys, and `words` names both; each stands for a `unit`. A
    cell that `allowed` forbids, or that is NaN, is a dotted `gap`. `selected` frames a (query, key). A click
    on a cell reports x = key, y = query. If cells would be too small to be seen each shows the largest of a
    block, and a click reports its place as data: `downsampling.cell_of` understands both.
    """

    pattern: ArrayLike
    words: Sequence[str]
    allowed: ArrayLike | None = None
    gap: Gap = MASKED_WEIGHT
    unit: str = "word"
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
        return replace(weights(self.pattern, self.words, theme, allowed=self.allowed), gap=self.gap)


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
        query, key = (unique_words(self.words)[at] for at in self.around)
        return f"The weights around the chosen cell: {query} → {key}"


@dataclass(frozen=True, kw_only=True, eq=False)
class SentencePairMatrix(Picture):
    """Numbers (query, key) of one or two sentences: weights, or any numbers if they are `signed`.

    `measure` names the numbers if they are neither attention weights nor scores. `roles` are the titles of
    the two sides, and each row or column stands for a `unit`. A click on a cell reports x = key, y = query.
    """

    values: ArrayLike
    queries: Sequence[str]
    keys: Sequence[str]
    allowed: ArrayLike | None = None
    signed: bool = False
    measure: str = ""
    roles: tuple[str, str] = ROLES
    unit: str = "word"

    def draw(self, room: Room) -> Figure:
        return self._drawn(Panel(self._matrix(room.theme)), room)

    def alt(self) -> str:
        matrix = self._matrix(LIGHT)
        largest = matrix.largest("Largest")
        return f"{plain(self.title)}: {matrix.extent(self.unit)}.{largest}{matrix.spoken_gaps}"

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
        """Return the source word of each query's largest number, if it is drawn as more than 0.

        Add how many are right.
        """
        values, names = np.asarray(self.values), (unique_words(self.queries), unique_words(self.keys))
        best = [(at, int(key)) for at, key in enumerate(values.argmax(axis=1)) if values[at, key] > NOTHING]
        details = ", ".join(f"{names[0][at]} to {names[1][key]}" for at, key in best) or "none"
        linked = {target for target, _ in self.gold}
        right = sum(cell in self.gold for cell in best)
        extent = self._matrix(LIGHT).extent(self.unit)
        what, most = ("", "Largest") if self.measure else ("attention ", "Most weight")
        listed = f"{plain(self.title)}: {what}{extent}. {most}: {details}."
        if not linked:
            return listed
        return f"{listed} {right} of {counted(len(linked), 'linked word')} as in the right alignment."


CHANGE = "B − A"
NO_CHANGE = "no cell differs"


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Picture):
    """The weights of A and B, both (query, key), and B − A on a separate diverging scale.

    `titles` stand above A and B, and `allowed` has the mask of each. A masked weight counts as 0 in the
    difference; a cell masked in both has no difference. A click reports x = key, y = query and, as
    customdata, the panel. Rows and columns stand for a `unit` each.
    """

    a: ArrayLike
    b: ArrayLike
    words: Sequence[str]
    titles: tuple[str, str]
    allowed: tuple[ArrayLike, ArrayLike]
    unit: str = "word"
    selected: Cell | None = None

    def draw(self, room: Room) -> Figure:
        both = zip((self.a, self.b), self.allowed, strict=True)
        first, second = (visible(pattern, mask) for pattern, mask in both)
        matrices = [weights(one, self.words, room.theme) for one in (first, second)]
        matrices.append(self._changes(first, second, room.theme))
        panels = list(map(Panel, matrices, (*self.titles, CHANGE)))
        return draw_panels(panels, room, selected=self.selected)[0].finished()

    def alt(self) -> str:
        top = largest_changes(self.a, self.b, self.words).iloc[0]
        found = (
            f"Largest change: {top['query']} to {top['key']}, from {top['A']:.2f} to {top['B']:.2f}."
            if abs(top["change"]) > NOISE
            else f"{NO_CHANGE.capitalize()}."
        )
        extent = counted(len(self.words), self.unit)
        return f"Attention weights of A and B over {extent}, and their difference. {found}"

    def table(self) -> pd.DataFrame:
        return cells_table(np.asarray(self.b) - np.asarray(self.a), self.words)

    def _changes(self, first: Numbers, second: Numbers, theme: Theme) -> Matrix:
        """Return B − A, with a gap only where both are masked."""
        change = np.nan_to_num(second) - np.nan_to_num(first)
        change[np.isnan(first) & np.isnan(second)] = np.nan
        matrix = changes(change, self.words, theme)
        differs = np.abs(np.nan_to_num(matrix.values)).max(initial=0) > NOISE
        return matrix if differs else replace(matrix, legend=(NO_CHANGE,))


Kind = Literal["scores", "mask", "weights"]


@dataclass(frozen=True)
class StagePanel:
    """One stage: its title, its (query, key) matrix and the kind of its numbers.

    `scores` are any real numbers, on a separate scale; `weights` run from 0 to 1; a `mask` is boolean, True
    where a query may look. `sign` stands before the stage, unless it is the first.
    """

    title: str
    matrix: ArrayLike
    kind: Kind
    sign: str = "→"


@dataclass(frozen=True, kw_only=True, eq=False)
class Stages(Picture):
    """Stages from left to right, in more rows if panels would be smaller than `smallest` pixels.

    Each has a title and a scale; the queries are beside only the first of a row. Masked cells are gaps in the
    weights as well. A click reports x = key, y = query and, as customdata, the stage, counted from 0. The
    `title` is not drawn. Rows and columns stand for a `unit` each, and have the titles `roles`. The cells
    of the last stage that are `outlined` have a frame, which the legend explains as `outlined_as`.
    """

    stages: Sequence[StagePanel]
    words: Sequence[str]
    unit: str = "word"
    smallest: int = SMALLEST_PANEL
    outlined: Collection[Cell] = ()
    outlined_as: str = ""
    roles: tuple[str, str] = ROLES

    def draw(self, room: Room) -> Figure:
        panels = [Panel(self._matrix(one, room.theme), one.title, one.sign) for one in self.stages]
        panels[-1] = replace(panels[-1], outlined=self.outlined, outlined_as=self.outlined_as)
        return draw_panels(panels, room, smallest=self.smallest)[0].finished()

    def alt(self) -> str:
        last = self._matrix(self.stages[-1], LIGHT)
        first, *others = self.stages
        steps = [plain(first.title), *(f"{plain(one.sign)} {plain(one.title)}" for one in others)]
        largest = last.largest("Largest number at the end")
        return f"{plain(self.title)}: stages {last.extent(self.unit)}: {' '.join(steps)}.{largest}"

    def table(self) -> pd.DataFrame:
        return matrix_table(self.stages[-1].matrix, self.words)

    def data(self) -> pd.DataFrame:
        return pairs_table({one.title: one.matrix for one in self.stages}, self.words)

    @property
    def _allowed(self) -> Allowed:
        masks = [np.asarray(one.matrix, dtype=bool) for one in self.stages if one.kind == "mask"]
        return np.logical_and.reduce(masks) if masks else np.array(True)

    def _matrix(self, stage: StagePanel, theme: Theme) -> Matrix:
        return replace(self._numbers(stage, theme), roles=self.roles)

    def _numbers(self, stage: StagePanel, theme: Theme) -> Matrix:
        if stage.kind == "mask":
            return permissions(stage.matrix, self.words, theme)
        if stage.kind == "weights":
            return weights(stage.matrix, self.words, theme, allowed=self._allowed)
        return real_numbers(stage.matrix, self.words, theme)
