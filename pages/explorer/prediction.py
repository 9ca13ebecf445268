"""What the model expects at a place of the sentence, and what is left of it when heads are knocked out."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.heads.head_effects import head_effects
from core.measures.prediction import Head, Prediction, divergence
from core.text.limits import too_long
from pages.controls.memory import remembered
from pages.controls.picture import numbers, picture, theme
from pages.controls.prose import literal
from pages.controls.screen import room
from pages.controls.switches import Architecture
from pages.explorer.accuracies import accuracies, verdict
from pages.explorer.expected import (
    SHARED_PREDICTIONS,
    Runs,
    answer,
    choose_place,
    draw_bars,
    losses,
    nats,
    predicted,
    reads_on,
)
from pages.explorer.moved_states import moved_states
from pages.explorer.silenced import (
    KNOCKING_OUT,
    OF_THE_INTACT_MODEL,
    choose_silenced,
    knock_out_or_put_back,
    why_not_each_head,
    without,
)
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.head_effects import describe_head_effects
from viz.head_effects import head_effects as head_effects_figure
from viz.predictions import SIZE
from viz.text import counted
from viz.units import thousandths

NOTHING_LEARNED = (
    "Random weights have learned nothing, so what they predict means nothing. Choose trained weights to see "
    "what a model predicts, and which heads it needs for that."
)
NO_OUTPUT = (
    "{} has no output layer: it gives a state for each piece and predicts no words, so there is no loss."
)
IN_THE_DECODER = (
    "Shown is the encoder of {}, which gives a state for each piece. Its decoder, which attends to those "
    "states, predicts the words."
)
FILLS_IN = "{} fills in masked pieces, with one reading for each, in"
IS_PREDICTED = "Predictions, a probability for every piece of the vocabulary, are computed for"
MOST_PREDICTED = 256
"""The longest sentence, in pieces: of a vocabulary of 50,000 that is 50 MB."""
MOST_MASKED = 32
"""So many times at most a real model reads a sentence, with another piece masked."""
HOW_TO_KNOCK_OUT = (
    "A large attention weight is not yet an effect. Each bar shows how much knocking out one head alone "
    "changes this prediction: D(before ‖ after), the Kullback–Leibler divergence. Click a bar to knock out "
    "that head."
)
SHOWN_UNMASKED = (
    "The model predicts the {unit} from a sentence in which that {unit} is masked. At first it is the one "
    "that it predicts best. The weights in the picture are those of the sentence without a mask "
    "token."
)


def prediction(scene: Scene, *, beside: DeltaGenerator | None = None) -> Program | None:
    """The likeliest words at the chosen place, what the model loses on the sentence, and heads to knock out.

    Two parts, side by side where there is room; or the second one in `beside`. Of a model that predicts
    nothing here its last states take the place of words, and what is returned is the program of their change
    where a head is knocked out.
    """
    if why_not := why_not_predicted(scene):
        return moved_states(scene, why_not, beside=beside)
    if not scene.switches.weights.trained:
        st.caption(NOTHING_LEARNED)
    else:
        with st.container(horizontal=True, key="prediction"):
            _two_parts(scene, beside)
    return None


def _two_parts(scene: Scene, beside: DeltaGenerator | None) -> None:
    """What is above on the page may need what is chosen below, and what takes longest is drawn last."""
    why_no_bars = why_not_each_head(scene)
    with st.container(width=SIZE):
        at = choose_place(scene)
        figure = st.container()
    with beside or st.container(width=SIZE):
        effects = st.container()
        runs, silenced = _without(scene)
        _in_words(scene, runs, at, how=why_no_bars or HOW_TO_KNOCK_OUT)
        numbers("losses", lambda: losses(scene, runs), title=f"Loss of each {scene.unit}")
        if scene.switches.weights.one is None:
            numbers("accuracies", lambda: accuracies(scene), title="What the model has learned", note=verdict)
    with figure:
        draw_bars(scene, runs, at)
    if not why_no_bars:
        with effects:
            _effects(scene, silenced, at)


def why_not_predicted(scene: Scene) -> str:
    """Why a real model predicts nothing here; empty where it does, and for other models."""
    one = scene.switches.weights.one
    if one is None:
        return ""
    if not one.predicts:
        return (NO_OUTPUT if one.whole else IN_THE_DECODER).format(literal(one.title))
    if not reads_on(scene) and len(scene.words) > MOST_MASKED:
        return too_long(FILLS_IN.format(literal(one.title)), MOST_MASKED, len(scene.words), scene.unit)
    if len(scene.words) > MOST_PREDICTED:
        return too_long(IS_PREDICTED, MOST_PREDICTED, len(scene.words), scene.unit)
    return ""


def _without(scene: Scene) -> tuple[Runs, frozenset[Head]]:
    """The prediction with all heads and the one without those knocked out, and which these are."""
    silenced = choose_silenced(scene)
    runs = Runs(
        predicted(scene.words, scene.switches),
        predicted(scene.words, scene.switches, frozenset(silenced.values())),
        second=without(silenced),
    )
    return runs, frozenset(silenced.values())


@remembered(SHARED_PREDICTIONS, saying=KNOCKING_OUT)
def _effects_at(words: tuple[str, ...], switches: Architecture, at: int) -> pd.DataFrame:
    return head_effects(
        words, switches.config, place=at, source=switches.source, seed=switches.seed, window=switches.window
    )


def _effects(scene: Scene, knocked_out: frozenset[Head], at: int) -> None:
    """A bar for every head, each knocked out alone; a click knocks it out or puts it back."""
    table = _effects_at(scene.words, scene.switches, at)
    silenced = frozenset((layer + 1, head + 1) for layer, head in knocked_out)
    picture(
        head_effects_figure(table, theme=theme(), silenced=silenced, size=room(SIZE)),
        key="head_effects",
        alt=describe_head_effects(table),
        table=lambda: table,
        on_click=knock_out_or_put_back,
    )


def _in_words(scene: Scene, runs: Runs, at: int, *, how: str) -> None:
    if runs.second:
        moved = divergence(runs.before, runs.after, at)
        st.markdown(
            f"{answer(scene, runs, at)} {runs.second.capitalize()} this prediction changes by "
            f"**D(before ‖ after) = {thousandths(moved)} nats**. {_losses_in_words(scene, runs)}"
        )
        st.caption(f"{how} {OF_THE_INTACT_MODEL}")
        return
    st.markdown(f"{answer(scene, runs, at)} {_loss(scene, runs.before)}")
    st.caption(how if reads_on(scene) else f"{how} {SHOWN_UNMASKED.format(unit=scene.unit)}")


def _losses_in_words(scene: Scene, runs: Runs) -> str:
    if runs.before.loss is None:
        return _loss(scene, runs.before)
    before, after = (nats(run.loss, scene.unit) for run in runs[:2])
    return f"The loss on this sentence goes from {before} to {after}."


def _loss(scene: Scene, prediction: Prediction) -> str:
    if prediction.loss is None:
        return f"The sentence has no {scene.unit} that can be scored."
    scored = counted(prediction.n_scored, scene.unit)
    return f"Loss on this sentence: **{nats(prediction.loss, scene.unit)}**, the mean over {scored}."
