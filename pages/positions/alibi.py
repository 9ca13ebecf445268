"""Linear bias: both forms side by side, and the attention weights that each slope gives by itself."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.order.verdicts import compare_mirrored
from core.measures.positions import alibi as linear
from core.model.config import ModelConfig
from core.model.positions import SCHEMES
from core.programs.positions import alibi_program
from core.sources import SOURCES, UnavailableError
from pages.controls.chart import chart
from pages.controls.cited import equation, footnote
from pages.controls.link import menu
from pages.controls.picture import picture, theme
from pages.controls.screen import columns, room
from pages.controls.weights import absent_of, note_absent
from pages.shell import Program, Scene
from viz.schemes import Panel, describe_side_by_side, side_by_side
from viz.tables import matrix_table
from viz.text import counted
from viz.theme import Theme
from viz.units import distance, fraction, per_cent

WIDTH = 600
FEWEST_DISTANCES = 32
NOTE = "note: slope 1"
FORMULA = (
    r"\alpha_i = \operatorname{softmax}\bigl(k_{0:n-1}\, q_i + m_h\,[-i, \ldots, -1, 0, -1, \ldots, "
    r"-(n-1-i)]\bigr), \qquad m_h = 2^{-8h/H} \ \text{or}\ 1"
)
X = "words back"
ALONE = "Attention weights where all words match equally well"
BOTH_SIDES = "The bias depends on the distance of a word, not on its side"


def alibi(scene: Scene) -> Program:
    """The two bias matrices, then the weights that a bias gives where nothing else decides."""
    config = scene.switches.config
    with scene.row:
        head = menu("head", options=range(1, config.n_heads + 1), notes=scene.notes)
    slope = linear.slopes(config.n_heads)[head - 1]
    left, right = columns([13, 8])
    with left:
        _matrices(scene, head, slope)
    with right:
        _alone(len(scene.words), config.n_heads, head)
    _told(len(scene.words), config.n_heads, head, slope)
    _mirrored(scene)
    about = SCHEMES["alibi"].about
    equation(FORMULA, about.source)
    for slip in about.slips:
        footnote(slip)
    return Program(lambda: alibi_program(scene.plain, config, head - 1))


def _matrices(scene: Scene, head: int, slope: float) -> None:
    n = len(scene.words)
    allowed = linear.allowed(scene.switches.config.mask, n)
    note, own = linear.bias(n, linear.NOTE_SLOPE), linear.bias(n, slope)
    panels = [
        Panel(title=NOTE, matrix=note),
        Panel(title=f"head {head}: slope {fraction(slope)}", matrix=own),
    ]
    look: dict[str, Any] = {"allowed": allowed, "signed": True}
    picture(
        side_by_side(panels, scene.plain, theme=theme(), size=room(WIDTH), **look),
        key="bias",
        alt=describe_side_by_side(panels, scene.plain, what="Linear bias in both forms", **look),
        table=lambda: matrix_table(own, scene.plain, allowed=allowed),
    )


def _alone(n_words: int, n_heads: int, head: int) -> None:
    n = max(FEWEST_DISTANCES, n_words)
    st.markdown(f"## {ALONE}")
    table = _weights(n, n_heads)
    chart(
        table,
        key="alone",
        what=f"{ALONE}, from the last of {n} words",
        x=X,
        y="attention weight",
        by="form",
        say=per_cent,
        colours=_colours(n_heads, head, theme()),
        x_title="words back from the last word",
        y_title="attention weight",
        x_ticks={float(at): str(at) for at in range(0, n + 1, 8 * -(-n // 64))},
        y_ticks={0.0: "0 %", 0.25: "25 %", 0.5: "50 %"},
        height=330,
    )


def _weights(n: int, n_heads: int) -> pd.DataFrame:
    forms = {NOTE: linear.NOTE_SLOPE} | {
        f"head {at}": slope for at, slope in enumerate(linear.slopes(n_heads), start=1)
    }
    columns = [
        pd.DataFrame({"form": name, X: np.arange(n), "attention weight": linear.alone(n, slope)})
        for name, slope in forms.items()
    ]
    return pd.concat(columns, ignore_index=True)


def _colours(n_heads: int, head: int, look: Theme) -> dict[str, str]:
    """The note's form in the colour of the key, the chosen head in that of a choice, the others muted."""
    heads = {f"head {at}": look.selection if at == head else look.muted for at in range(1, n_heads + 1)}
    return {NOTE: look.key, **heads}


def _mirrored(scene: Scene) -> None:
    """How differently the model reads the sentence from its last word to its first."""
    config, lone = scene.switches.config, len(scene.words) < 2
    if lone:
        return
    note_absent(scene.notes, absent_of("trained", [replace(config, positions="alibi")]))
    told = [
        f"{distance(amount)} with {name} weights"
        for name in SOURCES
        if (amount := _mirror_difference(scene.plain, config, name)) is not None
    ]
    differs = f"the largest difference in any weight or dimension of an output is {' and '.join(told)}"
    if config.mask == "bidirectional":
        st.markdown(
            f"**Mirror image.** {BOTH_SIDES}, so without a mask ALiBi cannot tell this sentence from the "
            f"same words in reverse: {differs}, which is rounding error."
        )
        return
    st.markdown(
        f"**Mirror image.** {BOTH_SIDES}. Here the causal mask alone tells this sentence from the same words "
        f"in reverse: {differs}. Choose *bidirectional* to remove this cue."
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _mirror_difference(words: tuple[str, ...], config: ModelConfig, source: str) -> float | None:
    """How differently the two directions are read; None where there is no such model."""
    try:
        found = compare_mirrored(words, replace(config, positions="alibi"), source=source, seed=0)
    except UnavailableError:
        return None
    return float(found.differences.max())


def _slopes(n_heads: int, listed: str) -> str:
    if n_heads == 1:
        return f"1 head the slope is {listed}, which is not"
    return f"{counted(n_heads, 'head')} the slopes are {listed}; none of them is"


def _told(n_words: int, n_heads: int, head: int, slope: float) -> None:
    n = max(FEWEST_DISTANCES, n_words)
    note, own = linear.alone(n, linear.NOTE_SLOPE), linear.alone(n, slope)
    listed = ", ".join(fraction(each) for each in linear.slopes(n_heads))
    st.markdown(
        f"In head {head}, a distance of {1 / slope:.3g} words lowers a score as much as a distance of one "
        f"word does at slope 1. If all {n} words matched equally well, the last word would give itself an "
        f"attention weight of {per_cent(note[0])} at slope 1 and of {per_cent(own[0])} in head {head}. With "
        f"{_slopes(n_heads, listed)} learned."
    )
