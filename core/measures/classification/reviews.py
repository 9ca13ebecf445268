"""Classifiers on a review: probabilities, contributions of words, and baselines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from core.arrays import array_of, read_only
from core.learning.collection import MEMBERS
from core.learning.collection.classifiers import classifiers, name_of_classifier, transformer_classifier
from core.learning.evaluation.classification import (
    KINDS,
    QUESTIONS,
    evaluation_reviews,
    near_to_training,
    of_more_frequent_label,
    right_by_last_opinion,
)
from core.learning.tasks.classification import NEUTRAL, PlacedReview
from core.learning.tasks.words import LABELS
from core.measures.findings import stored_measurement
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.model.models import Stack
from core.model.recurrent import RecurrentConfig
from core.model.trace import Trace
from core.sources.trained import LoadedClassifier
from core.text.language import UNKNOWN, vocabulary
from core.text.language.parsing import readings
from core.text.language.review_parts import OPINIONS, STOP, Parts, held_out_kinds

REVIEW = "review"


def is_made_by_grammar(words: Sequence[str]) -> bool:
    """Return whether these words are one review, alone or among neutral sentences with full stops."""
    found = [{reading.construction for reading in readings(sentence)} for sentence in _sentences(words)]
    others = [constructions for constructions in found if REVIEW not in constructions]
    return len(found) - len(others) == 1 and all(not each.isdisjoint(NEUTRAL) for each in others)


def training_had(words: Sequence[str]) -> bool:
    """Return whether training can have had this kind of review."""
    return is_made_by_grammar(words) and not held_out_kinds(words)


def _sentences(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words up to each full stop and with it; words after the last one are a sentence too."""
    start = 0
    for at, word in enumerate(words):
        if word == STOP:
            yield words[start : at + 1]
            start = at + 1
    if start < len(words):
        yield words[start:]


POSITIVE = LABELS.index("positive")
EVEN = 0.5
"""The probability at which neither label is likelier; the labels of the language are balanced too."""


SHORT = {"maximum": "max"}
"""Short names of poolings for the titles of classifiers."""


class Share(NamedTuple):
    """A share of right answers, and its standard error."""

    value: float
    error: float


def place_of(config: ClassifierConfig) -> tuple[str, str]:
    """Return the names of a classifier's network and of its pooling."""
    encoder = config.encoder
    network = encoder.network.upper() if isinstance(encoder, RecurrentConfig) else "Transformer"
    return network, SHORT.get(config.pooling, config.pooling)


def title_of(config: ClassifierConfig) -> str:
    """Return the title of a classifier, such as `RNN (last state)`; there is one Transformer."""
    network, pooling = place_of(config)
    return network if network == "Transformer" else f"{network} ({pooling})"


CLASSIFIERS: Mapping[str, ClassifierConfig] = {title_of(config): config for config in classifiers().values()}


@torch.inference_mode()
def probability(loaded: LoadedClassifier) -> float:
    """Return the probability of praise."""
    return loaded.model(loaded.tokens).double().softmax(dim=-1)[0, POSITIVE].item()


def share(value: float, n: int) -> Share:
    """Return a share of `n` answers and its error, smoothed by the rule of succession."""
    smoothed = (value * n + 1) / (n + 2)
    return Share(value, (smoothed * (1 - smoothed) / (n + 2)) ** 0.5)


def by_the_rules(parts: Parts) -> str | None:
    """Return the label by the rules: the last opinion, reversed by a negation; None without an opinion."""
    if parts.deciding is None:
        return None
    is_praise = (OPINIONS[parts.words[parts.deciding]] > 0) == (parts.reversing is None)
    return "positive" if is_praise else "negative"


EMBED = "encoder.embed"
PATTERN = "encoder.blocks.0.attention.pattern"

ROUNDING = 1e-5
"""Difference of log-odds that may be rounding: 32-bit sums of about 10."""

Tokens = Int[Tensor, "1 position"]
Each = Float[np.ndarray, "position"]


@dataclass(frozen=True, eq=False)
class Contributions:
    """Contributions of every word; rounding counts as 0, and models without attention have no weights."""

    log_odds: float
    ablation: Each
    gradient: Each
    attention: Each | None


