"""The cell of a matrix that is chosen, by its words or by a click."""

from collections.abc import Sequence
from typing import Any

from pages.contract.form import Form
from pages.contract.sheet import Changes, Gesture, Link, Point
from pages.shell.scene import Scene
from viz.parts.downsampling import cell_of

CELL = "cell"
"""The spot of the two menus."""

Cell = tuple[int, int]
"""A query and a key, counted from 0."""


def ask_cell(form: Form, scene: Scene) -> Cell | None:
    """The cell chosen; None while none is."""
    with form.at(CELL):
        query, key = (form.word(name, scene.attention.names) for name in ("query", "key"))
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
