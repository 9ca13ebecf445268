"""What the model has learned: its accuracies, each beside what can be had without reading the sentence."""

import pandas as pd

from core.learning.evaluation.baselines import baseline, is_no_better
from core.learning.evaluation.phenomena import QUESTIONS
from core.learning.tasks import TASKS, chance
from core.learning.training import N_MEASURED
from pages.shell.scene import Scene

BEATS, YES, NO = "better than the baseline", "yes", "no"
WITHOUT_READING = (
    f"Accuracy is measured on sentences that training did not have: *all words* on {N_MEASURED:,} of them, "
    f"the rest on {QUESTIONS} questions each, no two with the same words before the one asked for; training "
    "may have had these words in another sentence. The baseline is the best accuracy without reading the "
    "sentence: the majority class, or one of the words in question at random."
)


def accuracies(scene: Scene) -> pd.DataFrame:
    """Accuracies of the intact model on unseen sentences, each beside what can be had without reading."""
    record = scene.switches.weights.record(scene.switches.config)
    assert record is not None, "trained weights have a record"
    rows = {f"all words ({record.task})": (record.accuracy, chance(TASKS[record.task]).accuracy)}
    for name, share in record.accuracies.items():
        rows[name] = (share, baseline(name))
    table = pd.DataFrame(
        rows.values(), index=pd.Index(rows, name="accuracy on"), columns=["accuracy", "baseline"]
    )
    beaten = [not is_no_better(accuracy, without) for accuracy, without in rows.values()]
    return table.assign(**{BEATS: [YES if one else NO for one in beaten]})


def verdict(table: pd.DataFrame) -> str:
    """What the baseline is, and where the model is not clearly better."""
    worse = list(table.index[table[BEATS] == NO])
    if not worse:
        return f"{WITHOUT_READING} This model is better than its baseline everywhere."
    return f"{WITHOUT_READING} This model is not clearly better than its baseline on {', '.join(worse)}."
