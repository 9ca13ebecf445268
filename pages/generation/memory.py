"""Memory: what a Transformer attends to at every step, and what a recurrent network has instead."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Float

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.costs import kept_bytes
from core.measures.generation.memory import GATES, QUANTITIES, attended, remembered_states
from core.measures.generation.writing import Continued, shapes
from core.model.config import ModelConfig
from core.programs import attention_program
from core.programs.generation import states_program
from pages.controls.arrival import put
from pages.controls.link import menu
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import literal
from pages.controls.screen import room
from pages.generation.texts import STEP, Texts, texts, walk
from pages.shell import Program, Scene
from pages.shell.scene import subject
from viz.matrices import describe_heatmap, heatmap
from viz.number_map import describe_number_map, number_map
from viz.tables import unique_words
from viz.text import counted
from viz.units import memory as written_memory
from viz.units import per_cent, signed

SIZE = 520
"""The greatest width of the matrix in pixels: so that it fits the height of a window."""

ROW, LEAST, MOST = 22, 260, 560
"""Pixels of a word's row in a map of states, and between what the height of the map is."""

MOST_NAMED = 3
_MORE = " What gates leave of the cell over a sentence: [Gradients](/gradients?view=gates)."


def memory(scene: Scene) -> Program:
    """The matrix of the writer as far as the step: it grows by a row with every word that is read."""
    found = texts(scene)
    text = found.of(found.writer)
    if found.writer == TRANSFORMER:
        step = walk(found, len(text.written))
        return _attention(found, text, step)
    with scene.row:
        names = {_readable(name): name for name in QUANTITIES[found.writer]}
        shown = next(iter(names))
        if len(names) > 1:
            shown = menu("quantity", options=list(names), default=shown, notes=scene.notes, width=220)
    step = walk(found, len(text.written))
    return _states(found, text, step, names[shown])


def _attention(found: Texts, text: Continued, step: int) -> Program:
    scene, at = found.scene, text.n_given + step - 1
    words, labels = text.words[:-1], found.labels(text)[:-1]
    pattern = _attended(words, found.config)[scene.layer, scene.head]
    so_far = np.tri(len(words), dtype=bool) & (np.arange(len(words)) <= at)[:, None]
    title = f"{scene.title}, to choose word {step + 1}"
    look: dict[str, Any] = {"title": title, "allowed": so_far}
    picture(
        heatmap(
            pattern, labels, theme=theme(), selected=(at, int(pattern[at].argmax())), size=room(SIZE), **look
        ),
        key="attended",
        alt=describe_heatmap(pattern, labels, **look),
        table=lambda: _weights(pattern, words),
        on_click=lambda point: _choose(point, text),
    )
    st.markdown(_told_of_attention(found, text, step, pattern[at]))
    own = subject(words, found.switches, layer=scene.layer, head=scene.head)
    return Program(lambda: attention_program(own))


def _states(found: Texts, text: Continued, step: int, name: str) -> Program:
    scene, at = found.scene, text.n_given + step - 1
    words, labels = text.words[:-1], found.labels(text)[:-1]
    values = _remembered(words, found.writer, found.config)[name][scene.layer]
    seen = np.where((np.arange(len(words)) <= at)[:, None], values, np.nan)
    limit = float(np.abs(values).max()) if name == "cell" else 1.0
    what = f"{found.writer}, layer {scene.layer + 1}, {_readable(name)}"
    st.markdown(f"**{what}** after each word, to choose word {step + 1}")
    picture(
        number_map(
            seen,
            x_title="unit",
            y_title="word",
            rows=labels,
            word=_readable(name),
            theme=theme(),
            height=min(max(ROW * len(words) + 80, LEAST), MOST),
            limit=limit,
            of_shares=name.endswith("gate"),
        ),
        key="states",
        alt=describe_number_map(values[: at + 1], what=f"{what} after each word"),
        table=lambda: pd.DataFrame(
            values,
            index=pd.Index(unique_words(words), name="word"),
            columns=[f"unit {unit}" for unit in range(values.shape[1])],
        ),
        on_click=lambda point: _choose(point, text),
    )
    st.markdown(_told_of_states(found, text, step, name, values[at]))
    return Program(
        lambda: states_program(words, found.config, found.writer, name=name, layer=scene.layer),
        prints="the numbers of every word, unit by unit",
    )


@remembered(64)
def _attended(words: tuple[str, ...], config: ModelConfig) -> Float[np.ndarray, "layer head query key"]:
    return attended(words, config)


@remembered(64)
def _remembered(
    words: tuple[str, ...], writer: str, config: ModelConfig
) -> dict[str, Float[np.ndarray, "layer word unit"]]:
    return remembered_states(words, writer, config)


def _choose(point: Point, text: Continued) -> None:
    """A click on a row asks for the step at which the model has read so far."""
    put(STEP, min(max(0, point["y"] - text.n_given + 1) + 1, len(text.written)))


def _readable(name: str) -> str:
    """A recorded name in words: forget gate, hidden state."""
    return name.replace("_", " ") + " state" * (name in ("cell", "hidden"))


def _weights(pattern: Float[np.ndarray, "query key"], words: tuple[str, ...]) -> pd.DataFrame:
    names = unique_words(words)
    return pd.DataFrame(pattern, index=pd.Index(names, name="query"), columns=names)


def _told_of_attention(found: Texts, text: Continued, step: int, weights: Float[np.ndarray, "key"]) -> str:
    """What the step attends to most, and what the model keeps for it."""
    at = text.n_given + step - 1
    names = unique_words(text.words)
    largest = np.argsort(-weights[: at + 1], kind="stable")[:MOST_NAMED]
    listed = ", ".join(f"*{literal(names[key])}* {per_cent(float(weights[key]))}" for key in largest)
    later = "" if at + 2 == len(text.words) else " The rows below are of words to come."
    return (
        f"To choose *{literal(text.words[at + 1])}*, this head attends from *{literal(names[at])}* to "
        f"{listed}.{later} Rows do not change as the text grows, so keys and values can be kept: "
        f"{_kept(found, at + 1)} for the {counted(at + 1, 'word')} so far, in all heads of both layers."
    )


def _told_of_states(
    found: Texts, text: Continued, step: int, name: str, values: Float[np.ndarray, "unit"]
) -> str:
    """The mean of what is shown, and what the model keeps."""
    at = text.n_given + step - 1
    mean = f"The mean {_readable(name)} after *{literal(text.words[at])}* is {signed(float(values.mean()))}"
    role = {
        "forget_gate": "1 keeps all of a unit's cell state, 0 forgets it",
        "input_gate": "1 lets all of the candidate into the cell state",
        "output_gate": "1 lets all of a unit's cell state out into the hidden state",
        "candidate": "it is what the input gate lets into the cell state",
        "cell": "it is kept or forgotten by the forget gate, and never squashed on its way",
        "hidden": "the next word is predicted from that of the upper layer",
    }[name]
    between = "between 0 and 1: " if name in GATES else ""
    more = _MORE if name in GATES else ""
    return (
        f"{mean}, {between}{role}. All that the {found.writer} has of the words before are the states after "
        f"the last one: {_kept(found, at + 1)} in both layers, however long the text is.{more}"
    )


def _kept(found: Texts, n_words: int) -> str:
    return written_memory(kept_bytes(shapes(found.config)[found.writer], n_words))
