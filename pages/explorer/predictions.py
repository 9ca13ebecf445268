"""The model's prediction at a position, in one run or two: with and without heads, A and B."""

from typing import NamedTuple

import pandas as pd

from core.measures.prediction import Head, Prediction, distribution, predict
from core.model.masks import NEXT_WORD
from core.text.tokenizer import too_long
from pages.contract.ask import Ask
from pages.contract.loading import loaded, measured
from pages.contract.prose import literal
from pages.contract.scene import Scene
from pages.contract.sheet import PicturePart
from pages.contract.switches import Architecture
from viz.named_bars import LikelyWords, likeliest
from viz.text import quoted, unique_words
from words import p_equals

ALL_HEADS = "all heads"

PLACE = "place"
"""Parameter of the position, and the spot of its control."""

NOTHING_LEARNED = (
    "Random weights have learned nothing, so what they predict means nothing. Choose trained weights to see "
    "what a model predicts, and which heads it needs for that."
)
NO_OUTPUT = (
    "{} has no output layer: it gives a state for each token and predicts no words, so there is no loss."
)
OF_LABELS = "{} predicts labels of a text and no words, so there is no loss. *Hiding* shows its labels."
IN_THE_DECODER = (
    "The page shows the encoder of {}, which gives a state for each token. Its decoder, which attends to "
    "those states, predicts the words."
)
NO_MASK = "The vocabulary of {} has no mask token, so the model cannot be asked to fill in words."
FILLS_IN = "{} fills in masked tokens, with one reading for each, in"
IS_PREDICTED = "Predictions, a probability for every token of the vocabulary, are computed for"
MOST_PREDICTED = 256
"""Longest sentence, in pieces: with a vocabulary of 50,000 that is 50 MB."""
MOST_MASKED = 32
"""Greatest number of times that a real model reads a sentence, each time with another piece masked."""


class Runs(NamedTuple):
    """Two predictions of the same sentence with their names; `second` is empty if both are the same."""

    before: Prediction
    after: Prediction
    second: str = ""
    first: str = ALL_HEADS


def predicts_next(scene: Scene) -> bool:
    """Return whether the model predicts the next word; else it predicts a masked one."""
    one = scene.switches.weights.pretrained
    return (scene.switches.config if one is None else one).objective == NEXT_WORD


def why_not_predicted(scene: Scene) -> str:
    """Return why a real model predicts nothing here; empty if it does, and for other models."""
    one = scene.switches.weights.pretrained
    if one is None:
        return ""
    if not one.predicts:
        why_not = OF_LABELS if one.labels else NO_OUTPUT if one.whole else IN_THE_DECODER
        return why_not.format(literal(one.title))
    if not predicts_next(scene) and not one.has_mask:
        return NO_MASK.format(literal(one.title))
    if not predicts_next(scene) and len(scene.words) > MOST_MASKED:
        return too_long(FILLS_IN.format(literal(one.title)), MOST_MASKED, len(scene.words), scene.unit)
    if len(scene.words) > MOST_PREDICTED:
        return too_long(IS_PREDICTED, MOST_PREDICTED, len(scene.words), scene.unit)
    return ""


def predicted(
    words: tuple[str, ...], switches: Architecture, silenced: frozenset[Head] = frozenset()
) -> Prediction:
    """Return the model's predictions without the heads in `silenced`, computed once for all visitors."""
    return measured(predict, loaded, words, switches, window=switches.window, silenced=silenced)


def ask_position(ask: Ask, scene: Scene, *, predicts: bool = True) -> int:
    """Return the chosen position, from 0; at first the last word, or the masked word that is easiest.

    For a model that predicts nothing here it is the position of a row.
    """
    label = ("After {}" if predicts_next(scene) else "Masked {}") if predicts else "Row of {}"
    masks = predicts and not predicts_next(scene)
    with ask.at(PLACE):
        at = ask.word(
            PLACE,
            scene.names,
            label=label.format(scene.unit),
            usual=_usual(scene, masks=masks),
            width=250,
        )
    assert at is not None, "one is usual"
    return at


def _usual(scene: Scene, *, masks: bool) -> int:
    special = () if scene.pieces is None else scene.pieces.special
    said = [at for at, word in enumerate(scene.names) if at not in special and any(map(str.isalnum, word))]
    easiest = predicted(scene.words, scene.switches).easiest(said) if masks else None
    return max(said, default=len(scene.words) - 1) if easiest is None else easiest


