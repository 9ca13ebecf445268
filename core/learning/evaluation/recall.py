"""Recall accuracy by distance: how well a model remembers a pair some words later."""

from collections.abc import Callable, Mapping
from functools import cache
from string import digits
from types import MappingProxyType

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.device import device_of
from core.learning.evaluation.phenomena import DISTANCES
from core.learning.tasks import IGNORED, RECALL, Batch
from core.learning.tasks.recall import distances
from core.learning.training import Model, predictions

N_BATCHES, SIZE = 64, 32
"""Number of test batches behind each accuracy, and rows of each; one batch has one number of pairs."""


Shares = Float[Tensor, "batch position"] | Bool[Tensor, "batch position"]
"""The credit of an answer at every position: 1 if right, and a fraction for a random choice."""


@torch.inference_mode()
def accuracies(model: Model, *, seed: int = 0, n_batches: int = N_BATCHES) -> dict[str, float]:
    """Return the share of right answers for every group of distances: `recall 1–2`, `recall 3–5` …."""
    device = device_of(model)

    def right(batch: Batch) -> Shares:
        there = batch.to(device)
        return (predictions(model, there).argmax(dim=-1) == there.targets).cpu()

    return _by_distance(right, seed, n_batches)


@cache
def baselines(*, seed: int = 0, n_batches: int = N_BATCHES) -> Mapping[str, float]:
    """Return the shares of always naming the most frequent digit so far, at random among equals."""
    return MappingProxyType(_by_distance(_most_frequent, seed, n_batches))


def _most_frequent(batch: Batch) -> Shares:
    """Return the probability of the right answer at each position for a random most frequent digit."""
    first, *_, last = RECALL.vocabulary().encode(list(digits))[0].tolist()
    values = torch.arange(first, last + 1)
    counts = (batch.tokens[:, :, None] == values).sum(dim=1)
    most = (counts == counts.amax(dim=1, keepdim=True)).float()
    return (most / most.sum(dim=1, keepdim=True)).gather(1, (batch.targets - first).clamp(min=0))


def _by_distance(share: Callable[[Batch], Shares], seed: int, n_batches: int) -> dict[str, float]:
    """Return the mean of the shares of every answer, by its distance in words."""
    batches = [RECALL.batch(seed, step, SIZE, split="test") for step in range(n_batches)]
    asked = [batch.targets != IGNORED for batch in batches]
    back = torch.cat([distances(batch)[there] for batch, there in zip(batches, asked, strict=True)])
    right = torch.cat([share(batch)[there] for batch, there in zip(batches, asked, strict=True)])
    return {
        f"recall {first}–{last}": right[(first <= back) & (back <= last)].float().mean().item()
        for first, last in DISTANCES
    }
