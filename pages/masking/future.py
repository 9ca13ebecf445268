"""The future: what a model learns that may attend to the word it is to predict."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.checkpoints import load
from core.learning.collection import name_of, path_of
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
from core.model.models import Transformer
from core.programs.masking import future_program
from core.sources import find as find_weights
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Formula, Notice, Part, Sheet, Shown, Text
from pages.controls.examples import TEA
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.weights import dropped_words
from pages.masking.questions import learned_without_mask, losses_in_order
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.bar_rows import bars
from viz.curves import chart
from viz.tables import unique_words

SAYING = f"Training two small models for {STEPS} steps each: one with the mask, and one that may cheat …"

ANOTHER = (
    f"The file `checkpoints/{CHEAT}.safetensors` is not the one that `checkpoints/{FILE}` lists: restore it, "
    "or `python -m core.measures.findings` trains it again. Here it was trained just now."
)

PREDICTED = r"w_t \sim \mathrm{softmax}(f(w_{1:t-1}))"


@dataclass(frozen=True)
class Found:
    """How both models learned, the loss of every setting on unseen sentences, and on the sentence typed.

    `losses` (setting, next word) is None for a sentence without a next word.
    """

    scene: Scene
    learned: Learned
    tested: dict[str, float]
    losses: Float[np.ndarray, "setting word"] | None


def find(scene: Scene, choices: None) -> Found:
    """Two models trained or read, and all settings measured."""
    config = scene.switches.config
    losses = _losses(scene.words, config) if len(scene.words) > 1 else None
    return Found(scene, _learned(), _tested(config), losses)


@remembered(saying=SAYING)
def _learned() -> Learned:
    return measured.learned(lambda: load(path_of(CHEAT)))


@remembered(saying="Reading unseen sentences with the mask and without …")
def _tested(config: ModelConfig) -> dict[str, float]:
    causal = _causal(config)
    name = name_of(causal) if not find_weights("trained").ablated(causal) else None
    return measured.tested(_trained(config), name, _learned())


@remembered()
def _losses(words: tuple[str, ...], config: ModelConfig) -> np.ndarray:
    return measured.sentence_losses(words, measured.settings(_trained(config), _learned()))


def _trained(config: ModelConfig) -> Transformer:
    """The causal model of the collection. Raises UnavailableError where there is none."""
    model = find_weights("trained").load(_causal(config), ("the",), 0).model
    assert isinstance(model, Transformer), "the collection says so"
    return model


def _causal(config: ModelConfig) -> ModelConfig:
    return replace(config, mask="causal")


def sheet(found: Found, look: Look) -> Sheet:
    """The losses of both models while they learned, then every setting on the sentence typed."""
    return Sheet(
        answer=_answer(found.tested),
        notes=(Notice(ANOTHER, "warning"),) if measured.is_another(found.learned) else (),
        parts=(
            Formula(PREDICTED, "CS 224N note, eq 18: a word is predicted from the words before it"),
            _learning(found, look),
            Text(f"{_explanation(found.tested)} {_elsewhere(found.scene.switches.config)}"),
            *_on_the_sentence(found, look),
        ),
    )


def _learning(found: Found, look: Look) -> Shown:
    """Loss against steps, and the loss of the model that was fully trained."""
    table, theme = found.learned.losses, look.theme
    last, top = int(table["step"].max()), float(table["loss"].max())
    picture = chart(
        table,
        title="Loss with a causal mask and without against training steps",
        x="step",
        y="loss",
        by="model",
        say=_nats,
        theme=theme,
        within=look.width,
        colours={HONEST: theme.attention, CHEAT: theme.selection},
        x_title="training steps",
        y_title="loss, nats per word",
        x_ticks={at: f"{at:g}" for at in (0, last / 4, last / 2, 3 * last / 4, last)},
        y_ticks={at: f"{at}" for at in range(int(np.ceil(top)) + 1)},
        level=(found.tested[TRAINED], TRAINED),
    )
    return Shown("learning", picture)


def _on_the_sentence(found: Found, look: Look) -> tuple[Part, ...]:
    """The probability of every next word in every setting, and the losses behind it."""
    losses, scene = found.losses, found.scene
    if losses is None:
        return (Notice("A sentence of one word has no next word: type a second one."),)
    if np.isnan(losses).all():
        return (Notice("The models know none of the words that follow, so none is predicted."),)
    colours = dict.fromkeys((TRAINED, BLINDFOLD_OFF), look.theme.attention)
    colours |= dict.fromkeys((CHEAT, BLINDFOLDED), look.theme.selection)
    picture = bars(
        np.exp(-losses),
        colours,
        scene.labels,
        title="Probability of every next word, with a mask and without",
        theme=look.theme,
        narrow=look.is_narrow,
        top=1,
        table=lambda: _by_word(losses, scene.plain),
    )
    means = ", ".join(f"{name} **{_nats(mean)}**" for name, mean in mean_losses(losses).items())
    typed = Typed(" ".join(scene.words))
    return (
        Text("## Probability of the word that comes next, in per cent"),
        Shown("next_words", picture),
        Text(f"Mean loss on *{typed:80}*: {means}."),
    )


def _answer(tested: dict[str, float]) -> str:
    """What cheating gains, and what it is worth where there is no future."""
    trained, _, cheat, closed = (tested[name] for name in SETTINGS)
    gains = "below" if cheat < trained else "above"
    return (
        f"Without the mask a model learns to copy the next word: its loss is {_nats(cheat)}, {gains} the "
        f"{_nats(trained)} of the fully trained model; with its mask on it is {_nats(closed)}."
    )


def _explanation(tested: dict[str, float]) -> str:
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
        f"the loss of the fully trained model {changed} to {_nats(opened)}."
    )


def _elsewhere(config: ModelConfig) -> str:
    """Why the fully trained model has another loss in the sidebar of other views."""
    record = find_weights("trained").record(replace(config, mask="causal"))
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


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a model learns that sees the answer, and all settings by their loss."""
    trained, opened, cheat, closed = (found.tested[name] for name in SETTINGS)
    losses = {
        "learned with → read with": trained,
        "learned with → read without": opened,
        "learned without → read without": cheat,
        "learned without → read with": closed,
    }
    return learned_without_mask(trained, cheat, closed), losses_in_order(losses)


def program(found: Found) -> Program:
    """The settings on this sentence."""
    return Program(lambda: future_program(found.scene.subject))


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program, reads=True),
    sentence=TEA,
    switches=frozenset({"positions", "heads", "norm"}),
)
