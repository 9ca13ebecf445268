"""What the test reviews give away: to who reads one word or none, and how near they come to training."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from core.learning.collection import MEMBERS
from core.learning.collection.classifiers import name_of_classifier, transformer_classifier
from core.learning.evaluation.classification import (
    KINDS,
    QUESTIONS,
    asked_about,
    near_to_training,
    of_more_frequent_label,
    right_by_last_opinion,
)
from core.learning.tasks.classification import Placed
from core.measures.classification.verdicts import Share, share
from core.measures.findings import finding

ONE_OF_ALL = name_of_classifier(transformer_classifier())
"""A classifier that stands for all where it is about the reviews they learned from and are tested with."""

LAST_OPINION = "last opinion"
"""What tables call who reads the last word of opinion, and no other."""

BY_LAST_OPINION = "right by the last opinion alone, by kind"
MAJORITY = "of the more frequent label, by kind"
NEAR_TO_TRAINING = "test reviews with a neighbour in training, by kind"

Count = Callable[[Sequence[Placed]], int]
COUNTS: Mapping[str, Count] = MappingProxyType(
    {
        BY_LAST_OPINION: right_by_last_opinion,
        MAJORITY: of_more_frequent_label,
        NEAR_TO_TRAINING: partial(near_to_training, recipe=MEMBERS[ONE_OF_ALL].recipe),
    }
)
"""What is counted among the reviews of every kind, by its name in the findings."""


def counted(what: str) -> list[float]:
    """A number of the test reviews of every one of `KINDS`."""
    return [float(COUNTS[what](asked_about(kind))) for kind in KINDS]


def shares(what: str) -> dict[str, Share]:
    """The share of the test reviews of every kind; what came with the app is not counted again."""
    found = finding(ONE_OF_ALL, what) or counted(what)
    return {kind: share(n / QUESTIONS, QUESTIONS) for kind, n in zip(KINDS, found, strict=True)}
