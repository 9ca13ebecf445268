"""Accuracy of a text's last state by how much is read after the word that decides."""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice

import pandas as pd

from core.learning.collection.classifiers import name_of_classifier
from core.learning.evaluation.classification import of_more_frequent_label, right
from core.learning.evaluation.distinct import distinct
from core.learning.tasks.classification import AROUND, Placed, neutral_sentences, placed, reviews
from core.measures.classification.verdicts import share
from core.measures.findings import finding
from core.model.classifier import ClassifierConfig, SequenceClassifier

BY_PLACE = "right by sentences after"
"""What the findings call the shares of `by_place`."""

PLACES = range(AROUND + 1)
"""How many of the neutral sentences stand after the review."""

REVIEWS = 256
"""How many distinct reviews each accuracy comes from: the same everywhere, with the same sentences around."""

SEED = 7


@cache
def asked_about(*, n: int = REVIEWS) -> tuple[tuple[Placed, ...], ...]:
    """The test reviews at every position, with so many of their neutral sentences after them."""
    others = neutral_sentences(SEED, split="test")
    tested = islice(distinct(reviews(SEED, split="test"), by=lambda review: review.words), n)
    drawn = [(review, list(islice(others, AROUND))) for review in tested]
    return tuple(
        tuple(placed(review, around[: AROUND - after], around[AROUND - after :]) for review, around in drawn)
        for after in PLACES
    )


def words_after(*, n: int = REVIEWS) -> list[float]:
    """The mean number of words after the one that decides, for every position."""
    return [
        sum(len(text.words) - 1 - text.deciding for text in texts) / len(texts) for texts in asked_about(n=n)
    ]


def majority(*, n: int = REVIEWS) -> float:
    """The share of the more frequent label, the same at every position: right for who reads nothing."""
    return of_more_frequent_label(asked_about(n=n)[0]) / n


def by_place(model: SequenceClassifier, *, n: int = REVIEWS) -> list[float]:
    """The share of right labels for every position."""
    return [right(model, texts).float().mean().item() for texts in asked_about(n=n)]


def table_by_place(
    classifiers: Mapping[str, ClassifierConfig], load: Callable[[ClassifierConfig], SequenceClassifier]
) -> pd.DataFrame:
    """Accuracies of classifiers of the collection, of which `load` gives those that are to be measured.

    What came with the app is not measured again. Columns: model; after, how many sentences; words, how many
    words in the mean; share; low and high, one standard error below and above.
    """
    rows, counted = [], words_after()
    for title, config in classifiers.items():
        shares = finding(name_of_classifier(config), BY_PLACE) or by_place(load(config))
        for after, words, value in zip(PLACES, counted, shares, strict=True):
            error = share(value, REVIEWS).error
            rows.append((title, after, words, value, value - error, value + error))
    return pd.DataFrame(rows, columns=["model", "after", "words", "share", "low", "high"])
