"""A short training of deep models that differ in where layer norm stands: who learns at all?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe, Training
from core.model.config import NORMS, ModelConfig, Norm
from core.model.initialisation import initialise
from core.model.models import Transformer

DEPTHS = (2, 4, 8, 12)
"""The numbers of layers that can be trained while somebody waits."""

D_MODEL = 32
RECIPE = Recipe(steps=60, batch_size=16, learning_rate=0.01, warm_up=1)
"""No warm-up: it is what post-norm needs and pre-norm does not (Xiong et al. 2020)."""


LAST = 10
"""Over so many steps at the end the loss is averaged: batches differ."""


@dataclass(frozen=True)
class Loss:
    """The mean cross-entropy in nats of a step's batch before the weights moved; steps count from 1."""

    norm: Norm
    step: int
    loss: float


def short_training(
    config: ModelConfig, *, n_layers: int, seed: int, norms: Sequence[Norm] = NORMS
) -> Iterator[Loss]:
    """Train a small model for each norm on the next word of the language, all on the same batches.

    They are alike in everything but `config.norm`; of `config` the width, the mask and the vocabulary do not
    count. Runs on the CPU, where models so small are fastest.
    """
    for norm in norms:
        model = Transformer(small(config, norm, n_layers=n_layers))
        initialise(model, seed=seed)
        for step in Training(model, NEXT_WORD, replace(RECIPE, seed=seed)).steps():
            yield Loss(norm, step.step, step.loss)


def last_losses(losses: Iterable[Loss]) -> dict[Norm, float]:
    """The mean loss of each model over its last `LAST` steps; not a number where one of these is none."""
    last: dict[Norm, list[float]] = {}
    for one in losses:
        if one.step > RECIPE.steps - LAST:
            last.setdefault(one.norm, []).append(one.loss)
    return {norm: fmean(found) for norm, found in last.items()}


def small(config: ModelConfig, norm: Norm, *, n_layers: int) -> ModelConfig:
    """The model that is trained for `norm`: narrow, and with the switches of `config`."""
    return replace(
        config,
        vocab_size=len(NEXT_WORD.vocabulary()),
        d_model=D_MODEL,
        d_mlp=None,
        n_layers=n_layers,
        norm=norm,
        mask="causal",
        tied=True,
    )
