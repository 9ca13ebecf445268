"""Accuracy on recall by distance, of models whose answers are known beforehand."""

from collections import Counter
from collections.abc import Collection
from typing import cast

import pytest
import torch
from torch import Tensor, nn

from core.learning.evaluation.phenomena import DISTANCES
from core.learning.evaluation.recall import accuracies, baselines
from core.learning.tasks import RECALL
from core.learning.training import Model
from tests.covering import each

DIGIT_0 = 16


class Knowing(nn.Module):
    """A model that names the right digit if its distance is among `known`, and else the next digit."""

    def __init__(self, known: Collection[int]) -> None:
        super().__init__()
        self.known = known
        self.device_of = nn.Parameter(torch.zeros(()))

    def forward(self, tokens: Tensor) -> Tensor:
        logits = torch.zeros(*tokens.shape, len(RECALL.vocabulary()))
        for row, words in enumerate(tokens.tolist()):
            for place, letter in enumerate(words):
                digit_at = words.index(letter) + 1
                if digit_at >= place or letter >= DIGIT_0:
                    continue
                digit = words[digit_at]
                wrong = DIGIT_0 + (digit - DIGIT_0 + 1) % 10
                logits[row, place, digit if place - digit_at in self.known else wrong] = 1
        return logits


@each("reach", [0, 10, 48])
def test_a_model_is_right_up_to_its_reach_and_no_further(reach: int) -> None:
    found = accuracies(cast(Model, Knowing(range(reach + 1))), n_batches=24)
    assert list(found) == [f"recall {first}–{last}" for first, last in DISTANCES]
    assert list(found.values()) == [float(last <= reach) for _, last in DISTANCES]


class Counting(nn.Module):
    """A model that names a digit seen most often so far, whatever the letter, or one of several at random."""

    def __init__(self) -> None:
        super().__init__()
        self.device_of = nn.Parameter(torch.zeros(()))
        self.dice = torch.Generator().manual_seed(1)

    def forward(self, tokens: Tensor) -> Tensor:
        logits = torch.rand(*tokens.shape, len(RECALL.vocabulary()), generator=self.dice)
        for row, words in enumerate(tokens.tolist()):
            for digit, times in Counter(word for word in words if word >= DIGIT_0).items():
                logits[row, :, digit] += times
        return logits


def test_the_baseline_is_the_score_of_counting_digits() -> None:
    runs = [accuracies(cast(Model, Counting()), n_batches=24) for _ in range(2)]
    for group, share in baselines(n_batches=24).items():
        assert sum(run[group] for run in runs) / len(runs) == pytest.approx(share, abs=0.03)
