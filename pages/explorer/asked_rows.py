"""The numbers of a scene that questions are about: a row of weights, and what each head changes."""

import numpy as np

from core.measures.heads.largest import largest_of_a_choice
from pages.contract.predict import told_apart
from pages.contract.question import Choose
from pages.explorer.expected import reads_on
from pages.explorer.moved_states import Moved
from pages.explorer.prediction import Expected
from pages.explorer.questions import Row, head_that_matters
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


def changes_of(expected: Expected) -> dict[str, float]:
    """What the knocked-out heads change, each alone, by the names that rows have; empty where none is."""
    if expected is None:
        return {}
    table = expected.bars if isinstance(expected, Moved) else expected.effects
    if table is None:
        return {}
    column = "change" if isinstance(expected, Moved) else "divergence"
    numbers = zip(table["layer"], table["head"], table[column], strict=True)
    return {f"layer {layer}, head {head}": float(value) for layer, head, value in numbers}


def which_head_matters(scene: Scene, expected: Expected, row: Row) -> Choose | None:
    """The question for the head that matters, which need not be that of the row."""
    if expected is None:
        return None
    if isinstance(expected, Moved):
        what, unit = "the mean of the last states", " of their length"
    else:
        name = told_apart(scene.names)[expected.at]
        what = f"the prediction {'after' if reads_on(scene) else 'of the masked'} *{name}*"
        unit = " nats, as a Kullback–Leibler divergence"
    weight = row.best[1] if row.keys else 0.0
    return head_that_matters(changes_of(expected), what, unit, row.place, weight)
