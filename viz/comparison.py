"""Two configurations side by side, and their difference."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import Cell, Matrix, Numbers, visible
from viz.layout.drawing import Panel, draw_panels
from viz.layout.figure import Figure
from viz.layout.kinds import NOISE, changes, differs, weights
from viz.picture import Picture
from viz.room import Room
from viz.tables import cells_table, largest_changes
from viz.theme import Theme
from words import counted

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
        return matrix if differs(matrix) else replace(matrix, legend=(NO_CHANGE,))
