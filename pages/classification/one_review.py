"""One review: the verdicts of all classifiers side by side, and how often each is right."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from core.learning.evaluation.classification import AMONG, KINDS
from core.measures.classification import baselines
from core.measures.classification.verdicts import EVEN, accuracy, probability
from core.model.classifier import ClassifierConfig
from core.programs.classification import verdicts_program
from core.sources.classifiers import load_classifier, record_of_classifier
from pages.classification.classifier import absent_classifiers, available, missing
from pages.classification.how_measured import Shares, what_is_asked, what_is_held_out, what_it_proves
from pages.classification.questions import one_word_is_not_enough
from pages.classification.review import BLAME, LABELS, PRAISE, Review
from pages.classification.switches import DIFFERS, OF_REVIEW
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Fold, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz import units
from viz.model_rows import model_rows
from viz.text import counted
from viz.theme import Theme

SIDE_BY_SIDE = 720
"""Pixels of width from which on the two parts of the figure stand side by side."""

TITLES = ("Probability of praise", "Accuracy on unseen reviews")
OF_THE_MODELS = (
    "Other words of the language are known, but were not trained on. The Transformer has one layer and "
    "averages its states."
)


@dataclass(frozen=True)
class Found:
    """The probability of praise by every classifier, and their accuracies with those of the baselines.

    `accuracies` has the columns model, kind, share, low and high; `absent` says which models are not there.
    """

    review: Review
    verdicts: Mapping[str, float]
    accuracies: pd.DataFrame
    without_reading: Shares
    near_to_training: Shares
    absent: str = ""


def find(scene: Scene, choices: None) -> Found:
    """All classifiers that are there, on the review. Raises UnavailableError where none is."""
    review, models = Review(scene.words), available()
    return Found(
        review,
        {title: verdict(config, review.plain) for title, config in models.items()},
        _accuracies(tuple(models.items())),
        baselines.shares(baselines.MAJORITY),
        baselines.shares(baselines.NEAR_TO_TRAINING),
        absent_classifiers(),
    )


@remembered()
def verdict(config: ClassifierConfig, words: tuple[str, ...]) -> float:
    return probability(load_classifier(config, words))


@remembered()
def _accuracies(models: tuple[tuple[str, ClassifierConfig], ...]) -> pd.DataFrame:
    """Accuracies of classifiers on every kind of review, and last of who reads the last opinion alone."""
    rows = []
    for title, config in models:
        record = record_of_classifier(config)
        for kind in KINDS:
            found = accuracy(record, kind)
            low, high = found.value - found.error, found.value + found.error
            rows.append((title, kind, found.value, low, min(high, 1.0)))
    table = pd.DataFrame(rows, columns=["model", "kind", "share", "low", "high"])
    return pd.concat([table, baselines.table_by_last_opinion()], ignore_index=True)


def sheet(found: Found, look: Look) -> Sheet:
    """A bar for every classifier, and beside it its accuracies; below them those of who reads one word."""
    picture = model_rows(
        found.verdicts,
        found.accuracies,
        ends=(BLAME, PRAISE),
        title="Verdict and accuracy of every classifier",
        titles=TITLES,
        colours=_colours(look.theme),
        theme=look.theme,
        narrow=look.width < SIDE_BY_SIDE,
    )
    measured = f"{what_is_asked(found.near_to_training)} {what_is_held_out()} {OF_THE_MODELS}"
    return Sheet(
        answer=agreement(found.verdicts),
        notes=missing(found.absent),
        unknown=found.review.unknown,
        parts=(
            Shown("review_verdicts", picture),
            Text(f"{found.review.by_rules()}{mistaken(found.review.label, found.verdicts)}"),
            Text(what_it_proves(found.accuracies, found.without_reading)),
            Fold("How this was measured", (Text(measured),)),
        ),
    )


def _colours(theme: Theme) -> dict[str, str]:
    """What training had is grey; each kind it lacked has a colour and a sign of its own."""
    held_out = (theme.query, theme.key, theme.value)
    return dict(zip(KINDS, (theme.muted, theme.muted, *held_out), strict=True))


def agreement(verdicts: Mapping[str, float]) -> str:
    """How many classifiers call the review what, and between which probabilities."""
    praise, n = sum(value >= EVEN for value in verdicts.values()), len(verdicts)
    low, high = (units.probability(end(verdicts.values())) for end in (min, max))
    span = f"p(praise) = {low}" if low == high else f"p(praise) from {low} to {high}"
    if praise not in (0, n):
        call = "calls" if praise == 1 else "call"
        return f"{praise} of {counted(n, 'classifier')} {call} it {PRAISE}, {n - praise} {BLAME}: {span}."
    all_of_them = f"All {n} classifiers call" if n > 1 else "The one classifier that is there calls"
    return f"{all_of_them} it {PRAISE if praise else BLAME}: {span}."


def mistaken(label: str | None, verdicts: Mapping[str, float]) -> str:
    """The classifiers whose verdict is not that of the rules; nothing where these give no label."""
    if label is None:
        return ""
    wrong = [title for title, value in verdicts.items() if (value >= EVEN) != (LABELS[label] == PRAISE)]
    return f" Wrong: {', '.join(wrong)}." if wrong else ""


def questions(found: Found) -> tuple[Question | None, ...]:
    """What reading one word is worth."""
    table = found.accuracies
    one_word = table[table["model"] == baselines.LAST_OPINION].set_index("kind")["share"].drop(AMONG)
    return (one_word_is_not_enough(one_word.to_dict()),)


def program(found: Found) -> Program:
    """The verdicts."""
    words = found.review.plain
    return Program(lambda: verdicts_program([words]), "the probability of praise by every classifier")


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    **OF_REVIEW | {"sentence": DIFFERS},
)
