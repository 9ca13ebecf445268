"""Accuracies of a trained model, and words after which it differs from the default model."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.learning.evaluation.phenomena import QUESTIONS, baseline, is_no_better
from core.learning.tasks import TASKS, chance
from core.learning.training import N_MEASURED
from core.measures.prediction import Prediction
from core.model.config import ModelConfig
from core.model.masks import MASKED_WORD
from core.sources import SOURCES, UnavailableError
from pages.contract.scene import Scene
from pages.contract.weights import hidden_words
from pages.explorer.predictions import predicted, predicts_next
from words import enumerated, part_of

BEATS, YES, NO = "better than the baseline", "yes", "no"
WITHOUT_READING = (
    f"Accuracy is measured on sentences that were not used in training: the first row on {N_MEASURED:,} of "
    f"them, the other rows on {QUESTIONS} questions each. No two questions have the same words before the "
    "word asked for, but these words may occur in a training sentence. The baseline is the best accuracy "
    "without reading the sentence: the majority class, or a random choice between the words in question."
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


def accuracies(scene: Scene) -> pd.DataFrame:
    """Return accuracies of the intact model on unseen sentences, each beside its baseline."""
    record = scene.switches.weights.record(scene.switches.config)
    assert record is not None, "trained weights have a record"
    is_masked = record.task == MASKED_WORD
    asked = "words drawn at random" if is_masked else f"all words{hidden_words(scene.switches.config.mask)}"
    rows = {f"{asked} ({record.task})": (record.accuracy, chance(TASKS[record.task]).accuracy)}
    for name, share in record.accuracies.items():
        rows[name] = (share, baseline(name))
    table = pd.DataFrame(
        rows.values(), index=pd.Index(rows, name="accuracy on"), columns=["accuracy", "baseline"]
    )
    beaten = [not is_no_better(accuracy, without) for accuracy, without in rows.values()]
    return table.assign(**{BEATS: [YES if one else NO for one in beaten]})


def verdict(table: pd.DataFrame) -> str:
    """Return the baseline, and the scores in which the model is not clearly better."""
    worse = list(table.index[table[BEATS] == NO])
    if not worse:
        return f"{WITHOUT_READING} This model is better than its baseline everywhere."
    return f"{WITHOUT_READING} This model is not clearly better than its baseline on {', '.join(worse)}."


def unlike_default(scene: Scene, prediction: Prediction) -> str:
    """Return after which words the most likely next word is not the default model's; empty for itself."""
    switches, usual = scene.switches, replace(scene.switches, config=ModelConfig.of_switches(), window=None)
    if switches.source != next(iter(SOURCES)) or switches == usual:
        return ""
    order = f" {TELLS_ORDER}" if switches.config.positions != usual.config.positions else ""
    if not predicts_next(scene):
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
    which = " that may not attend to the next word" if len(asked) < len(scene.words) else ""
    if not unlike:
        every = part_of(len(asked), len(asked), "word")
        return f"After {every}{which}, the likeliest next word is the same as the default model's."
    names = [f"*{scene.names[at]}* ({at + 1})" for at in unlike[:MOST_NAMED]]
    more = [f"{len(unlike) - MOST_NAMED} more"] if len(unlike) > MOST_NAMED else []
    return (
        f"The likeliest next word differs from the default model's after "
        f"{part_of(len(unlike), len(asked), 'word')}{which}: {enumerated([*names, *more])}."
    )
