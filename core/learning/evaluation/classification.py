"""Accuracy of classifiers by kind of review, and baselines that read only a part of it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, islice

import torch
from jaxtyping import Bool
from torch import Tensor

from core.device import device_of
from core.learning.evaluation.phenomena import distinct
from core.learning.tasks.classification import (
    PlacedReview,
    isolated_reviews,
    label_batch,
    reviews_of_batch,
    surrounded_reviews,
)
from core.learning.training import Recipe, predictions
from core.model.classifier import SequenceClassifier
from core.text.language.review_parts import HELD_OUT, OPINIONS
from core.text.translation import with_a_neighbour

SEEN = "kinds seen"
"""Record's name of the accuracy on test reviews of the kinds in training, each review alone."""

AMONG = "kinds seen, among sentences"
"""Record's name of the accuracy on such reviews among sentences without an opinion, as in training."""

KINDS = (SEEN, AMONG, *HELD_OUT)
"""Names of all accuracies; held-out kinds are listed too, so that every record has them."""

QUESTIONS = 512
"""Number of distinct reviews behind each accuracy."""

AT_ONCE = 128


@cache
def evaluation_reviews(kind: str, *, seed: int = 0, n: int = QUESTIONS) -> tuple[PlacedReview, ...]:
    """Return the distinct test reviews behind an accuracy; the grammar repeats many."""
    if kind == AMONG:
        drawn = surrounded_reviews(seed, split="test")
    else:
        drawn = isolated_reviews(seed, split="test", held_out=kind if kind in HELD_OUT else None)
    return tuple(islice(distinct(drawn, by=lambda text: text.review.words), n))


@torch.inference_mode()
def correct(model: SequenceClassifier, texts: Sequence[PlacedReview]) -> Bool[Tensor, "review"]:
    """Return whether the model labels each review correctly."""
    device, found = device_of(model), []
    for start in range(0, len(texts), AT_ONCE):
        batch = label_batch(texts[start : start + AT_ONCE]).to(device)
        found.append(predictions(model, batch).argmax(dim=-1) == batch.targets)
    return torch.cat(found).cpu()


def accuracies(model: SequenceClassifier, *, seed: int = 0, n: int = QUESTIONS) -> dict[str, float]:
    """Return the share of right labels by the names of `KINDS`."""
    return {
        kind: correct(model, evaluation_reviews(kind, seed=seed, n=n)).float().mean().item() for kind in KINDS
    }


def right_by_last_opinion(texts: Iterable[PlacedReview]) -> int:
    """Return how many reviews the last opinion word alone labels correctly."""
    return sum(
        (OPINIONS[text.words[text.deciding]] > 0) == (text.review.label == "positive") for text in texts
    )


def of_more_frequent_label(texts: Iterable[PlacedReview]) -> int:
    """Return how many reviews have the most frequent label: correct without reading."""
    return max(Counter(text.review.label for text in texts).values())


def near_to_training(texts: Sequence[PlacedReview], recipe: Recipe) -> int:
    """Count the reviews that differ from a training review in at most one word."""
    batches = (reviews_of_batch(recipe.seed, step, recipe.batch_size) for step in range(recipe.steps))
    return sum(with_a_neighbour((text.review for text in texts), chain.from_iterable(batches)))
