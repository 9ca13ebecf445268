"""Chance: what somebody gets who knows how often each answer comes and nothing else."""

import math

import pytest
import torch

from core.learning.tasks import IGNORED, Batch, Task, chance
from core.text.language import Split
from core.text.tokenizer import Vocabulary


def two_to_one(seed: int, step: int, size: int, split: Split) -> Batch:
    """Where something is asked, the answer is 5 twice as often as 3."""
    targets = torch.tensor([[5, IGNORED, 3], [IGNORED, IGNORED, 5]]).repeat(size // 2, 1)
    return Batch(torch.zeros_like(targets), targets, torch.ones(size, 1, 1, 3, dtype=torch.bool))


def test_it_is_the_entropy_of_the_answers_and_the_share_of_the_most_frequent() -> None:
    found = chance(Task("two to one", lambda: Vocabulary(["a"]), two_to_one))
    assert found.loss == pytest.approx(math.log(3) - 2 / 3 * math.log(2))
    assert found.accuracy == pytest.approx(2 / 3)
