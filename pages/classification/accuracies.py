"""The accuracy of every classifier on every kind of review, and the conclusion from it."""

from collections.abc import Mapping

import pandas as pd

from core.learning.evaluation.classification import AMONG, KINDS, QUESTIONS, SEEN
from core.learning.tasks.classification import AROUND
from core.measures.classification import reviews as baselines
from core.measures.classification.reviews import LAST_OPINION, Share
from core.model.classifier import ClassifierConfig
from core.sources.trained import record_of_classifier
from core.text.language.review_parts import HELD_OUT, NEVER_NEGATED
from pages.classification.classifier import all_classifiers
from pages.contract.caching import cached_for_all
from pages.contract.sheet import Caption, PicturePart
from viz.probability_grids import FlipGrid
from words import enumerated, per_cent

KIND_NAMES = {
    SEEN: "kinds seen",
    AMONG: "in long texts",
    "although + negation": "although, not",
    "but + intensifier": "but, very",
    "adjective never negated": "not + new",
}
"""Short names of the kinds of reviews: first those seen in training, then those not seen."""

LACKED = tuple(KIND_NAMES[kind] for kind in HELD_OUT)


@cached_for_all()
def accuracies(models: tuple[tuple[str, ClassifierConfig], ...]) -> pd.DataFrame:
    """Return accuracies by kind, a row for every classifier and one for reading the last opinion alone."""
    rows = {title: record_of_classifier(config).accuracies for title, config in models}
    one_word = {kind: share.value for kind, share in baselines.shares(baselines.BY_LAST_OPINION).items()}
    return pd.DataFrame({**rows, LAST_OPINION: one_word}).T[list(KINDS)].rename(columns=KIND_NAMES)


def accuracy_bars(rates: pd.DataFrame) -> PicturePart:
    """Return the accuracy of every classifier on every kind of review."""
    title = "Accuracy on unseen reviews"
    picture = FlipGrid(
        values=rates.to_numpy().T,
        texts=list(rates.columns),
        models=list(rates.index),
        measure="accuracy",
        title=title,
        short="Accuracy",
        rows="kind",
    )
    return PicturePart("review_accuracies", picture, caption=Caption(models=all_classifiers, chosen=False))


def what_it_proves(rates: pd.DataFrame) -> str:
    """Return the baseline, and the lowest accuracy on held-out kinds."""
    models, one_word = rates.drop(index=LAST_OPINION), rates.loc[LAST_OPINION]
    title, kind = models[list(LACKED)].stack().idxmin()
    lacked = enumerated([f"*{one}*" for one in LACKED])
    enough = [f"*{one}*" for one in LACKED if one_word[one] == 1]
    proof = (
        f" On {' and '.join(enough)} that word is enough, so a right answer proves little." if enough else ""
    )
    return (
        f"Training had none of these reviews, and none of the kinds {lacked}. *Last opinion* is a baseline "
        f"that reads the last word of opinion and nothing else.{proof} Lowest on the kinds that training "
        f"lacked: {title} on *{kind}*, {per_cent(float(models.loc[title, kind]))}."
    )


def how_measured() -> str:
    """Return the held-out kinds, the test sets of the accuracies, and the accuracy of a constant answer."""
    majority = baselines.shares(baselines.MAJORITY).values()
    ends = dict.fromkeys(per_cent(of(one.value for one in majority)) for of in (min, max))
    adjectives = ", ".join(f"*{word}*" for word in sorted(NEVER_NEGATED))
    _, among, although, but, new = (f"*{name}*" for name in KIND_NAMES.values())
    near = near_to_training(baselines.shares(baselines.NEAR_TO_TRAINING))
    return (
        f"There are {QUESTIONS} distinct test reviews of each kind. Those {among} stand among {AROUND} "
        "sentences without an opinion, as in training, and the others stand alone. Training has negation, "
        "intensifiers and contrasts. It never has *although* with a negation in the last clause "
        f"({although}), or *but* with an intensifier after it ({but}). It never has a "
        f"negation before the adjectives {adjectives} ({new}). "
        f"The majority-class baseline gets {' to '.join(ends)}. {near} The Transformer has one layer and "
        "averages its states. Some words of the vocabulary never occur in training."
    )


def near_to_training(near: Mapping[str, Share]) -> str:
    """Return how many reviews of each kind differ from a training review in one word."""
    counts = {kind: round(share.value * QUESTIONS) for kind, share in near.items() if kind != AMONG}
    listed = ", ".join(f"{n or 'none'} of *{KIND_NAMES[kind]}*" for kind, n in counts.items())
    return f"Some test reviews differ in one word from a training review: {listed}."
