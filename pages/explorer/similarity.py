"""Similarity: how similar the sentence typed is to a list of others, by the mean of a real model's states."""

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Float

from core.measures.similarity import similarities
from core.programs.similarity import similarity_program
from core.sources import OneModel
from pages.controls.cited import equation
from pages.controls.known_words import offer_real
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.controls.prose import Typed, literal
from pages.controls.sentence import lines_box, typed
from pages.controls.switches import Architecture
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.text import counted

SENTENCE = "The cat is sleeping on the sofa."
OTHERS = (
    "A kitten takes a nap on the couch.",
    "On the sofa sleeps the cat.",
    "The cat is not sleeping on the sofa.",
    "The sofa is sleeping on the cat.",
    "A dog is barking in the garden.",
    "She cooked dinner for her friends.",
    "Interest rates rose again last month.",
)
"""Said in other words, in another order, denied, turned round; then about other things."""

UNRELATED = OTHERS[-3:]
"""About other things than nearly any sentence."""

MOST = 12
"""So many sentences at most are compared."""

ONLY_REAL = (
    "Models of the small language know too few words to compare sentences. Choose *real* weights: MiniLM was "
    "trained to give sentences of the same meaning vectors of the same direction."
)
HOW = (
    "The vector of a sentence is the mean of the states of its pieces after the last layer. The similarity "
    "of two sentences is the cosine of the angle between their vectors. Change a switch to see which part of "
    "the model the order depends on."
)
WIDE = 300
"""Pixels of the column with bars."""


def similarity(scene: Scene) -> Program | None:
    """The sentences of the list, the most similar first."""
    one = scene.switches.weights.one
    if one is None:
        st.markdown(ONLY_REAL)
        with st.container(key="examples_known"):  # it looks as where words are unknown
            offer_real()
        return None
    others = _others(scene)
    if not others:
        st.info("The list of sentences is empty: type at least one.")
        return None
    read = tuple(one.split(text).texts for text in others)
    cosines = _similarities(scene.plain, read, scene.switches)
    _table(others, cosines)
    st.markdown(f"{_found(others, cosines, one)} {HOW}")
    equation(
        r"\cos(u, v) = \frac{u^\top v}{\lVert u \rVert \lVert v \rVert}, \qquad "
        r"u = \frac{1}{n} \sum_{i=1}^{n} h_i",
        "Reimers and Gurevych 2019, section 3. h are the states after the last layer",
    )
    return Program(
        lambda: similarity_program(scene.subject, read), prints="the cosines, in the order of the list"
    )


@remembered()
def _similarities(
    words: tuple[str, ...], others: tuple[tuple[str, ...], ...], switches: Architecture
) -> Float[np.ndarray, "other"]:
    return similarities(words, others, switches.config, source=switches.source, seed=switches.seed)


def usual(text: str) -> tuple[str, ...]:
    """The sentences of the list at first: those about the cat are for the sentence about the cat.

    One's own is compared with its words the other way round, with its first half, and with other things.
    """
    if text == SENTENCE:
        return OTHERS
    words = text.split()
    half = words[: (len(words) + 1) // 2]
    own = dict.fromkeys(" ".join(part) for part in (words[::-1], half) if part != words)
    return (*own, *UNRELATED)


def _others(scene: Scene) -> tuple[str, ...]:
    lines = lines_box("against", "Sentences to compare it with, one a line", default=usual(typed("text")))
    if len(lines) > MOST:
        scene.notes.warning(f"At most {MOST} sentences are compared: the first of your {len(lines)}.")
    return lines[:MOST]


def _table(others: tuple[str, ...], cosines: Float[np.ndarray, "other"]) -> None:
    table = pd.DataFrame({"sentence": others, "similarity": cosines})
    bars = st.column_config.ProgressColumn(
        "cosine similarity", width=WIDE, format="%.2f", min_value=0, max_value=1, color=theme().attention
    )
    st.dataframe(
        table.sort_values("similarity", ascending=False, kind="stable"),
        key="similarities",
        hide_index=True,
        column_config={"similarity": bars},
    )


def _found(others: tuple[str, ...], cosines: Float[np.ndarray, "other"], one: OneModel) -> str:
    closest = int(cosines.argmax())
    return (
        f"For {literal(one.title)}, the most similar of {counted(len(others), 'sentence')} is "
        f"**{Typed(others[closest])}** (cosine {cosines[closest]:.2f})."
    )
