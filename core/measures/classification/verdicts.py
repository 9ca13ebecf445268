"""The verdict of every classifier on a review, and how well each one does on reviews it never met."""

from collections.abc import Mapping
from typing import NamedTuple

import torch

from core.learning.collection.classifiers import classifiers
from core.learning.tasks.words import LABELS
from core.model.classifier import ClassifierConfig
from core.model.recurrent import RecurrentConfig
from core.sources.classifiers import LoadedClassifier
from core.text.language.review_parts import OPINIONS, Parts

POSITIVE = LABELS.index("positive")
EVEN = 0.5
"""The probability at which neither label is likelier; the labels of the language are balanced too."""


SHORT = {"maximum": "max"}
"""Poolings whose name would not fit where a classifier is named."""


class Share(NamedTuple):
    """A share of right answers, and its standard error."""

    value: float
    error: float


def title_of(config: ClassifierConfig) -> str:
    """A classifier in words: `RNN last state`; of the Transformer there is one, which averages its states."""
    encoder = config.encoder
    if isinstance(encoder, RecurrentConfig):
        return f"{encoder.network.upper()} {SHORT.get(config.pooling, config.pooling)}"
    return "Transformer"


CLASSIFIERS: Mapping[str, ClassifierConfig] = {title_of(config): config for config in classifiers().values()}
"""Every classifier of the collection by its title."""


@torch.inference_mode()
def probability(loaded: LoadedClassifier) -> float:
    """The probability of praise."""
    return loaded.model(loaded.tokens).double().softmax(dim=-1)[0, POSITIVE].item()


def share(value: float, n: int) -> Share:
    """A share of `n` answers with its error √((r + 1)(n − r + 1) / (n + 2)³), near that of a binomial.

    Also where all or none of the answers are right, where √(p (1 − p) / n) would be 0: one right and one
    wrong answer are added (the rule of succession).
    """
    smoothed = (value * n + 1) / (n + 2)
    return Share(value, (smoothed * (1 - smoothed) / (n + 2)) ** 0.5)


def by_the_rules(parts: Parts) -> str | None:
    """The label by the rules: the sign of the last opinion, turned round by a negation; None without one."""
    if parts.deciding is None:
        return None
    deciding = next(clause for clause in reversed(parts.clauses) if clause.opinions)
    is_praise = (OPINIONS[parts.words[parts.deciding]] > 0) == (deciding.negation is None)
    return "positive" if is_praise else "negative"
