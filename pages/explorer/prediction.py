"""What the model expects at a position of the sentence, and what is left of it when heads are knocked out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.measures.heads.head_effects import head_effects
from core.measures.prediction import Head, Prediction, divergence
from core.model.config import ModelConfig
from core.sources import SOURCES, UnavailableError
from core.text.limits import too_long
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Columns, Controls, Numbers, Part, Remark, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.controls.switches import Architecture
from pages.controls.weights import model_shown
from pages.explorer.accuracies import accuracies, verdict
from pages.explorer.expected import (
    PLACE,
    Runs,
    answer,
    ask_position,
    bars_picture,
    losses,
    nats,
    predicted,
    reads_on,
)
from pages.explorer.moved_states import Moved, find_moved, moved_parts
from pages.explorer.silenced import (
    KNOCKING_OUT,
    OF_THE_INTACT_MODEL,
    SILENCED,
    ask_silenced,
    knocks_out_or_puts_back,
    why_not_each_head,
    without,
)
from pages.shell.loading import loaded
from pages.shell.scene import Scene
from viz.head_effects import effects
from viz.predictions import SIZE
from viz.text import counted, enumerated
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
NO_MASK = "The vocabulary of {} has no mask token, so the model cannot be asked to fill in words."
FILLS_IN = "{} fills in masked pieces, with one reading for each, in"
IS_PREDICTED = "Predictions, a probability for every piece of the vocabulary, are computed for"
MOST_PREDICTED = 256
"""The longest sentence, in pieces: of a vocabulary of 50,000 that is 50 MB."""
MOST_MASKED = 32
"""Greatest number of times that a real model reads a sentence, with another piece masked."""
HOW_TO_KNOCK_OUT = (
    "A large weight need not change the prediction. Each bar shows how much knocking out one head alone "
    "changes this prediction: D(before ‖ after), the Kullback–Leibler divergence. Click a bar to knock out "
    "that head."
)
TELLS_ORDER = (
    "Which models can tell who did what to whom: "
    "[Order invariance](/order-invariance?view=who+did+what+to+whom)."
)
NOT_COMPARED = (
    "This model fills in masked words, so its predictions cannot be compared with the next words that the "
    "default model expects."
)
MOST_NAMED = 5
"""Greatest number of words that a sentence names; more are counted."""

SHOWN_UNMASKED = (
    "The model predicts the {unit} from a sentence in which that {unit} is masked. Until another is chosen, "
    "it is the {unit} that is predicted best. The weights in the picture are those of the sentence without a "
    "mask token."
)


@dataclass(frozen=True)
class Asked:
    """The position whose prediction is shown, None without one, and the heads knocked out, by name."""

    at: int | None
    silenced: Mapping[str, Head]

    @property
    def predicts(self) -> bool:
        """Whether a prediction is shown."""
        return self.at is not None


@dataclass(frozen=True)
class Predicted:
    """The prediction with all heads and without those knocked out, and the effect of each head alone.

    `effects` is None of a sentence too long for it.
    """

    scene: Scene
    runs: Runs
    at: int
    silenced: Mapping[str, Head]
    effects: pd.DataFrame | None


Expected = Predicted | Moved | None
"""What is expected; where a model predicts nothing here its last states; nothing of random weights."""


def ask_prediction(ask: Ask, scene: Scene) -> Asked:
    """The position at which the model is to predict, and the heads that are knocked out."""
    if why_not_predicted(scene):
        return Asked(None, ask_silenced(ask, scene))
    if not scene.switches.weights.trained:
        return Asked(None, {})
    return Asked(ask_position(ask, scene), ask_silenced(ask, scene))


def find_prediction(scene: Scene, asked: Asked) -> Expected:
    """The prediction there, with all heads and without some."""
    if why_not := why_not_predicted(scene):
        return find_moved(scene, why_not, asked.silenced)
    if asked.at is None:
        return None
    heads = frozenset(asked.silenced.values())
    before = predicted(scene.words, scene.switches)
    after = predicted(scene.words, scene.switches, heads)
    runs = Runs(before, after, second=without(asked.silenced))
    each = None if why_not_each_head(scene) else _effects_at(scene.words, scene.switches, asked.at)
    return Predicted(scene, runs, asked.at, asked.silenced, each)


def prediction_parts(found: Expected, looks: tuple[Look, Look]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The likeliest words at a position; and the effect of every head, with what is said of both.

    Drawn for two looks, one for each.
    """
    if found is None:
        return (Remark(NOTHING_LEARNED),), ()
    if isinstance(found, Moved):
        return moved_parts(found, looks)
    scene, runs = found.scene, found.runs
    tables: list[Part] = [Numbers("losses", lambda: losses(scene, runs), title=f"Loss of each {scene.unit}")]
    if scene.switches.weights.pretrained is None and not scene.switches.ablations:
        title = f"What the model has learned{', with all heads' * bool(found.silenced)}"
        tables.append(Numbers("accuracies", lambda: accuracies(scene), title=title, note=verdict))
    expected = (Controls(PLACE), bars_picture(scene, runs, found.at, looks[0]))
    said = Text(_in_words(found))
    return expected, (*_effects(found, looks[1]), Controls(SILENCED, "below each other"), said, *tables)


