"""The future: what a model learns that may attend to the word it is to predict."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from core.learning.checkpoints import load
from core.learning.collection import name_of, path_of
from core.learning.tasks import NEXT_WORD
from core.learning.training import N_MEASURED as N_IN_RECORD
from core.measures.findings import FILE
from core.measures.masking import future as measured
from core.measures.masking.future import (
    AVERAGED,
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
from core.programs import calling
from core.sources import find as find_weights
from pages.contract.ask import Ask
from pages.contract.caption import Caption
from pages.contract.described import in_words, trained_on
from pages.contract.examples import TEA
from pages.contract.memory import remembered
from pages.contract.predict import choose, exceeds, is_not
from pages.contract.program import Program
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Fold, Formula, Part, Sheet, Shown, Text
from pages.contract.view import view
from pages.contract.weights import dropped_words
from viz.bar_rows import BarRows
from viz.curves import Curves
from viz.tables import unique_words
from viz.theme import Role
from words import two_decimals

SAYING = f"Training two small models for {STEPS} steps each: one with the mask, and one without …"

ANOTHER = (
    f"The file `checkpoints/{CHEAT}.safetensors` is not the one that `checkpoints/{FILE}` lists: restore it, "
    "or `python -m core.measures.findings` trains it again. Here it was trained just now."
)

PREDICTED = r"w_t \sim \mathrm{softmax}(f(w_{1:t-1}))"
SOURCE = "CS 224N note, eq 18: a word is predicted from the words before it"

WHY = (
    "Without a mask, the word to predict stands one word to the right in the input. A model that writes has "
    "no such word: later words do not exist yet. An encoder may see all words: its training hides the words "
    "that it has to predict."
)

SHORT = f"with and without mask: Transformers of 2 layers with rotary positions, trained for {STEPS} steps"
LEARNING = Caption(models=lambda: (SHORT,), notes=(f"points: means of {AVERAGED} steps",), chosen=False)

NAMES = {
    HONEST: "with mask",
    CHEAT: "without mask",
    TRAINED: TRAINED,
    BLINDFOLD_OFF: BLINDFOLD_OFF,
    BLINDFOLDED: "without mask, mask on",
}
"""Names of the trainings and of the settings in pictures and sentences."""

CLEAR = 0.5
"""Nats by which one loss is clearly above another."""


@view(sentence=TEA, switches=frozenset({"positions", "heads", "norm"}))
def future(ask: Ask, scene: Scene) -> Sheet:
    """Show how both models learned, then every setting on the sentence typed."""
    config = replace(scene.switches.config, mask="causal")
    _trained(config)  # where there is none, nothing is trained in vain
    learned, tested = _learned(), _tested(config)
    return Sheet(
        answer=headline(tested),
        notes=(Text(ANOTHER, "warning"),) if measured.is_another(learned) else (),
        unknown=tuple(scene.reading.unknown),
        caption=Caption(models=lambda: (in_words(config, trained_on(NEXT_WORD.name)), SHORT)),
        parts=(
            _learning(learned, tested[TRAINED]),
            Text(WHY),
            *_on_the_sentence(scene, config),
            Fold("How this was measured", (Formula(PREDICTED, SOURCE), Text(_how(tested, config)))),
        ),
        questions=lambda: (learned_without_mask(tested[TRAINED], tested[CHEAT], tested[BLINDFOLDED]),),
        program=lambda: Program(
            lambda: calling(
                "The loss in nats of every next word, with the causal mask and without it.",
                measured.sentence_losses,
                scene.plain,
                dict.fromkeys((TRAINED, BLINDFOLD_OFF), scene.subject.call_for(".model")),
            )
        ),
    )


@remembered(saying=SAYING)
def _learned() -> Learned:
    return measured.learned(lambda: load(path_of(CHEAT)))


@remembered(saying="Reading unseen sentences with the mask and without …")
def _tested(causal: ModelConfig) -> dict[str, float]:
    name = name_of(causal) if not find_weights("trained").ablated(causal) else None
    return measured.tested(_trained(causal), name, _learned())


@remembered()
def _losses(words: tuple[str, ...], causal: ModelConfig) -> np.ndarray:
    return measured.sentence_losses(words, measured.settings(_trained(causal), _learned()))


def _trained(causal: ModelConfig) -> Transformer:
    """Return the causal model of the collection. Raises UnavailableError where there is none."""
    model = find_weights("trained").load(causal, ("the",), 0).model
    assert isinstance(model, Transformer), "the collection says so"
    return model


def _learning(learned: Learned, level: float) -> Shown:
    """Loss against steps, and the loss of the model that was fully trained."""
    picture = Curves(
        rows=learned.losses.replace({"model": NAMES}),
        title="Loss with a causal mask and without against training steps",
        x="step",
        y="loss",
        by="model",
        say=two_decimals,
        colours={NAMES[HONEST]: "attention", NAMES[CHEAT]: "output"},
        x_title="training steps",
        y_title="loss, nats per word",
        level=(level, TRAINED),
    )
    return Shown("learning", picture, caption=LEARNING)


def _on_the_sentence(scene: Scene, causal: ModelConfig) -> tuple[Part, ...]:
    """The probability of every next word in every setting, and the losses behind it."""
    if len(scene.words) < 2:
        return (Text("A sentence of one word has no next word: type a second one.", "info"),)
    losses = _losses(scene.words, causal)
    if np.isnan(losses).all():
        return (Text("The models know none of the words that follow, so none is predicted.", "info"),)
    rows: dict[str, Role] = dict.fromkeys((TRAINED, BLINDFOLD_OFF), "attention")
    rows |= {NAMES[setting]: "output" for setting in (CHEAT, BLINDFOLDED)}
    picture = BarRows(
        shares=np.exp(-losses),
        rows=rows,
        columns=scene.labels,
        title="Probability of every next word, with a mask and without",
        behind=lambda: _by_word(losses, scene.plain),
    )
    means = "; ".join(f"{NAMES[name]}: **{_nats(mean)}**" for name, mean in mean_losses(losses).items())
    return (
        Text("## Probability of the word that comes next, in per cent"),
        Shown("next_words", picture),
        Text(f"Mean loss on *{Typed(' '.join(scene.words)):80}*: {means}."),
    )


def _by_word(losses: np.ndarray, words: tuple[str, ...]) -> pd.DataFrame:
    """Losses in nats, a row for each word that is predicted."""
    index = pd.Index(unique_words(words), name="next word")
    return pd.DataFrame(dict(zip(map(NAMES.get, SETTINGS), losses, strict=True)), index=index)


def headline(tested: Mapping[str, float]) -> str:
    """Say what a model without a mask gains, and what that is worth without a future."""
    trained, cheat, closed = tested[TRAINED], tested[CHEAT], tested[BLINDFOLDED]
    loss = (
        f"On unseen sentences a model trained without a mask has a loss of {_nats(cheat)}, "
        f"and of {closed:.2f} with the mask on."
    )
    if copies(trained, cheat, closed):
        return f"{loss} It has learned to copy the next word."
    return f"{loss} The fully trained model has {trained:.2f}."


def copies(with_mask: float, cheat: float, masked_again: float) -> bool | None:
    """Return whether a model copies the next word by its losses; None if that is not clear.

    It copies if its loss is far below the loss of the model with a mask and, masked again, far above.
    """
    both = [exceeds(one, 0, CLEAR) for one in (with_mask - cheat, masked_again - with_mask)]
    return None if None in both else all(both)


def _how(tested: Mapping[str, float], causal: ModelConfig) -> str:
    """The models, the sentences, and why the fully trained model has another loss elsewhere."""
    record = find_weights("trained").record(causal)
    assert record is not None, "trained weights have a record"
    changed = "rises" if tested[BLINDFOLD_OFF] > tested[TRAINED] else "falls"
    return (
        f"Two small models with rotary positions were trained for {STEPS} steps: one **{NAMES[HONEST]}**, "
        f"one **{NAMES[CHEAT]}**. Losses are means over {N_TESTED} unseen sentences. The **{TRAINED}** model "
        f"of the switches has {_nats(tested[TRAINED])}; with its mask off this {changed} to "
        f"{_nats(tested[BLINDFOLD_OFF])}. Other views name a loss of {_nats(record.loss)} for it, the mean "
        f"over {N_IN_RECORD:,} unseen sentences. {dropped_words(NEXT_WORD.name)}"
    )


def _nats(loss: float) -> str:
    return f"{loss:.2f} nats"


def learned_without_mask(with_mask: float, cheat: float, masked_again: float) -> Choose | None:
    """Ask what a model learns that may attend to the word it predicts; None if its losses do not tell."""
    below, lost = (exceeds(one, 0, CLEAR) for one in (with_mask - cheat, masked_again - with_mask))
    return choose(
        "A model learns to predict the next word, and may attend to all words. What does it learn?",
        Option("to copy the next word", copies(with_mask, cheat, masked_again) or None),
        Option(
            "to predict better, from words on both sides",
            is_not(lost),
            f"Its loss is {cheat:.2f} nats, below the {with_mask:.2f} of the model with a mask, because "
            f"the answer is in its input. With the mask on it is {masked_again:.2f}.",
        ),
        Option(
            "nothing: its loss does not fall",
            is_not(below),
            f"It falls to {cheat:.2f} nats: the answer is in its input.",
        ),
        because=(
            f"The answer stands one word to the right. Without it, with the mask on, its loss rises from "
            f"{cheat:.2f} to {masked_again:.2f} nats."
        ),
    )
