"""The rows of weights that questions are about."""

import numpy as np

from core.measures.heads.largest import largest_of_a_choice
from pages.contract.predict import told_apart
from pages.explorer.cell import Selection
from pages.explorer.questions import Row
from pages.explorer.shown import ROLLOUT, Weights
from pages.shell.scene import Scene


def largest_row(scene: Scene, shown: Weights) -> Row:
    """The row with the largest weight of a word that has a choice."""
    (query, _), _ = largest_of_a_choice(shown.pattern, scene.attention.allowed)
    return row_at(scene, shown, query)


def widest_row(scene: Scene, shown: Weights) -> Row:
    """The last of the rows that may attend to the most words; one of a special token only if all are."""
    n_allowed, special = scene.attention.allowed.sum(axis=1), scene.attention.rows.special
    asking = [at for at in range(len(n_allowed)) if at not in special] or range(len(n_allowed))
    return row_at(scene, shown, max(asking, key=lambda at: (n_allowed[at], at)))


def selected_row(scene: Scene, shown: Weights, selected: Selection) -> Row | None:
    """The row that the link selects; of a selected key the one that gives it most; None if neither is."""
    if selected.query is not None:
        return row_at(scene, shown, selected.query)
    if selected.key is None:
        return None
    allowed = shown.pattern > 0 if shown.kind == ROLLOUT else scene.attention.allowed
    return row_at(scene, shown, int(np.where(allowed, shown.pattern, -1.0)[:, selected.key].argmax()))


def row_at(scene: Scene, shown: Weights, query: int) -> Row:
    """What the word at a position attends to, or by rollout what its state comes from."""
    names, seen = told_apart(scene.attention.names), scene.attention.allowed[query]
    is_rollout = shown.kind == ROLLOUT
    if is_rollout:  # what may not be attended to is 0 there too, and layers pass on what others see
        seen = shown.pattern[query] > 0
    place = shown.place
    return Row(
        place=place,
        word=names[query],
        keys=tuple(names[at] for at in np.flatnonzero(seen)),
        weights=tuple(map(float, shown.pattern[query][seen])),
        unit=scene.attention.unit,
        comes_from=is_rollout,
    )
