"""The stages from scores to weights in one figure: separate matrices side by side."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import Allowed, Cell, Matrix
from viz.layout.drawing import Panel, draw_panels
from viz.layout.figure import Figure
from viz.layout.grid import KEY_TITLE, QUERY_TITLE, SMALLEST_PANEL
from viz.layout.kinds import permissions, real_numbers, weights
from viz.picture import Picture
from viz.room import Room
from viz.tables import matrix_table, pairs_table
from viz.text import plain
from viz.theme import LIGHT, Theme

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
    roles: tuple[str, str] = (QUERY_TITLE, KEY_TITLE)

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
