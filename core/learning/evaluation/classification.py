"""Accuracy of classifiers by kind of review, and what the reviews give away to who reads less."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, islice

import torch
from jaxtyping import Bool
from torch import Tensor

from core.device import device_of
from core.learning.evaluation.phenomena import distinct
from core.learning.tasks.classification import Placed, alone, label_batch, reviews_of_batch, surrounded
from core.learning.training import Recipe, predictions
from core.model.classifier import SequenceClassifier
from core.text.language.review_parts import HELD_OUT, OPINIONS
from core.text.translation import with_a_neighbour

SEEN = "kinds seen"
"""What the record calls the accuracy on test reviews of the kinds that training has, each alone."""

AMONG = "kinds seen, among sentences"
"""What the record calls the accuracy on those reviews among sentences without an opinion, as in training."""

KINDS = (SEEN, AMONG, *HELD_OUT)
"""Everything accuracies are given for: what is held out stands alone too, so that no model forgets it."""

QUESTIONS = 512
"""How many distinct reviews each accuracy comes from."""

AT_ONCE = 128


@cache
def asked_about(kind: str, *, seed: int = 0, n: int = QUESTIONS) -> tuple[Placed, ...]:
    """The test reviews behind an accuracy, none of them twice: the grammar makes many again and again."""
    if kind == AMONG:
        drawn = surrounded(seed, split="test")
    else:
        drawn = alone(seed, split="test", held_out=kind if kind in HELD_OUT else None)
    return tuple(islice(distinct(drawn, by=lambda text: text.review.words), n))


@torch.inference_mode()
def right(model: SequenceClassifier, texts: Sequence[Placed]) -> Bool[Tensor, "review"]:
    device, found = device_of(model), []
    for start in range(0, len(texts), AT_ONCE):
        batch = label_batch(texts[start : start + AT_ONCE]).to(device)
        found.append(predictions(model, batch).argmax(dim=-1) == batch.targets)
    return torch.cat(found).cpu()


def accuracies(model: SequenceClassifier, *, seed: int = 0, n: int = QUESTIONS) -> dict[str, float]:
    """The share of right labels by the names of `KINDS`."""
    return {kind: right(model, asked_about(kind, seed=seed, n=n)).float().mean().item() for kind in KINDS}


def right_by_last_opinion(texts: Iterable[Placed]) -> int:
    """How many reviews get their own label from who reads the last word of opinion in them, and no other."""
    return sum(
        (OPINIONS[text.words[text.deciding]] > 0) == (text.review.label == "positive") for text in texts
    )


def of_more_frequent_label(texts: Iterable[Placed]) -> int:
    """How many reviews have the label that most of them have: right for who reads nothing."""
    return max(Counter(text.review.label for text in texts).values())


def near_to_training(texts: Sequence[Placed], recipe: Recipe) -> int:
    """Count the reviews that differ from a review of this training in one word, or in none."""
    batches = (reviews_of_batch(recipe.seed, step, recipe.batch_size) for step in range(recipe.steps))
    return sum(with_a_neighbour((text.review for text in texts), chain.from_iterable(batches)))
