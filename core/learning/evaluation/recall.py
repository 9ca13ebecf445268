"""What a model still knows of a pair it met some words ago: accuracy on recall by distance."""

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
"""How many test batches each accuracy comes from, and rows in each: all of a batch have as many pairs."""


Shares = Float[Tensor, "batch position"] | Bool[Tensor, "batch position"]
"""What an answer is worth at every position: 1 if it is right; in between for who draws lots."""


@torch.inference_mode()
def accuracies(model: Model, *, seed: int = 0, n_batches: int = N_BATCHES) -> dict[str, float]:
    """The share of right answers for every group of distances: `recall 1–2`, `recall 3–5` …."""
    device = device_of(model)

    def right(batch: Batch) -> Shares:
        there = batch.to(device)
        return (predictions(model, there).argmax(dim=-1) == there.targets).cpu()

    return _by_distance(right, seed, n_batches)


@cache
def baselines(*, seed: int = 0, n_batches: int = N_BATCHES) -> Mapping[str, float]:
    """Return the shares right for who always names the digit seen most often, of equals one at random."""
    return MappingProxyType(_by_distance(_most_frequent, seed, n_batches))


def _most_frequent(batch: Batch) -> Shares:
    """How probable the answer wanted at each position is, for who draws one of the most frequent digits."""
    first, *_, last = RECALL.vocabulary().encode(list(digits))[0].tolist()
    values = torch.arange(first, last + 1)
    counts = (batch.tokens[:, :, None] == values).sum(dim=1)
    most = (counts == counts.amax(dim=1, keepdim=True)).float()
    return (most / most.sum(dim=1, keepdim=True)).gather(1, (batch.targets - first).clamp(min=0))


def _by_distance(share: Callable[[Batch], Shares], seed: int, n_batches: int) -> dict[str, float]:
    """The mean of the shares of every answer asked for, by how many words back it stands."""
    batches = [RECALL.batch(seed, step, SIZE, split="test") for step in range(n_batches)]
    asked = [batch.targets != IGNORED for batch in batches]
    back = torch.cat([distances(batch)[there] for batch, there in zip(batches, asked, strict=True)])
    right = torch.cat([share(batch)[there] for batch, there in zip(batches, asked, strict=True)])
    return {
        f"recall {first}–{last}": right[(first <= back) & (back <= last)].float().mean().item()
        for first, last in DISTANCES
    }
