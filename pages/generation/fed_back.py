"""Fed back: the network unrolled over the text, every output the next input."""

import pandas as pd
import streamlit as st

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.generation.writing import Continued
from core.programs.generation import continuing_program
from pages.controls.arrival import put
from pages.controls.cited import equation
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.controls.screen import room
from pages.generation.texts import STEP, Texts, texts, walk
from pages.shell import Program, Scene
from viz.fed_back import describe_fed_back, unrolled_text
from viz.units import probability


def fed_back(scene: Scene) -> Program:
    """The figure as far as the step, and what is fed back."""
    found = texts(scene)
    text, writer = found.of(found.writer), found.writer
    step = walk(found, len(text.written))
    picture(
        unrolled_text(
            found.labels(text),
            text.n_given,
            theme=theme(),
            width=room(),
            step=step,
            n_layers=N_LAYERS,
            attends=writer == TRANSFORMER,
        ),
        key="fed_back",
        alt=describe_fed_back(text.words, text.n_given, step=step, name=writer),
        table=lambda: _listed(text),
        on_click=lambda point: put(STEP, int(point["data"])),
    )
    st.markdown(_told(found, text, step))
    equation(
        r"w_{t+1} \sim \text{softmax}(E\,h_t)",
        "CS 224N note, eq 18–20; Seq2seq slides, generation with RNN language models. E is the output layer "
        "and h the state of the upper layer after word t.",
    )
    return Program(
        lambda: continuing_program(scene.plain, found.config, {writer: found.manners[writer]}),
        prints="every word with the probability that the model gave it",
    )


def _listed(text: Continued) -> pd.DataFrame:
    """What is read and what is written at every step."""
    rows = [
        (
            step + 1,
            text.words[text.n_given + step - 1],
            word,
            text.choices(step).query("answer")["before"].item(),
            step in text.forced,
        )
        for step, word in enumerate(text.written)
    ]
    return pd.DataFrame(rows, columns=["step", "read", "written", "probability", "by hand"])


def _told(found: Texts, text: Continued, step: int) -> str:
    at = text.n_given + step
    likely = text.choices(step).query("answer")["before"].item()
    how = "was put there by hand" if step in text.forced else "is chosen"
    before = (
        "The words given are read first; what the model expects after them is not used before the last."
        if step == 0
        else f"Its input is *{literal(text.words[at - 1])}*, the output of the step before."
    )
    inside = (
        "Each state attends to the states of all words so far, in every layer."
        if found.writer == TRANSFORMER
        else "Of the words so far the network has the state that the step before hands on."
    )
    return (
        f"Step {step + 1}: **{literal(text.words[at])}** {how}, p = {probability(likely)}. {before} {inside} "
        "A model that reads its own output is autoregressive."
    )
