"""Associative recall: pairs of a letter and a digit, then the letters again as questions."""

from string import ascii_lowercase, digits

import torch
from jaxtyping import Int
from torch import Tensor

from core.learning.tasks.task import IGNORED, Batch, Task, generator
from core.text.language import Split
from core.text.tokenizer import Vocabulary

MOST_PAIRS = 16
LETTERS = ascii_lowercase[:MOST_PAIRS]

MOST_PAIRS_AT_FIRST, STEPS_PER_PAIR = 2, 250
"""Training begins with at most two pairs: a model that starts with sixteen does not learn the task."""


def vocabulary() -> Vocabulary:
    """Return the letters, then the digits."""
    return Vocabulary((*LETTERS, *digits))


def most_pairs(step: int, split: Split) -> int:
    """Return the greatest number of pairs in a batch: few at first in training, always the most in tests."""
    return min(MOST_PAIRS, MOST_PAIRS_AT_FIRST + step // STEPS_PER_PAIR) if split == "train" else MOST_PAIRS


def pairs_and_questions(
    n_pairs: int, size: int, random: torch.Generator
) -> tuple[Int[Tensor, "batch position"], Int[Tensor, "batch query"]]:
    """Return ids k₁ v₁ … kₙ vₙ with every letter again, and the hidden digits that answer these."""
    letters = torch.rand(size, len(LETTERS), generator=random).argsort(dim=1)[:, :n_pairs]
    values = torch.randint(len(digits), (size, n_pairs), generator=random) + len(LETTERS)
    order = torch.rand(size, n_pairs, generator=random).argsort(dim=1)
    pairs = torch.stack([letters, values], dim=-1).flatten(1)
    return torch.cat([pairs, letters.gather(1, order)], dim=1), values.gather(1, order)


def distances(batch: Batch) -> Int[Tensor, "batch position"]:
    """Return how many words back the answer of each position stands; 0 without a question."""
    first = (batch.tokens[:, :, None] == batch.tokens[:, None, :]).int().argmax(dim=2)
    back = torch.arange(batch.tokens.shape[1], device=first.device) - (first + 1)
    return back.where(batch.targets != IGNORED, 0)


def _recall(seed: int, step: int, size: int, split: Split) -> Batch:
    random = generator("recall", split, seed, step)
    n_pairs = int(torch.randint(1, most_pairs(step, split) + 1, (1,), generator=random))
    tokens, answers = pairs_and_questions(n_pairs, size, random)
    targets = torch.full_like(tokens, IGNORED)
    targets[:, 2 * n_pairs :] = answers
    allowed = torch.ones(size, 1, 1, tokens.shape[1], dtype=torch.bool)
    return Batch(tokens, targets, allowed)


RECALL = Task("recall", vocabulary, _recall)
