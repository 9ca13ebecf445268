"""Grids of probabilities, with some verdicts outlined: of texts by models, or of networks by vectors."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.cells import Cell, Gap, Matrix, weights
from viz.layout.drawing import Panel, draw_panels
from viz.layout.figure import Figure
from viz.picture import Picture
from viz.room import Room
from viz.text import plain
from viz.theme import Theme
from words import probability


@dataclass(frozen=True, kw_only=True, eq=False)
class FlipGrid(Picture):
    """Numbers (text, model) from 0 to 1 in colours; the cells of `wrong` verdicts are outlined.

    `measure` names the numbers. The table has a row for each of `texts`, which are called `rows`, and the
    columns `beside` before the numbers. Without `wrong` no number is a verdict. A click reports x = model,
    y = text.
    """

    values: ArrayLike
    texts: Sequence[str]
    models: Sequence[str]
    measure: str = "probability"
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


Place = tuple[str, str]
"""A network and a way to make one vector of its states."""

NOT_TRAINED = Gap(sign="–", hover="not trained", legend="not trained", brief="not trained")


@dataclass(frozen=True, kw_only=True, eq=False)
class PooledVerdicts(Picture):
    """A grid (network, way) of probabilities for each of `verdicts`, which are named by their texts.

    The `outlined` verdicts on the first text have an outline, which the legend explains as `outlined_as`;
    without `outlined` no number is a verdict. A click reports x = way, y = network. The table has a row for
    each text.
    """

    verdicts: Mapping[str, Mapping[Place, float]]
    outlined: Collection[Place] | None = None
    outlined_as: str = "right"

    @property
    def networks(self) -> tuple[str, ...]:
        """The rows."""
        return tuple(dict.fromkeys(network for network, _ in self._places()))

    @property
    def ways(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(dict.fromkeys(way for _, way in self._places()))

    def draw(self, room: Room) -> Figure:
        cells = [(self.networks.index(one), self.ways.index(way)) for one, way in self.outlined or ()]
        panels = [
            Panel(
                self._matrix(found, room.theme),
                title=text if len(self.verdicts) > 1 else "",
                outlined=() if at else cells,
                outlined_as=self.outlined_as,
            )
            for at, (text, found) in enumerate(self.verdicts.items())
        ]
        return draw_panels(panels, room, title=self.title, is_whole=True)[0].finished()

    def alt(self) -> str:
        told = (
            f"{plain(text)}: {', '.join(f'{_named(at)} {probability(value)}' for at, value in found.items())}"
            for text, found in self.verdicts.items()
        )
        listed = f"{plain(self.title)}. {'. '.join(told)}."
        if self.outlined is None:
            return listed
        named = ", ".join(map(_named, self.outlined)) or "none"
        return f"{listed} {self.outlined_as.capitalize()}: {named}."

    def table(self) -> pd.DataFrame:
        rows = [{_named(at): value for at, value in found.items()} for found in self.verdicts.values()]
        return pd.DataFrame(rows, index=pd.Index(list(self.verdicts), name="text"))

    def _places(self) -> Iterator[Place]:
        for found in self.verdicts.values():
            yield from found

    def _matrix(self, found: Mapping[Place, float], theme: Theme) -> Matrix:
        values = np.array([[found.get((one, way), np.nan) for way in self.ways] for one in self.networks])
        matrix = weights(values, self.networks, theme, keys=self.ways)
        return replace(matrix, roles=("network ↓", "vector →"), measure="probability", gap=NOT_TRAINED)


def _named(place: Place) -> str:
    return " ".join(place)
