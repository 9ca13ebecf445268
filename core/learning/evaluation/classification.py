"""What a classifier has learned: accuracy on reviews of the kinds it met and of each kind held out."""

from collections.abc import Sequence
from functools import cache
from itertools import islice

import torch
from jaxtyping import Bool
from torch import Tensor

from core.classifier import SequenceClassifier
from core.device import device_of
from core.learning.tasks.classification import Placed, alone, label_batch, surrounded
from core.learning.training import predictions
from core.text.language.review_parts import HELD_OUT

SEEN = "kinds seen"
"""What the record calls the accuracy on test reviews of the kinds that training has, each alone."""

AMONG = "kinds seen, among sentences"
"""The same reviews among sentences without an opinion, as in training."""

KINDS = (SEEN, AMONG, *HELD_OUT)
"""Everything accuracies are given for: what is held out stands alone too, so that no model forgets it."""

QUESTIONS = 512
"""How many reviews each accuracy comes from."""

AT_ONCE = 128


@cache
def asked_about(kind: str, *, seed: int = 0, n: int = QUESTIONS) -> tuple[Placed, ...]:
    """The test reviews behind an accuracy."""
    if kind == AMONG:
        return tuple(islice(surrounded(seed, split="test"), n))
    return tuple(islice(alone(seed, split="test", held_out=kind if kind in HELD_OUT else None), n))


@torch.inference_mode()
def right(model: SequenceClassifier, texts: Sequence[Placed]) -> Bool[Tensor, "review"]:
    """Which of these reviews get their own label."""
    device, found = device_of(model), []
    for start in range(0, len(texts), AT_ONCE):
        batch = label_batch(texts[start : start + AT_ONCE]).to(device)
        found.append(predictions(model, batch).argmax(dim=-1) == batch.targets)
    return torch.cat(found).cpu()


def accuracies(model: SequenceClassifier, *, seed: int = 0, n: int = QUESTIONS) -> dict[str, float]:
    """The share of right labels by the names of `KINDS`."""
    return {kind: right(model, asked_about(kind, seed=seed, n=n)).float().mean().item() for kind in KINDS}
