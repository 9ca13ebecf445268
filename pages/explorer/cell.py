"""The cell of a matrix that is chosen, by its words or by a click."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.contract.ask import Ask
from pages.contract.items import Asked
from pages.contract.sheet import Changes, Gesture, Link, Point
from pages.explorer.expected import PLACE
from pages.shell.scene import Scene
from viz.parts.downsampling import cell_of

CELL = "cell"
"""The spot of the two menus."""

Cell = tuple[int, int]
"""A query and a key, counted from 0."""


@dataclass(frozen=True)
class Selection:
    """The row and the column of the shown weights that the link selects, counted from 0."""

    query: int | None = None
    key: int | None = None


NOTHING_SELECTED = Selection()


def selection(ask: Ask, scene: Scene, cell: Cell | None = None) -> Selection:
    """Return the selected cell, row or column, or else the row of the word whose prediction is shown."""
    given = [_given(ask, name) for name in ("query", "key")]
    if cell is not None or given != [None, None]:
        return Selection(*(given if cell is None else cell))
    at = _given(ask, PLACE)
    rows = (row for row in range(len(scene.attention.names)) if at in scene.attention.pieces(row))
    return Selection(next(rows, None))


def _given(ask: Ask, name: str) -> int | None:
    """Return the position, from 0, that a control of the form was given; None if it was given none."""
    items = (item for items in ask.items.values() for item in items if isinstance(item, Asked))
    value = next((item.value for item in items if item.control.name == name), None)
    return None if value is None else int(value) - 1


def ask_cell(ask: Ask, scene: Scene) -> Cell | None:
    """The cell chosen; None while none is."""
    with ask.at(CELL):
        query, key = (ask.word(name, scene.attention.names) for name in ("query", "key"))
    return None if query is None or key is None else (query, key)


def opens(*, predicts: bool, **more: Any) -> Gesture:
    """A click on a matrix, which opens the calculation of its cell.

    The query becomes the word whose prediction is shown, where the view `predicts`; `more` changes as well.
    """

    def changes(points: Sequence[Point], link: Link) -> Changes:
        point = points[-1]
        query, key = cell_of(point["x"], point["y"], point["data"])
        place = {"place": query + 1} if predicts else {}
        return {"query": query + 1, "key": key + 1, **place, **more}

    return changes
