"""Training as on the page Training: steps per second on the GPU and on one thread of the CPU."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import torch

from bench.gpu.budget import Budget
from core.device import CPU, synchronise
from core.learning.collection.members import transformer
from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe, Training
from core.model.initialisation import initialise
from core.model.models import Transformer

WARM_UPS, STEPS = 10, 60
LEAST = 8.0
"""Seconds that must be left for a training to begin."""

CONFIG = transformer(NEXT_WORD)
"""The default model of the page Training."""

BATCHES = (32, 64)
"""Examples per step: the page's default, and the largest that it allows."""


@dataclass(frozen=True)
class Speed:
    """Steps per second at a batch size, on the device and on the CPU."""

    batch_size: int
    device: float
    cpu: float


def speeds(device: torch.device, budget: Budget, lost: list[str], *, steps: int = STEPS) -> Iterator[Speed]:
    """Yield the speed of each batch size, on both devices in turn; `lost` gets those without time."""
    for size in BATCHES:
        if budget.left < LEAST:
            lost.append(f"training, {size} examples a step: no time was left")
            continue
        runs = {one: _training(one, size, steps).steps() for one in (device, CPU)}
        seconds: dict[torch.device, list[float]] = {one: [] for one in runs}
        for _ in range(WARM_UPS + steps):
            for one, taken in runs.items():
                start = perf_counter()
                next(taken)
                synchronise(one)
                seconds[one].append(perf_counter() - start)
            if budget.left < LEAST / 2:
                break
        found = [median(seconds[one][WARM_UPS:] or seconds[one]) for one in (device, CPU)]
        yield Speed(size, 1 / found[0], 1 / found[1])


def _training(device: torch.device, batch_size: int, steps: int) -> Training:
    model = Transformer(CONFIG)
    initialise(model, seed=0)
    recipe = Recipe(steps=WARM_UPS + steps, batch_size=batch_size)
    return Training(model.to(device), NEXT_WORD, recipe)
