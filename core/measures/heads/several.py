"""What several heads can do that one cannot."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.learning.checkpoints import Record
from core.learning.collection.members import HEADS
from core.measures.reading import read
from core.model.config import ModelConfig
from core.model.initialisation import normal
from core.sources import LoadedModel
from core.store import stored

WORDS = ("Maria", "met", "Zuko")
ASKED = (0, 2)
"""Positions of the two words whose contents are asked for."""

WIDTH, STEPS, RATE, SEED = 4, 300, 0.5, 0

Mixing = Float[Tensor, "answer word"]


def task() -> Mixing:
    """The matrix that turns contents into the two answers."""
    return torch.eye(len(WORDS))[list(ASKED)]


def lost(mixing: Mixing) -> Float[Tensor, "answer"]:
    """The share of each content's variance that the answer misses, whatever the contents are."""
    return (mixing - task()).square().sum(dim=-1)


def lost_alone(share: float) -> tuple[float, float]:
    """What one head loses of Maria's and of Zuko's content when the first has this share of its weight.

    It returns the mixture share · a + (1 − share) · b, from which each content is best guessed by a multiple.
    What is gained on one content is lost on the other: the two always add up to 1.
    """
    first, second = share**2, (1 - share) ** 2
    return second / (first + second), first / (first + second)


class Fetching(nn.Module):
    """Attention of *met* alone: scores for every position and head, a value map and an output map.

    The width is shared out among the heads, so that one has as many value and output weights as two. The
    output map starts at 0: everything is lost at first.
    """

    def __init__(self, n_heads: int, *, seed: int) -> None:
        super().__init__()
        d_head = WIDTH // n_heads
        self.scores = nn.Parameter(normal((n_heads, len(WORDS)), seed=seed, name="scores"))
        self.value = nn.Parameter(normal((n_heads, d_head), seed=seed, name="value"))
        self.output = nn.Parameter(torch.zeros(n_heads, d_head, len(ASKED)))

    def pattern(self) -> Float[Tensor, "head word"]:
        """The weights of every head."""
        return self.scores.softmax(dim=-1)

    def forward(self) -> Mixing:
        """The matrix that the layer is, from contents to answers."""
        columns = torch.einsum("hd,hda->ha", self.value, self.output)
        return columns.T @ self.pattern()


@dataclass(frozen=True)
class Learned:
    """What learning came to: the share lost before every step and in the end, and the weights found."""

    lost: Float[np.ndarray, "step"]
    pattern: Float[np.ndarray, "head word"]


@stored
def learn(n_heads: int, *, seed: int = SEED) -> Learned:
    """Fit the layer to the task by plain gradient descent on the mean share that it loses."""
    layer = Fetching(n_heads, seed=seed)
    parameters = list(layer.parameters())
    course = []
    for _ in range(STEPS):
        loss = lost(layer()).mean()
        course.append(loss.item())
        with torch.no_grad():
            for parameter, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                parameter.sub_(RATE * slope)
    with torch.no_grad():
        course.append(lost(layer()).mean().item())
        return Learned(np.array(course), layer.pattern().numpy())


def learning_table(courses: dict[str, Learned]) -> pd.DataFrame:
    """Columns `steps`, `network` and `lost`: the course of each network by its name."""
    return pd.concat(
        pd.DataFrame({"steps": range(len(one.lost)), "network": name, "lost": one.lost})
        for name, one in courses.items()
    )


PHENOMENA = ("agreement", "names")
"""Questions about earlier words: the verb in the number of its subject, and a name said again."""


@dataclass(frozen=True)
class HeadCounts:
    """One layer's patterns for each number of heads in `counts`.

    `patterns` has room for as many heads as the largest model has; what a smaller one lacks is not a number.
    """

    counts: tuple[int, ...]
    patterns: Float[np.ndarray, "model head query key"]
    allowed: Bool[np.ndarray, "query key"]
    unknown: tuple[int, ...]


def with_each(config: ModelConfig) -> dict[int, ModelConfig]:
    """A configuration with 1, 2, 4 and 8 heads, by their number."""
    return {n_heads: replace(config, n_heads=n_heads) for n_heads in HEADS}


def read_with_each(models: Mapping[int, LoadedModel], *, layer: int) -> HeadCounts:
    """Read the same words with models that have so many heads."""
    found = {n_heads: read(model) for n_heads, model in models.items()}
    first = next(iter(found.values()))
    n = len(first.words)
    patterns = np.full((len(found), max(found), n, n), np.nan, dtype=np.float32)
    for row, (n_heads, reading) in enumerate(found.items()):
        patterns[row, :n_heads] = reading.patterns()[layer]
    return HeadCounts(tuple(found), patterns, first.allowed(), first.unknown)


def records_table(records: Mapping[int, Record]) -> pd.DataFrame:
    """What models with so many heads can do on unseen sentences.

    Columns `heads`, `loss` in nats, `task` (the share of right words) and the shares of `PHENOMENA`.
    """
    rows = []
    for n_heads, record in records.items():
        answers = (record.accuracies.get(name, float("nan")) for name in PHENOMENA)
        rows.append((n_heads, record.loss, record.accuracy, *answers))
    return pd.DataFrame(rows, columns=["heads", "loss", "task", *PHENOMENA])
