"""Where a cell comes from that has no calculation of its own: of the mean over heads, or of the rollout."""

import pandas as pd
import streamlit as st

from core.measures.heads.rollout import RESIDUAL_SHARE, through
from pages.controls.picture import numbers
from pages.controls.prose import literal
from pages.explorer.merged import mean
from pages.explorer.shown import MEAN, Shown
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


def origin(scene: Scene, shown: Shown, cell: tuple[int, int] | None) -> None:
    """What a cell of `shown`, which is no single head, is made of."""
    if cell is None:
        st.caption(INVITATION)
    elif shown.kind == MEAN:
        _mean(scene, shown, *cell)
    else:
        _rollout(scene, shown, *cell)
    st.caption(_reason(scene, shown))


def _reason(scene: Scene, shown: Shown) -> str:
    """Why there is no calculation."""
    if shown.kind == MEAN:
        return NO_MEAN_SOFTMAX
    return f"{NO_ROLLOUT_SOFTMAX} {HANDED_ON if scene.switches.config.residual else NOTHING_HANDED_ON}"


def _mean(scene: Scene, shown: Shown, query: int, key: int) -> None:
    st.markdown(f"{_word(scene, query)} attends to {_word(scene, key)} · {shown.title}")
    weights = scene.attention.of_cell(scene.layer, (query, key))
    with st.container(key="calculation_steps"):
        st.latex(mean(weights, most=len(weights)))


def _rollout(scene: Scene, shown: Shown, query: int, key: int) -> None:
    share = f"**{thousandths(shown.pattern[query, key])}**"
    st.markdown(
        f"{share} of the state of {_word(scene, query)} after layer {scene.layer + 1} comes from "
        f"{_word(scene, key)}."
    )
    pieces = scene.attention.pieces(query), scene.attention.pieces(key)
    if scene.layer and all(len(own) == 1 for own in pieces):
        _paths(scene, pieces[0][0], pieces[1][0])


def _paths(scene: Scene, query: int, key: int) -> None:
    """The words that most of it passes on its way."""
    parts = through(scene.layers, query, key, residual=scene.switches.config.residual)
    column = pd.Series(parts, index=pd.Index(unique_words(scene.names), name="through"), name="share")
    largest = parts.argsort()[::-1][:WORDS_NAMED]
    named = [
        f"**{literal(scene.labels[at])}** ({at + 1}) {thousandths(parts[at])}"
        for at in map(int, largest)
        if parts[at] > 0
    ]
    if named:
        st.markdown(f"Before layer {scene.layer + 1} this share is spread over {' · '.join(named)}.")
        numbers("origin", column.to_frame)


def _word(scene: Scene, place: int) -> str:
    return f"**{literal(scene.attention.labels[place])}** ({place + 1})"