def contributions(loaded: LoadedClassifier) -> Contributions:
    """Return the contribution of each word by ablation, gradient and attention."""
    unknown = vocabulary().encode([UNKNOWN]).item()
    model, tokens = loaded.model, loaded.tokens
    return Contributions(
        log_odds=float(_log_odds(model(tokens))),
        ablation=_without_rounding(by_ablation(model, tokens, instead=int(unknown))),
        gradient=_without_rounding(by_gradient(model, tokens)),
        attention=by_attention(model, tokens),
    )


@torch.inference_mode()
def by_ablation(model: SequenceClassifier, tokens: Tokens, *, instead: int) -> Each:
    """Return the fall of the log-odds when each word is replaced by the token `instead`; 0 for it."""
    n = tokens.shape[1]
    without = tokens.repeat(n, 1)
    without.fill_diagonal_(instead)
    fall = _log_odds(model(tokens)) - _log_odds(model(without))
    return array_of(fall.masked_fill(tokens[0] == instead, 0))


def by_gradient(model: SequenceClassifier, tokens: Tokens) -> Each:
    """Return ∂ log-odds / ∂e_i · e_i for the word vector e_i of each word: its part of a linear model."""
    trace = Trace(edits={EMBED: lambda vectors: vectors.detach().requires_grad_()}, keep=[EMBED])
    with torch.inference_mode(mode=False), torch.enable_grad():
        log_odds = _log_odds(model(tokens.clone(), trace=trace))
        (gradient,) = torch.autograd.grad(log_odds.sum(), trace[EMBED])
    return array_of((gradient * trace[EMBED].detach()).sum(dim=-1)[0])


@torch.inference_mode()
def by_attention(model: SequenceClassifier, tokens: Tokens) -> Each | None:
    """Return each word's mean weight over heads and queries of the first layer; None without attention."""
    if not isinstance(model.encoder, Stack):
        return None
    trace = Trace(keep=[PATTERN])
    model(tokens, trace=trace)
    return array_of(trace[PATTERN][0].mean(dim=(0, 1)))


def _log_odds(logits: Float[Tensor, "batch label"]) -> Float[Tensor, "batch"]:
    return logits[:, POSITIVE] - logits[:, 1 - POSITIVE]


def _without_rounding(values: Each) -> Each:
    return read_only(np.where(np.abs(values) < ROUNDING, 0, values))


def leaders(values: Each) -> tuple[int, ...]:
    """Return the positions of the largest magnitudes: several if they are equal, none if all are 0."""
    sizes = np.abs(values)
    if not sizes.any():
        return ()
    return tuple(np.flatnonzero(sizes > sizes.max() - ROUNDING).tolist())


ONE_OF_ALL = name_of_classifier(transformer_classifier())
"""A classifier that represents all in statements about their training and test reviews, which are shared."""

LAST_OPINION = "last opinion"
"""Name in tables of the baseline that reads only the last word of opinion."""

BY_LAST_OPINION = "right by the last opinion alone, by kind"
MAJORITY = "of the more frequent label, by kind"
NEAR_TO_TRAINING = "test reviews with a neighbour in training, by kind"

Count = Callable[[Sequence[PlacedReview]], int]
COUNTS: Mapping[str, Count] = {
    BY_LAST_OPINION: right_by_last_opinion,
    MAJORITY: of_more_frequent_label,
    NEAR_TO_TRAINING: partial(near_to_training, recipe=MEMBERS[ONE_OF_ALL].recipe),
}
"""Counts over the reviews of every kind, by their names in the findings."""


def counted(what: str) -> list[float]:
    """Return the counts of this name over the test reviews of every kind."""
    return [float(COUNTS[what](evaluation_reviews(kind))) for kind in KINDS]


def shares(what: str) -> dict[str, Share]:
    """Return the share of the test reviews of every kind, from the shipped counts if there are any."""
    found = stored_measurement(ONE_OF_ALL, what) or counted(what)
    return {kind: share(n / QUESTIONS, QUESTIONS) for kind, n in zip(KINDS, found, strict=True)}
