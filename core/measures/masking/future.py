"""Cheating by attending to the future: next-word losses with the mask and without it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.device import choose_device
from core.learning.collection import path_of
from core.learning.collection.members import transformer
from core.learning.tasks import IGNORED, NEXT_WORD
from core.learning.training import Model, Recipe, Training
from core.measures.findings import is_measured, stored_measurement
from core.model.forward import forward_pass, masked_with
from core.model.initialisation import initialise
from core.model.masks.combining import bidirectional, causal
from core.model.models import Transformer
from core.text import language

HONEST = "honest"
"""Name of the model that learns beside the cheat, but under the mask."""

TRAINED, BLINDFOLD_OFF, CHEAT, BLINDFOLDED = SETTINGS = (
    "fully trained",
    "fully trained, mask off",
    "cheat",
    "cheat, mask on",
)
"""A model trained under the causal mask, read with it and without it, and a model trained without it."""

READ_MASKED = {TRAINED: True, BLINDFOLD_OFF: False, CHEAT: False, BLINDFOLDED: True}

STEPS, AVERAGED = 200, 10
"""Steps of training in `learn`, and steps over which losses are averaged."""

N_TESTED = 128
"""Number of unseen sentences over which a loss is averaged."""

UNSEEN = "loss on unseen sentences, with the mask and without"
"""The name of a model's losses on unseen sentences in the findings."""


@dataclass(frozen=True, eq=False)
class MaskComparison:
    """Two models trained with the same steps on the same sentences, with and without the mask.

    `losses` has the columns model, step and loss, the mean in nats of ten steps. Only the cheat is kept;
    `name` is the name of its file, if it was shipped.
    """

    losses: pd.DataFrame
    cheat: Transformer
    name: str | None = None


def load_or_learn(load: Callable[[], Model]) -> MaskComparison:
    """Return the shipped result, whose model `load` gives, or else the result of `learn`."""
    curves = {model: stored_measurement(CHEAT, model) or [] for model in (HONEST, CHEAT)}
    if not all(curves.values()):
        return learn()
    cheat = load()
    assert isinstance(cheat, Transformer)
    knows_the_words = cheat.config.vocab_size == len(NEXT_WORD.vocabulary())
    return (
        MaskComparison(_table(curves, STEPS), cheat.to(choose_device()), CHEAT)
        if knows_the_words
        else learn()
    )


def is_another(learned: MaskComparison) -> bool:
    """Return whether the model was trained here although a file exists, and so is not the measured one."""
    return learned.name is None and path_of(CHEAT).exists() and not is_measured(CHEAT)


def learn(*, steps: int = STEPS) -> MaskComparison:
    """Train two small models to predict the next word, one of which may attend to it."""
    curves: dict[str, list[float]] = {}
    for name, mask in ((HONEST, "causal"), (CHEAT, "bidirectional")):
        model = Transformer(transformer(NEXT_WORD, positions="rotary", mask=mask))
        initialise(model, seed=0)
        training = Training(model.to(choose_device()), NEXT_WORD, recipe_of(steps))
        losses = np.array([step.loss for step in training.steps()])
        curves[name] = [float(losses[at : at + AVERAGED].mean()) for at in range(0, steps, AVERAGED)]
    return MaskComparison(_table(curves, steps), model.eval().requires_grad_(False))


def recipe_of(steps: int) -> Recipe:
    """Return the recipe of the trainings with and without the mask."""
    return Recipe(steps=steps, batch_size=16, warm_up=50)


def _table(curves: Mapping[str, Sequence[float]], steps: int) -> pd.DataFrame:
    ends = np.minimum(np.arange(AVERAGED, steps + AVERAGED, AVERAGED), steps)
    parts = [pd.DataFrame({"model": name, "step": ends, "loss": curve}) for name, curve in curves.items()]
    return pd.concat(parts, ignore_index=True)


def settings(trained: Transformer, learned: MaskComparison) -> dict[str, Transformer]:
    """Return the model of each of the `SETTINGS`."""
    return {TRAINED: trained, BLINDFOLD_OFF: trained, CHEAT: learned.cheat, BLINDFOLDED: learned.cheat}


def sentence_losses(
    words: Sequence[str], models: Mapping[str, Transformer]
) -> Float[np.ndarray, "setting word"]:
    """Return −log p of every word in nats in every setting; NaN for the first word and unknown ones."""
    encoding = language.encode(words)
    targets = torch.full_like(encoding.tokens, IGNORED)
    targets[:, :-1] = encoding.tokens[:, 1:]
    targets[:, [position - 1 for position in encoding.unknown if position]] = IGNORED
    found = np.full((len(models), len(words)), np.nan)
    for row, (setting, model) in zip(found, models.items(), strict=True):
        losses = _losses(model, encoding.tokens, targets, READ_MASKED[setting], None)[0].cpu().numpy()
        asked = np.flatnonzero(targets[0].numpy() != IGNORED)
        row[asked + 1] = losses[asked]
    return found


def tested(trained: Transformer, name: str | None, learned: MaskComparison) -> dict[str, float]:
    """Return `unseen_losses` by setting; `name` is the trained member's, whose findings are used."""
    models = settings(trained, learned)
    known: dict[str, float] = {}
    for measured, (masked, unmasked) in (
        (name, (TRAINED, BLINDFOLD_OFF)),
        (learned.name, (BLINDFOLDED, CHEAT)),
    ):
        values = stored_measurement(measured, UNSEEN) if measured else None
        known |= zip((masked, unmasked), values, strict=True) if values else {}
    missing = {setting: model for setting, model in models.items() if setting not in known}
    known |= unseen_losses(missing)
    return {setting: known[setting] for setting in SETTINGS}


def with_mask_and_without(model: Transformer) -> list[float]:
    """Return the model's mean losses, in nats per word, on unseen sentences."""
    return list(unseen_losses({TRAINED: model, BLINDFOLD_OFF: model}).values())


def unseen_losses(models: Mapping[str, Transformer]) -> dict[str, float]:
    """Return the mean loss in nats per word of every setting on unseen sentences."""
    batches = NEXT_WORD.batch(0, 0, N_TESTED, split="test").parts()
    n_scored = sum(int((part.targets != IGNORED).sum()) for part in batches)
    return {
        setting: sum(
            float(_losses(model, part.tokens, part.targets, READ_MASKED[setting], part.allowed).sum())
            for part in batches
        )
        / n_scored
        for setting, model in models.items()
    }


@torch.inference_mode()
def _losses(
    model: Transformer,
    tokens: Int[Tensor, "batch position"],
    targets: Int[Tensor, "batch position"],
    masked: bool,
    there: Bool[Tensor, "batch 1 1 position"] | None,
) -> Float[Tensor, "batch position"]:
    """Return the loss at every position, 0 without a target, with or without the causal mask."""
    device = model.embed.weight.device
    n = tokens.shape[1]
    allowed = (causal if masked else bidirectional)(n, n, device=device)
    if there is not None:
        allowed = allowed & there.to(device)
    forward = forward_pass(model, tokens.to(device), edits=masked_with(allowed, model.config))
    return cross_entropy(forward.logits.mT, targets.to(device), reduction="none")
