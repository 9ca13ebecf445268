"""Several heads beside one: what they can do, how they share out the width, and what each kind costs."""

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
from core.store import stored

WORDS = ("Maria", "met", "Zuko")
ASKED = (0, 2)
"""Positions of the two words whose contents are asked for."""

WIDTH, STEPS, RATE, SEED = 4, 300, 0.5, 0

Mixing = Float[Tensor, "answer word"]


def task() -> Mixing:
    """Return the matrix that turns contents into the two answers."""
    return torch.eye(len(WORDS))[list(ASKED)]


def lost(mixing: Mixing) -> Float[Tensor, "answer"]:
    """Return the share of each content's variance that the answer misses, whatever the contents are."""
    return (mixing - task()).square().sum(dim=-1)


def lost_alone(share: float) -> tuple[float, float]:
    """Return the losses of Maria's and Zuko's content if one head gives the first this share of its weight.

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
        """Return the weights of every head."""
        return self.scores.softmax(dim=-1)

    def forward(self) -> Mixing:
        """Return the matrix that the layer is, from contents to answers."""
        columns = torch.einsum("hd,hda->ha", self.value, self.output)
        return columns.T @ self.pattern()


@dataclass(frozen=True)
class Learned:
    """The result of learning: the share lost before every step and in the end, and the weights found."""

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
    """Return columns `steps`, `network` and `lost`: the course of each network by its name."""
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
    """Return a configuration with 1, 2, 4 and 8 heads, by their number."""
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
    """Return how well models with so many heads do on unseen sentences.

    Columns `heads`, `loss` in nats, `task` (the share of right words) and the shares of `PHENOMENA`.
    """
    rows = []
    for n_heads, record in records.items():
        answers = (record.accuracies.get(name, float("nan")) for name in PHENOMENA)
        rows.append((n_heads, record.loss, record.accuracy, *answers))
    return pd.DataFrame(rows, columns=["heads", "loss", "task", *PHENOMENA])


HeadKind = Literal["standard", "narrow", "wide"]

HEAD_KINDS: tuple[HeadKind, ...] = get_args(HeadKind)


def head_parameters(heads: HeadKind, *, d_model: int, n_heads: int) -> int:
    """Return weights of one attention layer, without biases, by how the heads share out the width d.

    standard: every head projects the whole vector to d / H (CS 224N note §3.1); narrow: every head is given
    its own slice of the vector and stays as wide as that; wide: every head keeps the whole width (FNLP
    slides). The output map takes what the heads return, side by side, back to d.
    """
    d_in, d_head = head_widths(heads, d_model=d_model, n_heads=n_heads)
    return n_heads * (3 * d_in * d_head + d_head * d_model)


def head_operations(heads: HeadKind, n: int, *, d_model: int, n_heads: int) -> int:
    """Count the arithmetic of this layer on `n` words: each weight once a word, then scores and values."""
    _, d_head = head_widths(heads, d_model=d_model, n_heads=n_heads)
    weights = head_parameters(heads, d_model=d_model, n_heads=n_heads)
    return 2 * n * weights + n_heads * 2 * 2 * n**2 * d_head


def head_widths(heads: HeadKind, *, d_model: int, n_heads: int) -> tuple[int, int]:
    """Return width of what enters a head and of what leaves it: its matrices have as many rows and columns.

    Raises ValueError for a width that the heads cannot share and for heads that do not exist.
    """
    if d_model % n_heads:
        raise ValueError(f"d_model must be a multiple of n_heads, got {d_model} and {n_heads}")
    widths = {
        "standard": (d_model, d_model // n_heads),
        "narrow": (d_model // n_heads, d_model // n_heads),
        "wide": (d_model, d_model),
    }
    if heads not in widths:
        raise ValueError(f"heads must be one of {', '.join(HEAD_KINDS)}, got {heads!r}")
    return widths[heads]


WORDS_COMPARED = 7


class HeadsOfKind(nn.Module):
    """One attention layer without biases whose heads are of one kind.

    `query`, `key` and `value` hold the matrices of all heads, (head, d_in, d_head); `output` takes what the
    heads return, side by side, back to d_model.
    """

    def __init__(self, heads: HeadKind, *, d_model: int, n_heads: int) -> None:
        super().__init__()
        d_in, d_head = head_widths(heads, d_model=d_model, n_heads=n_heads)
        self.heads, self.n_heads, self.scale = heads, n_heads, d_head**-0.5
        self.query, self.key, self.value = (
            nn.Parameter(torch.empty(n_heads, d_in, d_head)) for _ in range(3)
        )
        self.output = nn.Parameter(torch.empty(n_heads * d_head, d_model))

    def forward(
        self,
        x: Float[Tensor, "batch word d_model"],
        *,
        allowed: Bool[Tensor, "#batch #head #word word"],
    ) -> Float[Tensor, "batch word d_model"]:
        """Return words of `x` attend to each other where `allowed`."""
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


def torchs(ours: HeadsOfKind) -> nn.MultiheadAttention:
    """torch's own multi-head attention with the weights of our standard heads."""
    d_model = ours.output.shape[1]
    dtype = ours.output.dtype
    theirs = nn.MultiheadAttention(d_model, ours.n_heads, bias=False, batch_first=True, dtype=dtype)
    stacked = [rearrange(part, "head d_in d_head -> (head d_head) d_in") for part in _projections(ours)]
    state = {"in_proj_weight": torch.cat(stacked).data, "out_proj.weight": ours.output.T.data}
    theirs.load_state_dict(state)
    return theirs


def distance_to_torch(*, d_model: int, n_heads: int, seed: int = 0) -> float:
    """Return the largest difference between our standard heads and torch's, with the same random weights.

    In double precision, where rounding cannot be taken for a difference.
    """
    ours = HeadsOfKind("standard", d_model=d_model, n_heads=n_heads)
    initialise(ours, seed=seed)
    ours.double()
    x = normal((1, WORDS_COMPARED, d_model), seed=seed, name="words").double()
    allowed = torch.ones(1, 1, WORDS_COMPARED, WORDS_COMPARED, dtype=torch.bool)
    with torch.inference_mode():
        theirs, _ = torchs(ours)(x, x, x, need_weights=False)
        return float((ours(x, allowed=allowed) - theirs).abs().max())


def kinds_table(n_heads: Iterable[int], *, d_model: int, n_words: int) -> pd.DataFrame:
    """Return the cost of a layer of every kind, for each number of heads.

    Columns `kind`, `heads`, `matrix` (rows and columns of one head's query matrix, such as `64 × 16`),
    `parameters` and `operations` (of one forward pass over `n_words` words).
    """
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


def _projections(layer: HeadsOfKind) -> tuple[Tensor, Tensor, Tensor]:
    return layer.query, layer.key, layer.value
