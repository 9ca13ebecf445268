"""The future: what a model learns if it may attend to the word that it has to predict."""

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
    MaskComparison,
)
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.sources import find as find_weights
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import TEA
from pages.contract.model_descriptions import in_words, trained_on
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, exceeds, is_not
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Fold, Formula, Part, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.contract.weights import dropped_words
from viz.bar_rows import BarRows
from viz.curves import Curves
from viz.text import unique_words
from viz.theme import Role
from words import two_decimals

SAYING = f"Training two small models for {STEPS} steps each: one with the mask, and one without …"

ANOTHER = (
    f"The file `checkpoints/{CHEAT}.safetensors` does not match `checkpoints/{FILE}`: restore it, "
    "or `python -m core.measures.findings` trains it again. Here it was trained just now."
)

PREDICTED = r"w_t \sim \mathrm{softmax}(f(w_{1:t-1}))"
PREDICTED_FROM = "A word is predicted from the words before it"

WHY = (
    "Without a mask, the word to predict stands one word to the right in the input. A model that writes has "
    "no such word: later words do not exist yet."
)
NO_MASK = (
    "An encoder such as BERT may see all words: its training puts a mask token or, at times, another "
    "word in place of most words that it has to predict. The encoder of a translator predicts nothing."
)

SHORT = (
    f"with and without mask: Transformers {trained_on(NEXT_WORD.name)}: 2 layers, rotary positions, "
    f"{STEPS} steps"
)
LEARNING = Caption(models=lambda: (SHORT,), notes=(f"points: means of {AVERAGED} steps",), chosen=False)

NAMES = {
    HONEST: "with mask",
    CHEAT: "without mask",
    TRAINED: "with mask, fully trained",
    BLINDFOLD_OFF: "with mask, read without",
    BLINDFOLDED: "without mask, next word hidden",
}
"""Names of the trainings and of the settings in pictures and sentences."""

SHOWN: Mapping[str, Role] = {TRAINED: "attention", CHEAT: "output", BLINDFOLDED: "output"}
"""The settings whose probabilities are drawn; the table behind them has all."""

CLEAR = 0.5
"""Nats by which one loss is clearly above another."""


@view(
    question="Why does a model that writes need a mask?",
    sentence=TEA,
    switches=frozenset({"positions", "heads", "norm"}),
)
def future(ask: Ask, scene: Scene) -> Sheet:
    """Show how both models learned, then every setting on the sentence typed."""
    config = replace(scene.switches.config, mask="causal")
    _trained(config)  # if there is none, the training below would be in vain
    learned, tested = _learned(), _tested(config)
    return Sheet(
        headline=headline(tested),
        notes=(Text(ANOTHER, "warning"),) if measured.is_another(learned) else (),
        unknown=tuple(scene.reading.unknown),
        caption=Caption(models=lambda: (in_words(config, trained_on(NEXT_WORD.name)), SHORT)),
        parts=(
            _learning(learned, tested[TRAINED]),
            Text(WHY),
            *_on_the_sentence(scene, config),
            Fold("Which models need no mask?", (Text(NO_MASK),)),
            Fold("How this was measured", (Formula(PREDICTED, PREDICTED_FROM), Text(_how(tested, config)))),
        ),
        questions=lambda: (learned_without_mask(tested[TRAINED], tested[CHEAT], tested[BLINDFOLDED]),),
        program=lambda: Program.calling(
            "The loss in nats of every next word in a model trained with a mask, with it and without it.",
            measured.sentence_losses,
            scene.plain,
            dict.fromkeys((TRAINED, BLINDFOLD_OFF), scene.subject.call_for(".model")),
            prints="the losses of the model trained with the mask, with the mask and without it",
        ),
    )


@cached_for_all(saying=SAYING)
def _learned() -> MaskComparison:
    return measured.load_or_learn(lambda: load(path_of(CHEAT)))


@cached_for_all(saying="Reading unseen sentences with the mask and without …")
def _tested(causal: ModelConfig) -> dict[str, float]:
    name = name_of(causal) if not find_weights("trained").ablated(causal) else None
    return measured.tested(_trained(causal), name, _learned())


@cached_for_all()
def _losses(words: tuple[str, ...], causal: ModelConfig) -> np.ndarray:
    return measured.sentence_losses(words, measured.settings(_trained(causal), _learned()))


def _trained(causal: ModelConfig) -> Transformer:
    """Return the causal model of the collection. Raises UnavailableError if it is not there."""
    model = find_weights("trained").load(causal, ("the",), 0).model
    assert isinstance(model, Transformer), "the collection says so"
    return model


