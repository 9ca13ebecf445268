"""What the model expects at a place of the sentence, and what is left of it when heads are knocked out."""

from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.heads.head_effects import head_effects
from core.analysis.prediction import Head, Prediction, distribution, divergence, predict
from pages.controls.link import place, put, several
from pages.controls.memory import remembered
from pages.controls.picture import Point, numbers, picture, theme
from pages.controls.prose import literal
from pages.controls.screen import room
from pages.controls.switches import Architecture
from pages.explorer_views.accuracies import accuracies, verdict
from pages.shell.scene import Scene
from viz.head_effects import describe_head_effects, name_of
from viz.head_effects import head_effects as head_effects_figure
from viz.predictions import SIZE, describe_prediction, prediction_bars
from viz.tables import unique_words
from viz.text import counted
from viz.units import p_equals

SILENCED = "silenced"
SHARED_PREDICTIONS = 64
"""How many predictions are kept for all visitors together; one of 256 words is about 1 MB."""

NOTHING_LEARNED = (
    "Random weights have learned nothing, so what they predict means nothing. Choose trained weights to see "
    "what a model predicts, and which heads it needs for that."
)
HOW_TO_KNOCK_OUT = (
    "A large attention weight is not yet an effect. Each bar shows how much knocking out one head alone "
    "changes this prediction: D(before ‖ after), the Kullback–Leibler divergence. Click a bar to knock out "
    "that head."
)
OF_THE_INTACT_MODEL = "The weights in the picture are those of the intact model."
SHOWN_UNMASKED = (
    "The model predicts the word from a sentence in which that word is masked. The weights in the picture "
    "are those of the sentence without a mask token."
)


class Runs(NamedTuple):
    """The prediction with all heads and the one without those silenced; the same twice where none is."""

    before: Prediction
    after: Prediction
    silenced: tuple[str, ...]

    @property
    def without(self) -> str:
        """The heads knocked out, as the page names them; empty where there are none."""
        return f"without {', '.join(self.silenced)}" if self.silenced else ""


def prediction(scene: Scene, *, beside: DeltaGenerator | None = None) -> None:
    """The likeliest words at the chosen place, what the model loses on the sentence, and heads to knock out.

    Two parts, side by side where there is room; or the second one in `beside`.
    """
    if not scene.switches.weights.trained:
        st.caption(NOTHING_LEARNED)
        return
    with st.container(horizontal=True, key="prediction"):
        with st.container(width=SIZE):
            at = _place(scene)
            figure = st.container()
        with beside or st.container(width=SIZE):
            effects = st.container()
            runs = _runs(scene)
            _in_words(scene, runs, at)
            numbers("losses", lambda: _losses(scene, runs), title="Loss of each word")
            numbers("accuracies", lambda: accuracies(scene), title="What the model has learned", note=verdict)
        with figure:
            _bars(scene, runs, at)
        with effects:
            _effects(scene, runs, at)


def _place(scene: Scene) -> int:
    """The chosen place, from 0; at first the last word: what follows it, or itself where it is masked."""
    n, words = len(scene.words), enumerate(scene.words)
    last = max((at for at, word in words if any(map(str.isalnum, word))), default=n - 1)
    label = "After word" if _reads_on(scene) else "Masked word"
    with st.container(horizontal=True, key="inline_place"):
        chosen = place("place", label, n, notes=scene.notes, unchosen=str(last + 1), width=250)
    return last if chosen is None else chosen


def _reads_on(scene: Scene) -> bool:
    return scene.switches.config.mask == "causal"


def _runs(scene: Scene) -> Runs:
    config = scene.switches.config
    heads = {
        name_of(layer + 1, head + 1): (layer, head)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    }
    silenced = several(SILENCED, "Knock out heads (layer.head)", list(heads), notes=scene.notes)
    return Runs(
        before=_predicted(scene.words, scene.switches, frozenset()),
        after=_predicted(scene.words, scene.switches, frozenset(heads[name] for name in silenced)),
        silenced=tuple(sorted(silenced)),
    )


@remembered(SHARED_PREDICTIONS)
def _predicted(words: tuple[str, ...], switches: Architecture, silenced: frozenset[Head]) -> Prediction:
    return predict(
        words,
        switches.config,
        source=switches.source,
        seed=switches.seed,
        window=switches.window,
        silenced=silenced,
    )


@remembered(SHARED_PREDICTIONS)
def _effects_at(words: tuple[str, ...], switches: Architecture, at: int) -> pd.DataFrame:
    return head_effects(
        words, switches.config, place=at, source=switches.source, seed=switches.seed, window=switches.window
    )


