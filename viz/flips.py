"""Shares or probabilities by several models as a grid, with wrong verdicts outlined."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import Cell
from viz.layout.drawing import Panel, draw_panels
from viz.layout.figure import Figure
from viz.layout.kinds import weights
from viz.picture import Picture
from viz.room import Room
from viz.text import plain
from words import probability


@dataclass(frozen=True, kw_only=True, eq=False)
class FlipGrid(Picture):
    """Numbers (text, model) from 0 to 1 in colours; the cells of `wrong` verdicts are outlined.

    `measure` names the numbers. The table has a row for each of `texts`, which are called `rows`, and the
    columns `beside` before the numbers. The `short` title is drawn if the whole one has no room. Without
    `wrong` no number is a verdict. A click reports x = model, y = text.
    """

    values: ArrayLike
    texts: Sequence[str]
    models: Sequence[str]
    measure: str = "probability"
    short: str = ""
    wrong: Collection[Cell] | None = None
    beside: Mapping[str, Sequence[object]] = field(default_factory=dict, compare=False)
    rows: str = "text"

    def draw(self, room: Room) -> Figure:
        matrix = weights(self.values, self.texts, room.theme, keys=self.models)
        matrix = replace(matrix, roles=(f"{self.rows} ↓", "model →"), measure=self.measure)
        panel = Panel(matrix, outlined=self.wrong or (), outlined_as="misclassified")
        return draw_panels([panel], room, title=self.title, short=self.short, is_whole=True)[0].finished()

    def alt(self) -> str:
        details = [
            f"{plain(text)} {probability(row.min())} to {probability(row.max())}"
            for text, row in zip(self.texts, np.asarray(self.values, dtype=float), strict=True)
        ]
        listed = f"{plain(self.title)}: {'; '.join(details)}."
        if self.wrong is None:
            return listed
        named = [f"{plain(self.models[at])} on {plain(self.texts[row])}" for row, at in sorted(self.wrong)]
        return f"{listed} Wrong: {', '.join(named) or 'none'}."

    def table(self) -> pd.DataFrame:
        index = pd.Index(list(self.texts), name=self.rows)
        columns = dict(zip(self.models, np.asarray(self.values, dtype=float).T, strict=True))
        return pd.DataFrame({**self.beside, **columns}, index=index)
