"""What the model expects at a place of the sentence, and what is left of it when heads are knocked out."""

from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.analysis.prediction import Head, Prediction, distribution, divergence, predict
from core.learning.evaluation.baselines import baseline
from core.learning.tasks import TASKS, chance
from pages.controls.link import place, several
from pages.controls.memory import remembered
from pages.controls.picture import numbers, picture, theme
from pages.controls.screen import room
from pages.controls.switches import Architecture
from pages.shell.scene import Scene
from viz.predictions import SIZE, describe_prediction, prediction_bars
from viz.tables import unique_words
from viz.text import counted
from viz.units import probability

SHARED_PREDICTIONS = 64
"""How many predictions are kept for all visitors together; one of 256 words is about 1 MB."""

NOTHING_LEARNED = (
    "Random weights have learned nothing, so the next word would be a lottery. Choose trained weights to see "
    "what a model expects, and which heads it needs for that."
)
HOW_TO_KNOCK_OUT = (
    "A large weight is not yet an effect. Knock out heads to see which of them this prediction needs."
)
NOT_YET_AN_EFFECT = (
    "A large weight is not yet an effect: it says what a head reads, and only taking the head away says "
    "whether the model needs it. The weights in the picture are those of the intact model."
)

SHOWN_UNMASKED = (
    "The model finds the word with its place masked; the weights in the picture are those of the sentence "
    "as it stands."
)


class Runs(NamedTuple):
    """The prediction with all heads and the one without those silenced; the same twice where none is."""

    before: Prediction
    after: Prediction
    silenced: str


def prediction(scene: Scene) -> None:
    """The likeliest words at the chosen place, what the model loses on the sentence, and heads to knock out.

    Two parts, side by side where there is room.
    """
    if not scene.switches.weights.trained:
        st.caption(NOTHING_LEARNED)
        return
    with st.container(horizontal=True, key="prediction"):
        with st.container(width=SIZE):
            at = _place(scene)
            figure = st.container()
        with st.container(width=SIZE):
            runs = _runs(scene)
            _in_words(scene, runs, at)
            numbers("losses", lambda: _losses(scene, runs), title="Loss of each word")
            numbers("accuracies", lambda: _accuracies(scene), title="What the model has learned")
        with figure:
            _bars(scene, runs, at)


def _place(scene: Scene) -> int:
    """The chosen place, from 0; at first the one where the last word is asked for."""
    n, words = len(scene.words), enumerate(scene.words)
    last = max((at for at, word in words if any(map(str.isalnum, word))), default=n - 1)
    if _reads_on(scene):
        last = max(0, last - 1)
    label = "After word" if _reads_on(scene) else "Masked word"
    with st.container(horizontal=True, key="inline_place"):
        chosen = place("place", label, n, notes=scene.notes, unchosen=str(last + 1), width=250)
    return last if chosen is None else chosen


def _reads_on(scene: Scene) -> bool:
    return scene.switches.config.mask == "causal"


def _runs(scene: Scene) -> Runs:
    config = scene.switches.config
    heads = {
        f"{layer + 1}.{head + 1}": (layer, head)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    }
    silenced = several("silenced", "Knock out heads (layer.head)", list(heads), notes=scene.notes)
    return Runs(
        before=_predicted(scene.words, scene.switches, frozenset()),
        after=_predicted(scene.words, scene.switches, frozenset(heads[name] for name in silenced)),
        silenced=", ".join(sorted(silenced)),
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


def _bars(scene: Scene, runs: Runs, at: int) -> None:
    word = f"{scene.plain[at]} ({at + 1})"
    title = f"Next word after {word}" if _reads_on(scene) else f"In place of {word}"
    after = f"without {runs.silenced}" if runs.silenced else ""
    table = distribution(runs.before, runs.after, at)
    picture(
        prediction_bars(table, title=title, theme=theme(), after=after, size=room(SIZE)),
        key="prediction_bars",
        alt=describe_prediction(table, title=title, after=after),
        table=lambda: table,
    )


def _in_words(scene: Scene, runs: Runs, at: int) -> None:
    if runs.silenced:
        moved = divergence(runs.before, runs.after, at)
        st.markdown(
            f"{_answer(scene, runs, at)} Without {runs.silenced} the distribution moves by "
            f"**D(before ‖ after) = {moved:.3f} nats**, their Kullback–Leibler divergence. The loss on this "
            f"sentence goes from {_nats(runs.before.loss)} a word to {_nats(runs.after.loss)}."
        )
        st.caption(NOT_YET_AN_EFFECT)
        return
    st.markdown(f"{_answer(scene, runs, at)} {_loss(runs.before)}")
    st.caption(HOW_TO_KNOCK_OUT if _reads_on(scene) else f"{HOW_TO_KNOCK_OUT} {SHOWN_UNMASKED}")


def _answer(scene: Scene, runs: Runs, at: int) -> str:
    """How the word that the sentence has there did, with all heads and without those silenced."""
    prediction = runs.before
    answer, asked = prediction.answer(at), at + prediction.ahead
    if answer is not None:
        then = f", then {_standing(runs.after, at, answer)}" if runs.silenced else ""
        return (
            f"The sentence has **{scene.words[asked]}** here: "
            f"{_standing(prediction, at, answer)}{then}, of {len(prediction.vocabulary)} words."
        )
    if asked == len(scene.words):
        return "The sentence ends here."
    word = scene.words[asked]
    return f"The sentence has **{word}** here, which the model does not know: it is not scored."


def _standing(prediction: Prediction, at: int, answer: int) -> str:
    return f"number {prediction.rank(at)} with {probability(prediction.probabilities(at)[answer])}"


def _loss(prediction: Prediction) -> str:
    if prediction.loss is None:
        return "It has no word that can be scored."
    scored = counted(prediction.n_scored, "word")
    return f"Loss on this sentence: **{_nats(prediction.loss)}** a word, over {scored}."


def _losses(scene: Scene, runs: Runs) -> pd.DataFrame:
    columns = {"loss in nats": runs.before.losses()}
    if runs.silenced:
        columns[f"without {runs.silenced}"] = runs.after.losses()
    return pd.DataFrame(columns, index=pd.Index(unique_words(scene.labels), name="word"))


def _accuracies(scene: Scene) -> pd.DataFrame:
    """Shares of right answers of the intact model on unseen sentences, and of who only guesses."""
    record = scene.switches.weights.record(scene.switches.config)
    assert record is not None, "trained weights have a record"
    words, task = f"all words ({record.task})", TASKS[record.task]
    rows = {words: (record.accuracy, chance(task).accuracy)}
    for name, share in record.accuracies.items():
        rows[name] = (share, baseline(name))
    index = pd.Index(rows, name="on unseen sentences")
    return pd.DataFrame(rows.values(), index=index, columns=["right answers", "by guessing"])


def _nats(loss: float | None) -> str:
    return "no loss" if loss is None else f"{loss:.2f} nats"