def asked_at(scene: Scene, at: int) -> str:
    """Return a title that names the predicted position."""
    asked = f"Next {scene.unit} after" if predicts_next(scene) else f"Masked {scene.unit} in place of"
    return f"{asked} {quoted(str(scene.names[at]))} ({at + 1})"


def bars_picture(scene: Scene, runs: Runs, at: int) -> PicturePart:
    """Return the likeliest words at a position, a bar for each run."""
    table = distribution(runs.before, runs.after, at)
    picture = LikelyWords(
        title=asked_at(scene, at),
        words=_readable(scene, likeliest(table)),
        before=runs.first,
        after=runs.second,
        make_table=lambda: _readable(scene, table),
    )
    return PicturePart("prediction_bars", picture)


def _readable(scene: Scene, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of a distribution with its words as a reader understands them."""
    return table.assign(word=[spelt(scene, word) for word in table["word"]])


def spelt(scene: Scene, word: str) -> str:
    """Return a word of the model's vocabulary as a reader understands it: real pieces have signs."""
    return word if scene.pieces is None else scene.pieces.readable(word)


def answer(scene: Scene, runs: Runs, at: int) -> str:
    """Return how well both runs predict the word of the sentence at a position."""
    prediction = runs.before
    right, asked = prediction.target(at), at + prediction.ahead
    unit, names = scene.unit, scene.names
    here = f"The next {unit} in the sentence is" if predicts_next(scene) else f"The masked {unit} is"
    if runs.second and (right is None) != (runs.after.target(at) is None):
        run, name = (runs.before, runs.first) if right is not None else (runs.after, runs.second)
        other = runs.second if right is not None else runs.first
        target = run.target(at)
        assert target is not None, "one of the two has a target"
        return (
            f"{here} **{names[asked]}**: {name} {_standing(run, at, target)}, of {len(run.vocabulary)} "
            f"{unit}s. In {other}, *{names[at]}* may attend to it, so there is nothing to predict."
        )
    if right is not None:
        both = _both(runs, *(_standing(run, at, right) for run in runs[:2]))
        return f"{here} **{names[asked]}**: {both}, of {len(prediction.vocabulary)} {unit}s."
    if asked == len(names):
        best = _both(runs, *(_top(scene, run, at) for run in runs[:2]))
        is_ = ":" if runs.second else " is"
        return f"The likeliest next {unit}{is_} {best}. The sentence ends here, so no next {unit} is scored."
    if at in prediction.in_sight:
        return (
            f"*{names[at]}* may attend to the next {unit}, **{names[asked]}**: there is nothing to predict, "
            f"so this {unit} is not scored."
        )
    if asked in prediction.special:
        return f"{here} **{names[asked]}**, a special token: it is not scored."
    return f"{here} **{names[asked]}**, which the model does not know: it is not scored."


def losses(scene: Scene, runs: Runs) -> pd.DataFrame:
    """Return the loss of each word, or piece, in nats, a column for each run."""
    columns = {"loss in nats": runs.before.losses()}
    if runs.second:
        columns = {f"{runs.first}, loss in nats": runs.before.losses(), runs.second: runs.after.losses()}
    return pd.DataFrame(columns, index=pd.Index(unique_words(scene.labels), name=scene.unit))


def nats(loss: float | None, unit: str) -> str:
    """Return a loss with its unit: nats for each word or for each piece."""
    return "no loss" if loss is None else f"{loss:.2f} nats per {unit}"


def _both(runs: Runs, before: str, after: str) -> str:
    """Return the text for the first run, and for the second if there is one."""
    named = "" if runs.first == ALL_HEADS else f"{runs.first} "
    return f"{named}{before}; {runs.second} {after}" if runs.second else before


def _top(scene: Scene, prediction: Prediction, at: int) -> str:
    shares = prediction.probabilities(at)
    best = int(shares.argmax())
    return f"**{literal(spelt(scene, prediction.vocabulary[best]))}** ({p_equals(shares[best])})"


def _standing(prediction: Prediction, at: int, right: int) -> str:
    return f"rank {prediction.rank(at)}, {p_equals(prediction.probabilities(at)[right])}"
