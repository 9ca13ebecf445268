"""What a model still knows of a pair it met some words ago: accuracy on recall by distance."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from core.device import device_of
from core.learning.evaluation.phenomena import DISTANCES
from core.learning.tasks import IGNORED, RECALL, Batch
from core.learning.tasks.recall import distances
from core.learning.training import Model, predictions

N_BATCHES, SIZE = 64, 32
"""How many test batches each accuracy comes from, and rows in each: all of a batch have as many pairs."""


@torch.inference_mode()
def accuracies(model: Model, *, seed: int = 0, n_batches: int = N_BATCHES) -> dict[str, float]:
    """The share of right answers for every group of distances: `recall 1–2`, `recall 3–5` …."""
    device = device_of(model)
    batches = [RECALL.batch(seed, step, SIZE, split="test").to(device) for step in range(n_batches)]
    answered = [_answered(model, batch) for batch in batches]
    back, right = (torch.cat(part) for part in zip(*answered, strict=True))
    return {
        f"recall {first}–{last}": right[(first <= back) & (back <= last)].float().mean().item()
        for first, last in DISTANCES
    }


def _answered(model: Model, batch: Batch) -> tuple[Int[Tensor, "answer"], Bool[Tensor, "answer"]]:
    """For every answer asked for, how many words back it stands and whether the model gives it."""
    asked = batch.targets != IGNORED
    right = predictions(model, batch).argmax(dim=-1) == batch.targets
    return distances(batch)[asked], right[asked]