def _learning(learned: MaskComparison, level: float) -> PicturePart:
    """Return losses against steps, and the loss of the fully trained model."""
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
    return PicturePart("learning", picture, caption=LEARNING)


def _on_the_sentence(scene: Scene, causal: ModelConfig) -> tuple[Part, ...]:
    """Return the probability of every next word in every setting, and the losses."""
    if len(scene.words) < 2:
        return (Text("A sentence of one word has no next word: type a second one.", "info"),)
    losses = _losses(scene.words, causal)
    if np.isnan(losses).all():
        return (Text("The models know none of the words that follow, so none is predicted.", "info"),)
    picture = BarRows(
        shares=np.exp(-losses[[SETTINGS.index(setting) for setting in SHOWN]]),
        rows={NAMES[setting]: role for setting, role in SHOWN.items()},
        columns=scene.labels,
        title="Probability of every next word, with a mask and without",
        make_table=lambda: _by_word(losses, scene.plain),
    )
    means = dict(zip(SETTINGS, np.nanmean(losses, axis=1).tolist(), strict=True))
    return (
        Text("## Probability of the word that comes next"),
        PicturePart("next_words", picture),
        Text(in_this_sentence(means)),
    )


def _by_word(losses: np.ndarray, words: tuple[str, ...]) -> pd.DataFrame:
    """Return losses in nats, a row for each predicted word."""
    index = pd.Index(unique_words(words), name="next word")
    return pd.DataFrame(dict(zip(map(NAMES.get, SETTINGS), losses, strict=True)), index=index)


def headline(tested: Mapping[str, float]) -> str:
    """Say what a model without a mask gains, and its loss once the next word is hidden."""
    trained, cheat, closed = tested[TRAINED], tested[CHEAT], tested[BLINDFOLDED]
    if copies(trained, cheat, closed):
        return (
            f"Without a mask, a model learns to copy the next word: over {N_TESTED} sentences its mean loss "
            f"is {_nats(cheat)}, but {closed:.2f} once a mask hides that word."
        )
    return (
        f"Over {N_TESTED} sentences, a model trained without a mask has a mean loss of {_nats(cheat)}, and "
        f"of {closed:.2f} once a mask hides the next word. The fully trained model has {trained:.2f}."
    )


def in_this_sentence(losses: Mapping[str, float]) -> str:
    """Say the mean loss over the words of this sentence in each setting whose bars are drawn."""
    trained, cheat, closed = (losses[setting] for setting in (TRAINED, CHEAT, BLINDFOLDED))
    return (
        "A bar is exp(−loss) of one word of this sentence alone. Here the mean loss is "
        f"{_nats(cheat)} without the mask, {closed:.2f} once a mask hides the next word, and "
        f"{trained:.2f} for the fully trained model."
    )


def copies(with_mask: float, cheat: float, masked_again: float) -> bool | None:
    """Return by its losses whether a model copies the next word; None if that is not clear.

    It copies if its loss is far below the loss of the model with a mask and, masked again, far above.
    """
    both = [exceeds(one, 0, CLEAR) for one in (with_mask - cheat, masked_again - with_mask)]
    return None if None in both else all(both)


def _how(tested: Mapping[str, float], causal: ModelConfig) -> str:
    """Return the models, the sentences, and why the fully trained model has another loss elsewhere."""
    record = find_weights("trained").record(causal)
    assert record is not None, "trained weights have a record"
    changed = "rises" if tested[BLINDFOLD_OFF] > tested[TRAINED] else "falls"
    return (
        f"Two small models with rotary positions were trained for {STEPS} steps: one **{NAMES[HONEST]}**, "
        f"one **{NAMES[CHEAT]}**. Losses are means over {N_TESTED} unseen sentences. The **{TRAINED}** model "
        f"has {_nats(tested[TRAINED])}. With its mask off, its loss {changed} to "
        f"{_nats(tested[BLINDFOLD_OFF])}. Other views measure it on {N_IN_RECORD:,} sentences: "
        f"{_nats(record.loss)}. {dropped_words(NEXT_WORD.name)}"
    )


def _nats(loss: float) -> str:
    return f"{loss:.2f} nats"


def learned_without_mask(with_mask: float, cheat: float, masked_again: float) -> Choose | None:
    """Ask what a model learns if it may attend to the word it predicts; None if its losses are unclear."""
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
