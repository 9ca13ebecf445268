"""Training: one plain loop that yields a record of every step."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import AdamW

from core.device import device_of
from core.learning.tasks import IGNORED, Batch, NextWordBatch, PairBatch, Performance, Task
from core.model.classifier import SequenceClassifier
from core.model.masks import MASKS, Given, Mask
from core.model.models import EncoderDecoder, Transformer
from core.model.recurrent import RecurrentLanguageModel
from core.model.recurrent_pair import RecurrentEncoderDecoder

Pair = EncoderDecoder | RecurrentEncoderDecoder
Model = Transformer | RecurrentLanguageModel | SequenceClassifier | Pair

N_BATCHES, TESTED_TOGETHER = 16, 64
"""Batches of unseen sentences, and rows in a batch."""

N_MEASURED = N_BATCHES * TESTED_TOGETHER
"""Rows in all over which loss and accuracy on unseen sentences are averaged."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Training of a model: AdamW, a linear warm-up, then a cosine down to a twentieth of `learning_rate`."""

    steps: int = 4000
    batch_size: int = 32
    learning_rate: float = 5e-3
    warm_up: int = 100
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("steps", "batch_size", "learning_rate", "warm_up", "clip"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")

    def learning_rate_at(self, step: int) -> float:
        cosine = (1 + math.cos(math.pi * min(1.0, step / self.steps))) / 2
        return self.learning_rate * min(1.0, (step + 1) / self.warm_up) * (0.05 + 0.95 * cosine)


@dataclass(frozen=True, kw_only=True)
class TrainingStep:
    """Loss in nats and gradient norm before clipping of one step, before the weights change."""

    step: int
    loss: float
    accuracy: float
    gradient_norm: float
    learning_rate: float


class Training:
    """A model trained in place, on its own device."""

    def __init__(self, model: Model, task: Task, recipe: Recipe) -> None:
        self.model = model
        self.task = task
        self.recipe = recipe
        self.step = 0
        self.optimiser = AdamW(
            model.parameters(),
            lr=recipe.learning_rate,
            betas=(0.9, 0.98),
            weight_decay=recipe.weight_decay,
            fused=True,  # one pass over each parameter is faster
        )

    def steps(self) -> Iterator[TrainingStep]:
        """Take the remaining steps, and yield the record of each."""
        while self.step < self.recipe.steps:
            yield self._take()

    def _take(self) -> TrainingStep:
        recipe, device = self.recipe, device_of(self.model)
        batch = self.task.batch(recipe.seed, self.step, recipe.batch_size).to(device)
        rate = recipe.learning_rate_at(self.step)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad()
        loss, accuracy = self._learn_from(batch)
        gradient_norm = nn.utils.clip_grad_norm_(self.model.parameters(), recipe.clip)
        self.optimiser.step()
        self.step += 1
        return TrainingStep(
            step=self.step,
            loss=loss,
            accuracy=accuracy,
            gradient_norm=gradient_norm.item(),
            learning_rate=rate,
        )

    def _learn_from(self, batch: Batch) -> tuple[float, float]:
        n_scored = int(scored_positions(self.model, batch).sum())
        loss, n_right = 0.0, 0
        for part in batch.parts():
            answers = evaluate_batch(self.model, part)
            torch.autograd.backward(answers.loss / n_scored)
            loss, n_right = loss + answers.loss.item(), n_right + answers.n_right
        return loss / n_scored, n_right / n_scored


class BatchResult(NamedTuple):
    """Result of a model on a batch: cross-entropy in nats, summed over the words asked for, and hits."""

    loss: Float[Tensor, ""]
    n_right: int
    n_scored: int


def evaluate_batch(model: Model, batch: Batch) -> BatchResult:
    """Return the loss and the hits of a model on a batch."""
    where = scored_positions(model, batch)
    logits, targets = predictions(model, batch)[where], batch.targets[where]
    n_right = int((logits.argmax(dim=-1) == targets).sum())
    return BatchResult(cross_entropy(logits, targets, reduction="sum"), n_right, len(targets))


def scored_positions(model: Model, batch: Batch) -> Bool[Tensor, "batch *position"]:
    """Return the positions at which `model` is asked: with a next-word mask, those whose answer it hides."""
    wanted = batch.targets != IGNORED
    if not isinstance(batch, NextWordBatch) or not looks_ahead(model):
        return wanted
    mask, tokens = MASKS[model.config.mask], batch.tokens
    return wanted & mask.asks(tokens.shape[1], given=given_words(mask, batch), device=tokens.device)


def given_words(mask: Mask, batch: Batch) -> Given:
    """Return the number of words at the beginning of each row that a mask may show to all words."""
    if isinstance(batch, NextWordBatch) and batch.given is not None:
        return batch.given
    return mask.given(batch.allowed[:, 0, 0].sum(dim=1))


def predictions(model: Model, batch: Batch) -> Float[Tensor, "batch *position vocab"]:
    """Return logits at every position, or logits of the labels of every row for a classifier."""
    # Padding comes last: only a model that looks ahead, or pools, could see it.
    if isinstance(batch, PairBatch):
        return model((batch.source, batch.tokens), source_allowed=batch.source_allowed)
    if isinstance(model, SequenceClassifier):
        return model(batch.tokens, allowed=batch.allowed)
    if looks_ahead(model):
        given = given_words(MASKS[model.config.mask], batch)
        return model(batch.tokens, allowed=batch.allowed, given=given)
    return model(batch.tokens)


def looks_ahead(model: Model) -> TypeGuard[Transformer]:
    """Return whether a state of this model may depend on later words."""
    return isinstance(model, Transformer) and model.config.looks_ahead


@torch.inference_mode()
def measure(
    model: Model, task: Task, *, n_batches: int = N_BATCHES, size: int = TESTED_TOGETHER
) -> Performance:
    """Return loss in nats and accuracy on unseen sentences."""
    device = device_of(model)
    answers = [
        evaluate_batch(model, part)
        for step in range(n_batches)
        for part in task.batch(0, step, size, split="test").to(device).parts()
    ]
    n_scored = sum(each.n_scored for each in answers)
    loss, n_right = sum(each.loss.item() for each in answers), sum(each.n_right for each in answers)
    return Performance(loss / n_scored, n_right / n_scored)
