"""Several heads against one: abilities, division of the width, and cost of each kind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd
import torch
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.learning.checkpoints import Record
from core.learning.collection.members import HEADS
from core.measures.reading import read
from core.model.attention import attention_pattern, attention_scores
from core.model.config import ModelConfig
from core.model.initialisation import initialise, normal
from core.sources import LoadedModel
from core.store import cached

WORDS = ("Maria", "met", "Zuko")
ASKED = (0, 2)

WIDTH, STEPS, RATE, SEED = 4, 300, 0.5, 0

Mixing = Float[Tensor, "answer word"]


def task() -> Mixing:
    """Return the mixing that the task asks for: each answer copies the content of one word."""
    return torch.eye(len(WORDS))[list(ASKED)]


def variance_lost(mixing: Mixing) -> Float[Tensor, "answer"]:
    """Return the share of each content's variance that the answer misses, for any contents."""
    return (mixing - task()).square().sum(dim=-1)


def one_head_variance_lost(share: float) -> tuple[float, float]:
    """Return the variance of each content lost by one head with `share` on the first; the two sum to 1."""
    first, second = share**2, (1 - share) ** 2
    return second / (first + second), first / (first + second)


class TwoContentAttention(nn.Module):
    """Attention from *met* alone: the heads share the width, so one has as many weights as two."""

    def __init__(self, n_heads: int, *, seed: int) -> None:
        super().__init__()
        d_head = WIDTH // n_heads
        self.scores = nn.Parameter(normal((n_heads, len(WORDS)), seed=seed, name="scores"))
        self.value = nn.Parameter(normal((n_heads, d_head), seed=seed, name="value"))
        self.output = nn.Parameter(torch.zeros(n_heads, d_head, len(ASKED)))

    def pattern(self) -> Float[Tensor, "head word"]:
        return self.scores.softmax(dim=-1)

    def forward(self) -> Mixing:
        columns = torch.einsum("hd,hda->ha", self.value, self.output)
        return columns.T @ self.pattern()


@dataclass(frozen=True)
class LearningResult:
    """The result of learning: the share lost before every step and at the end, and the weights found."""

    lost: Float[np.ndarray, "step"]
    pattern: Float[np.ndarray, "head word"]


@cached
def learn(n_heads: int) -> LearningResult:
    """Fit the layer to the task by plain gradient descent on the mean share that it loses."""
    layer = TwoContentAttention(n_heads, seed=SEED)
    parameters = list(layer.parameters())
    course = []
    for _ in range(STEPS):
        loss = variance_lost(layer()).mean()
        course.append(loss.item())
        with torch.no_grad():
            for parameter, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                parameter.sub_(RATE * slope)
    with torch.no_grad():
        course.append(variance_lost(layer()).mean().item())
        return LearningResult(np.array(course), layer.pattern().numpy())


def learning_table(courses: dict[str, LearningResult]) -> pd.DataFrame:
    """Return columns `steps`, `network` and `variance_lost`: the curve of each network by its name."""
    return pd.concat(
        pd.DataFrame({"steps": range(len(one.lost)), "network": name, "lost": one.lost})
        for name, one in courses.items()
    )


PHENOMENA = ("agreement", "names")
"""Questions about earlier words: the verb in the number of its subject, and a repeated name."""


@dataclass(frozen=True)
class HeadCounts:
    """One layer's patterns for each number of heads in `counts`, padded with NaN to the largest."""

    counts: tuple[int, ...]
    patterns: Float[np.ndarray, "model head query key"]
    allowed: Bool[np.ndarray, "query key"]
    unknown: tuple[int, ...]


def configs_by_n_heads(config: ModelConfig) -> dict[int, ModelConfig]:
    """Return the configuration with every number of heads."""
    return {n_heads: replace(config, n_heads=n_heads) for n_heads in HEADS}


def patterns_by_n_heads(models: Mapping[int, LoadedModel], *, layer: int) -> HeadCounts:
    """Return the patterns of one layer in models with several numbers of heads."""
    found = {n_heads: read(model) for n_heads, model in models.items()}
    first = next(iter(found.values()))
    n = len(first.words)
    patterns = np.full((len(found), max(found), n, n), np.nan, dtype=np.float32)
    for row, (n_heads, reading) in enumerate(found.items()):
        patterns[row, :n_heads] = reading.patterns()[layer]
    return HeadCounts(tuple(found), patterns, first.allowed(), first.unknown)


def records_table(records: Mapping[int, Record]) -> pd.DataFrame:
    """Return `heads`, `loss` in nats, `task` (the share of right words) and the shares of `PHENOMENA`."""
    rows = []
    for n_heads, record in records.items():
        answers = (record.accuracies.get(name, float("nan")) for name in PHENOMENA)
        rows.append((n_heads, record.loss, record.accuracy, *answers))
    return pd.DataFrame(rows, columns=["heads", "loss", "task", *PHENOMENA])


HeadKind = Literal["standard", "narrow", "wide"]

