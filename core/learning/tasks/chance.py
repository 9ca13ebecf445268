"""What can be had without reading a word: how a task goes for whoever only knows its answers."""

from functools import cache
from typing import NamedTuple

import torch

from core.learning.tasks.task import IGNORED, Task

N_BATCHES, SIZE = 16, 64


class Chance(NamedTuple):
    """Loss in nats and accuracy."""

    loss: float
    accuracy: float


@cache
def chance(task: Task) -> Chance:
    """How well someone does who knows how often each answer comes, and nothing else.

    The lowest loss is then the entropy of the answers, and the most frequent one is the best guess.
    """
    targets = torch.cat([task.batch(0, step, SIZE).targets.flatten() for step in range(N_BATCHES)])
    counts = targets[targets != IGNORED].bincount()
    shares = counts[counts > 0] / counts.sum()
    return Chance(loss=float(-(shares * shares.log()).sum()), accuracy=float(shares.max()))
