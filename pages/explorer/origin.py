"""The origin of a cell without a calculation of its own: the mean over heads, or the rollout."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.heads.rollout import RESIDUAL_SHARE, through
from pages.contract.sheet import Numbers, Part, Remark, Steps, Text
from pages.controls.prose import literal
from pages.explorer.cell import Cell
from pages.explorer.merged import mean
from pages.explorer.shown import MEAN, Weights
from pages.shell.scene import Scene
from viz.tables import unique_words
from viz.units import per_cent, thousandths

WORDS_NAMED = 3
INVITATION = "Click a cell, or choose a query and a key, to see where its weight comes from."
NO_MEAN_SOFTMAX = "A mean over heads has no dot product and no softmax of its own: choose *head* for those."
NO_ROLLOUT_SOFTMAX = (
    "Rollout has no dot product and no softmax of its own: it multiplies the layers, each the mean over its "
    "heads."
)
HANDED_ON = (
    f"It assumes that a residual connection carries {per_cent(RESIDUAL_SHARE)} of a word's state past each "
    "layer, and it leaves out values and feed-forward layers, so it is an estimate."
)
NOTHING_HANDED_ON = "Without residual connections nothing is carried past a layer."


def origin(scene: Scene, shown: Weights, cell: Cell | None) -> tuple[Part, ...]:
    """What a cell of `shown`, which is no single head, is made of, and why there is no calculation."""
    why = _reason(scene, shown)
    if cell is None:
        return (Remark(f"{INVITATION} {why}"),)
    parts = _mean(scene, shown, *cell) if shown.kind == MEAN else _rollout(scene, shown, *cell)
    return (*parts, Remark(why))


def _reason(scene: Scene, shown: Weights) -> str:
    """Why there is no calculation."""
    if shown.kind == MEAN:
        return NO_MEAN_SOFTMAX
    return f"{NO_ROLLOUT_SOFTMAX} {HANDED_ON if scene.switches.config.residual else NOTHING_HANDED_ON}"


def _mean(scene: Scene, shown: Weights, query: int, key: int) -> tuple[Part, ...]:
    weights = scene.attention.of_cell(scene.layer, (query, key))
    return (
        Text(f"{_word(scene, query)} attends to {_word(scene, key)} · {shown.title}"),
        Steps("calculation", mean(weights, most=len(weights))),
    )


def _rollout(scene: Scene, shown: Weights, query: int, key: int) -> tuple[Part, ...]:
    share = f"**{thousandths(shown.pattern[query, key])}**"
    said = (
        f"{share} of the state of {_word(scene, query)} after layer {scene.layer + 1} comes from "
        f"{_word(scene, key)}."
    )
    pieces = scene.attention.pieces(query), scene.attention.pieces(key)
    if not scene.layer or any(len(own) > 1 for own in pieces):
        return (Text(said),)
    parts = through(scene.layers, pieces[0][0], pieces[1][0], residual=scene.switches.config.residual)
    named = _through(scene, parts)
    if not named:
        return (Text(said),)
    column = pd.Series(parts, index=pd.Index(unique_words(scene.names), name="through"), name="share")
    spread = f"Before layer {scene.layer + 1} this share is spread over {named}."
    return Text(f"{said} {spread}"), Numbers("origin", column.to_frame)


def _through(scene: Scene, parts: Float[np.ndarray, "word"]) -> str:
    """The words that most of a share passes on its way; empty where there is none."""
    largest = parts.argsort()[::-1][:WORDS_NAMED]
    return " · ".join(
        f"**{literal(scene.labels[at])}** ({at + 1}) {thousandths(parts[at])}"
        for at in map(int, largest)
        if parts[at] > 0
    )


def _word(scene: Scene, position: int) -> str:
    return f"**{literal(scene.attention.labels[position])}** ({position + 1})"