HEAD_KINDS: tuple[HeadKind, ...] = get_args(HeadKind)


def head_parameters(heads: HeadKind, *, d_model: int, n_heads: int) -> int:
    """Return weights of one attention layer, without biases, by the heads' division of the width d.

    standard: whole vector to d / H (CS 224N note §3.1); narrow: a slice of the vector, as wide; wide: the
    whole width throughout (FNLP slides).
    """
    d_in, d_head = head_widths(heads, d_model=d_model, n_heads=n_heads)
    return n_heads * (3 * d_in * d_head + d_head * d_model)


def head_operations(heads: HeadKind, n: int, *, d_model: int, n_heads: int) -> int:
    """Count the arithmetic of this layer on `n` words: each weight once a word, then scores and values."""
    _, d_head = head_widths(heads, d_model=d_model, n_heads=n_heads)
    weights = head_parameters(heads, d_model=d_model, n_heads=n_heads)
    return 2 * n * weights + n_heads * 2 * 2 * n**2 * d_head


def head_widths(heads: HeadKind, *, d_model: int, n_heads: int) -> tuple[int, int]:
    """Return the widths of a head's input and output."""
    widths: dict[HeadKind, tuple[int, int]] = {
        "standard": (d_model, d_model // n_heads),
        "narrow": (d_model // n_heads, d_model // n_heads),
        "wide": (d_model, d_model),
    }
    return widths[heads]


WORDS_COMPARED = 7


class HeadsOfKind(nn.Module):
    """One attention layer without biases whose heads are of one kind; maps are (head, d_in, d_head)."""

    def __init__(self, heads: HeadKind, *, d_model: int, n_heads: int) -> None:
        super().__init__()
        d_in, d_head = head_widths(heads, d_model=d_model, n_heads=n_heads)
        self.heads, self.n_heads, self.scale = heads, n_heads, d_head**-0.5
        self.query, self.key, self.value = (
            nn.Parameter(torch.empty(n_heads, d_in, d_head)) for _ in range(3)
        )
        self.output = nn.Parameter(torch.empty(n_heads * d_head, d_model))

    def forward(
        self, x: Float[Tensor, "batch word d_model"], *, allowed: Bool[Tensor, "#batch #head #word word"]
    ) -> Float[Tensor, "batch word d_model"]:
        given = self._given(x)
        q, k, v = given @ self.query, given @ self.key, given @ self.value
        pattern = attention_pattern(attention_scores(q, k, scale=self.scale), allowed)
        z = rearrange(pattern @ v, "batch head word d_head -> batch word (head d_head)")
        return z @ self.output

    def _given(self, x: Float[Tensor, "batch word d_model"]) -> Float[Tensor, "batch #head word d_in"]:
        """Return the input of each head for every word: a slice of its vector, or all of it."""
        if self.heads == "narrow":
            return rearrange(x, "batch word (head d_in) -> batch head word d_in", head=self.n_heads)
        return rearrange(x, "batch word d_in -> batch 1 word d_in")


def to_torch(ours: HeadsOfKind) -> nn.MultiheadAttention:
    """Return torch's multi-head attention with the weights of our standard heads."""
    d_model = ours.output.shape[1]
    dtype = ours.output.dtype
    theirs = nn.MultiheadAttention(d_model, ours.n_heads, bias=False, batch_first=True, dtype=dtype)
    parts: tuple[Tensor, ...] = (ours.query, ours.key, ours.value)
    stacked = [rearrange(part, "head d_in d_head -> (head d_head) d_in") for part in parts]
    state = {"in_proj_weight": torch.cat(stacked).data, "out_proj.weight": ours.output.T.data}
    theirs.load_state_dict(state)
    return theirs


def distance_to_torch(*, d_model: int, n_heads: int) -> float:
    """Return the largest difference from torch's heads with the same random weights, in double precision."""
    ours = HeadsOfKind("standard", d_model=d_model, n_heads=n_heads)
    initialise(ours, seed=SEED)
    ours.double()
    x = normal((1, WORDS_COMPARED, d_model), seed=SEED, name="words").double()
    allowed = torch.ones(1, 1, WORDS_COMPARED, WORDS_COMPARED, dtype=torch.bool)
    with torch.inference_mode():
        theirs, _ = to_torch(ours)(x, x, x, need_weights=False)
        return float((ours(x, allowed=allowed) - theirs).abs().max())


def kinds_table(n_heads: Iterable[int], *, d_model: int, n_words: int) -> pd.DataFrame:
    """Return the cost of a layer of every kind: `kind`, `heads`, `matrix`, `parameters`, `operations`."""
    rows = [
        (
            kind,
            count,
            " × ".join(map(str, head_widths(kind, d_model=d_model, n_heads=count))),
            head_parameters(kind, d_model=d_model, n_heads=count),
            head_operations(kind, n_words, d_model=d_model, n_heads=count),
        )
        for kind in HEAD_KINDS
        for count in n_heads
    ]
    return pd.DataFrame(rows, columns=["kind", "heads", "matrix", "parameters", "operations"])
