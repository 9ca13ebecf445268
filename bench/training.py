"""Cost of training our Transformer: examples per second beside torch's encoder of the same size."""

from statistics import median
from time import perf_counter
from typing import Any

from bench.forward import Reference
from core.learning.collection.members import transformer
from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe, Training
from core.model.initialisation import initialise
from core.model.models import Transformer

STEPS = 120
WARM_UPS = 10


def examples_per_second() -> dict[str, float]:
    """Return median examples per second of `ours` and of `torch`, with the same batches in turn."""
    config, recipe = transformer(NEXT_WORD, positions="none"), Recipe(steps=STEPS)
    ours = Transformer(config)
    initialise(ours, seed=recipe.seed)
    models: dict[str, Any] = {"ours": ours, "torch": Reference(config)}
    runs = {name: Training(model, NEXT_WORD, recipe).steps() for name, model in models.items()}
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(STEPS):
        for name, steps in runs.items():
            start = perf_counter()
            next(steps)
            speeds[name].append(recipe.batch_size / (perf_counter() - start))
    return {name: median(measured[WARM_UPS:]) for name, measured in speeds.items()}
