"""The future: what a model learns that may attend to the word it is to predict."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.tasks import NEXT_WORD
from core.learning.training import N_MEASURED as N_IN_RECORD
from core.measures.findings import FILE
from core.measures.masking import future as measured
from core.measures.masking.future import (
    BLINDFOLD_OFF,
    BLINDFOLDED,
    CHEAT,
    HONEST,
    N_TESTED,
    SETTINGS,
    STEPS,
    TRAINED,
    Learned,
    mean_losses,
)
from core.model.config import ModelConfig
from core.programs.masking import future_program
from core.sources import find
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.prose import Typed
from pages.controls.weights import dropped_words
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words

SAYING = f"Training two small models for {STEPS} steps each: one with the mask, and one that may cheat …"

ANOTHER = (
    f"The file `checkpoints/{CHEAT}.safetensors` is not the one that `checkpoints/{FILE}` lists: restore it, "
    "or `python -m core.measures.findings` trains it again. Here it was trained just now."
)

PREDICTED = r"w_t \sim \mathrm{softmax}(f(w_{1:t-1}))"


def future(scene: Scene) -> Program:
    """The losses of both models while they learned, then every setting on the sentence typed."""
    learned, tested = _learned(), _tested(scene.switches.config)
    if measured.is_another(learned):
        scene.notes.warning(ANOTHER)
    _learning(learned, tested[TRAINED])
    st.markdown(f"{_told(tested)} {_elsewhere(scene.switches.config)}")
    _on_the_sentence(scene)
    equation(PREDICTED, "CS 224N note, eq 18: a word is predicted from the words before it")
    return Program(lambda: future_program(scene.subject))


@remembered(1, saying=SAYING)
def _learned() -> Learned:
    return measured.learned()


@st.cache_resource(max_entries=32, show_spinner="Reading unseen sentences with the mask and without …")
def _tested(config: ModelConfig) -> dict[str, float]:
    return measured.tested(config, _learned())


@remembered()
def _losses(words: tuple[str, ...], config: ModelConfig) -> np.ndarray:
    return measured.sentence_losses(words, measured.settings(config, _learned()))


def _learning(learned: Learned, trained: float) -> None:
    """Loss against steps, and the loss of the model that was fully trained."""
    look, table = theme(), learned.losses
    last, top = int(table["step"].max()), float(table["loss"].max())
    chart(
        table,
        key="learning",
        what="Loss in nats per word with the mask and without",
        x="step",
        y="loss",
        by="model",
        say=_nats,
        colours={HONEST: look.attention, CHEAT: look.selection},
        x_title="training steps",
        y_title="loss, nats per word",
        x_ticks={at: f"{at:g}" for at in (0, last / 4, last / 2, 3 * last / 4, last)},
        y_ticks={at: f"{at}" for at in range(int(np.ceil(top)) + 1)},
        level=(trained, TRAINED),
    )


def _on_the_sentence(scene: Scene) -> None:
    """The probability of every next word in every setting, and the losses behind it."""
    if len(scene.words) < 2:
        st.info("A sentence of one word has no next word: type a second one.")
        return
    losses, look = _losses(scene.words, scene.switches.config), theme()
    if np.isnan(losses).all():
        st.info("The models know none of the words that follow in this sentence, so none is predicted.")
        return
    st.markdown("## Probability of the word that comes next, in per cent")
    colours = dict.fromkeys((TRAINED, BLINDFOLD_OFF), look.attention)
    colours |= dict.fromkeys((CHEAT, BLINDFOLDED), look.selection)
    figure = bar_rows(np.exp(-losses), colours, scene.labels, top=1, theme=look)
    what = "Probability of every next word"
    alt = describe_bar_rows(np.exp(-losses), SETTINGS, scene.labels, what=what)
    picture(figure, key="next_words", alt=alt, table=lambda: _by_word(losses, scene.plain))
    means = ", ".join(f"{name} **{_nats(mean)}**" for name, mean in mean_losses(losses).items())
    typed = Typed(" ".join(scene.words))
    st.markdown(f"Mean loss on *{typed:80}*: {means}.")


def _told(tested: dict[str, float]) -> str:
    """What cheating gains and what it is worth, in the losses on sentences that nobody has trained on."""
    trained, opened, cheat, closed = (tested[name] for name in SETTINGS)
    changed = "rises" if opened > trained else "falls"
    gains = "below" if cheat < trained else "above"
    return (
        f"Two small models with rotary positions were trained for {STEPS} steps, the **honest** one with the "
        "mask and one without it. Without a mask the answer is one word to the right, and the **cheat** "
        f"learns to copy it: its loss is {_nats(cheat)} on {N_TESTED} unseen sentences, {gains} the "
        f"{_nats(trained)} of the **fully trained** model of the switches. While generating, later words do "
        f"not exist yet: with **its mask on** the cheat has a loss of {_nats(closed)}. With **its mask off** "
        f"the loss of the fully trained model {changed} to {_nats(opened)}, because it has never learned to "
        "use later words."
    )


def _elsewhere(config: ModelConfig) -> str:
    """Why the fully trained model has another loss in the sidebar of other views."""
    record = find("trained").record(replace(config, mask="causal"))
    assert record is not None, "trained weights have a record"
    return (
        f"Other views name a loss of {_nats(record.loss)} for the fully trained model: that is the mean over "
        f"{N_IN_RECORD:,} unseen sentences. {dropped_words(NEXT_WORD.name)}"
    )


def _by_word(losses: np.ndarray, words: tuple[str, ...]) -> pd.DataFrame:
    """Losses in nats, a row for each word that is predicted."""
    index = pd.Index(unique_words(words), name="next word")
    return pd.DataFrame(dict(zip(SETTINGS, losses, strict=True)), index=index)


def _nats(loss: float) -> str:
    return f"{loss:.2f} nats"