def prediction_below(found: Expected, look: Look) -> tuple[Part, ...]:
    """The two charts side by side, below what fills the width of the page."""
    one, other = look.columns((1, 1))
    expected, effect = prediction_parts(found, (one, other))
    return (Columns((expected, effect)),) if expected and effect else (*expected, *effect)


def why_not_predicted(scene: Scene) -> str:
    """Return why a real model predicts nothing here; empty if it does, and for other models."""
    one = scene.switches.weights.pretrained
    if one is None:
        return ""
    if not one.predicts:
        return (NO_OUTPUT if one.whole else IN_THE_DECODER).format(literal(one.title))
    if not reads_on(scene) and not one.has_mask:
        return NO_MASK.format(literal(one.title))
    if not reads_on(scene) and len(scene.words) > MOST_MASKED:
        return too_long(FILLS_IN.format(literal(one.title)), MOST_MASKED, len(scene.words), scene.unit)
    if len(scene.words) > MOST_PREDICTED:
        return too_long(IS_PREDICTED, MOST_PREDICTED, len(scene.words), scene.unit)
    return ""


@remembered(saying=KNOCKING_OUT)
def _effects_at(words: tuple[str, ...], switches: Architecture, at: int) -> pd.DataFrame:
    return head_effects(loaded(words, switches), position=at, window=switches.window)


def _effects(found: Predicted, look: Look) -> tuple[Shown, ...]:
    """A bar for every head, each knocked out alone; a click knocks it out or puts it back."""
    if found.effects is None:
        return ()
    silenced = frozenset((layer + 1, head + 1) for layer, head in found.silenced.values())
    picture = effects(found.effects, theme=look.theme, silenced=silenced, size=look.room(SIZE))
    return (Shown("head_effects", picture, on_click=knocks_out_or_puts_back(found.silenced)),)


def _in_words(found: Predicted) -> str:
    """How the word in the sentence did, the loss of the sentence, and how to read the bars."""
    scene, runs, at = found.scene, found.runs, found.at
    how = HOW_TO_KNOCK_OUT if found.effects is not None else why_not_each_head(scene)
    if runs.second:
        moved = divergence(runs.before, runs.after, at)
        return (
            f"{answer(scene, runs, at)} {runs.second.capitalize()} this prediction changes by "
            f"**D(before ‖ after) = {thousandths(moved)} nats**. {_losses_in_words(scene, runs)} "
            f"{model_said(scene)}\n\n:small[{how} {OF_THE_INTACT_MODEL}]"
        )
    masked = "" if reads_on(scene) else f" {SHOWN_UNMASKED.format(unit=scene.unit)}"
    said = (
        answer(scene, runs, at),
        _loss(scene, runs.before),
        model_said(scene),
        unlike_default(scene, runs.before),
    )
    return f"{' '.join(filter(None, said))}\n\n:small[{how}{masked}]"


def model_said(scene: Scene) -> str:
    """Return which trained model the switches show; empty for the default one, and for other sources."""
    switches = scene.switches
    if switches.source != next(iter(SOURCES)):
        return ""
    shown, missing = model_shown(switches.config, switches.weights), enumerated(switches.ablations)
    if not missing:
        return shown
    return (
        f"{shown} Here it has {missing}."
        if shown
        else f"These switches show the default model, with {missing}."
    )


def unlike_default(scene: Scene, prediction: Prediction) -> str:
    """Return after which words the most likely next word is not the default model's; empty for itself."""
    switches, usual = scene.switches, replace(scene.switches, config=ModelConfig.of_switches(), window=None)
    if switches.source != next(iter(SOURCES)) or switches == usual:
        return ""
    order = f" {TELLS_ORDER}" if switches.config.positions != usual.config.positions else ""
    if not reads_on(scene):
        return f"{NOT_COMPARED}{order}"
    try:
        other = predicted(scene.words, usual)
    except UnavailableError:
        return ""
    asked = [at for at in range(len(scene.words)) if at not in prediction.in_sight]
    best = [{at: int(one.probabilities(at).argmax()) for at in asked} for one in (prediction, other)]
    unlike = [at for at in asked if best[0][at] != best[1][at]]
    return f"{_unlike(scene, unlike, asked)}{order}"


def _unlike(scene: Scene, unlike: Sequence[int], asked: Sequence[int]) -> str:
    """Return after which of the words `asked` the most likely next words of two models differ."""
    if not asked:
        return ""
    words = counted(len(asked), "word")
    of = f"{words} that may not attend to the next word" if len(asked) < len(scene.words) else words
    if not unlike:
        return f"The most likely next word is the default model's after {len(asked)} of {of}."
    names = [f"*{scene.names[at]}* ({at + 1})" for at in unlike[:MOST_NAMED]]
    more = [f"{len(unlike) - MOST_NAMED} more"] if len(unlike) > MOST_NAMED else []
    return (
        f"The most likely next word differs from the default model's after {len(unlike)} of {of}: "
        f"{enumerated([*names, *more])}."
    )


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