def _bars(scene: Scene, runs: Runs, at: int) -> None:
    word = f"{scene.plain[at]} ({at + 1})"
    title = f"Next word after {word}" if _reads_on(scene) else f"In place of {word}"
    table = distribution(runs.before, runs.after, at)
    picture(
        prediction_bars(table, title=title, theme=theme(), after=runs.without, size=room(SIZE)),
        key="prediction_bars",
        alt=describe_prediction(table, title=title, after=runs.without),
        table=lambda: table,
    )


def _effects(scene: Scene, runs: Runs, at: int) -> None:
    """A bar for every head, each knocked out alone; a click knocks it out or puts it back."""
    table = _effects_at(scene.words, scene.switches, at)
    heads = {name_of(row.layer, row.head): (row.layer, row.head) for row in table.itertuples()}
    silenced = frozenset(heads[name] for name in runs.silenced)
    picture(
        head_effects_figure(table, theme=theme(), silenced=silenced, size=room(SIZE)),
        key="head_effects",
        alt=describe_head_effects(table),
        on_click=_knock_out_or_put_back,
    )


def _knock_out_or_put_back(point: Point) -> None:
    name = name_of(*point["data"])
    silenced = st.session_state.get(SILENCED) or []
    put(SILENCED, [one for one in silenced if one != name] if name in silenced else sorted([*silenced, name]))


def _in_words(scene: Scene, runs: Runs, at: int) -> None:
    if runs.silenced:
        moved = divergence(runs.before, runs.after, at)
        st.markdown(
            f"{_answer(scene, runs, at)} {runs.without.capitalize()} this prediction changes by "
            f"**D(before ‖ after) = {moved:.3f} nats**. The loss on this sentence goes from "
            f"{_nats(runs.before.loss)} to {_nats(runs.after.loss)}."
        )
        st.caption(f"{HOW_TO_KNOCK_OUT} {OF_THE_INTACT_MODEL}")
        return
    st.markdown(f"{_answer(scene, runs, at)} {_loss(runs.before)}")
    st.caption(HOW_TO_KNOCK_OUT if _reads_on(scene) else f"{HOW_TO_KNOCK_OUT} {SHOWN_UNMASKED}")


def _answer(scene: Scene, runs: Runs, at: int) -> str:
    """How the word that the sentence has there did, with all heads and without those knocked out."""
    prediction = runs.before
    answer, asked = prediction.answer(at), at + prediction.ahead
    here = "The next word in the sentence is" if _reads_on(scene) else "The masked word is"
    if answer is not None:
        then = f"; {runs.without} {_standing(runs.after, at, answer)}" if runs.silenced else ""
        return (
            f"{here} **{scene.words[asked]}**: {_standing(prediction, at, answer)} of "
            f"{len(prediction.vocabulary)} words{then}."
        )
    if asked == len(scene.words):
        return f"{_likeliest(runs, at)} The sentence ends here, so no next word is scored."
    return f"{here} **{scene.words[asked]}**, which the model does not know: it is not scored."


def _likeliest(runs: Runs, at: int) -> str:
    """What the model would go on with, with all heads and without those knocked out."""
    first, then = (_top(prediction, at) for prediction in (runs.before, runs.after))
    return f"The likeliest next word is {first}{f'; {runs.without} {then}' if runs.silenced else ''}."


def _top(prediction: Prediction, at: int) -> str:
    shares = prediction.probabilities(at)
    best = int(shares.argmax())
    return f"**{literal(prediction.vocabulary[best])}**, {p_equals(shares[best])}"


def _standing(prediction: Prediction, at: int, answer: int) -> str:
    return f"rank {prediction.rank(at)}, {p_equals(prediction.probabilities(at)[answer])}"


def _loss(prediction: Prediction) -> str:
    if prediction.loss is None:
        return "The sentence has no word that can be scored."
    scored = counted(prediction.n_scored, "word")
    return f"Loss on this sentence: **{_nats(prediction.loss)}**, the mean over {scored}."


def _losses(scene: Scene, runs: Runs) -> pd.DataFrame:
    columns = {"loss in nats": runs.before.losses()}
    if runs.silenced:
        columns[runs.without] = runs.after.losses()
    return pd.DataFrame(columns, index=pd.Index(unique_words(scene.labels), name="word"))


def _nats(loss: float | None) -> str:
    return "no loss" if loss is None else f"{loss:.2f} nats per word"
