"""The definition of a task: a name, a vocabulary and batches, the same for a seed on every machine."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from hashlib import blake2b
from typing import NamedTuple, Self

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from core.model.masks import MASKS, Objective
from core.text.language import Split
from core.text.tokenizer import Vocabulary

IGNORED = -100
"""The target of positions without a question; torch's cross-entropy ignores it."""


@dataclass(frozen=True)
class Batch:
    """Token ids, and for each position the target id or IGNORED; `allowed` hides the padding."""

    tokens: Int[Tensor, "batch position"]
    targets: Int[Tensor, "batch position"]
    allowed: Bool[Tensor, "batch 1 1 position"]

    def to(self, device: torch.device) -> Self:
        tensors = {field.name: getattr(self, field.name) for field in fields(self)}
        there = {name: value.to(device) for name, value in tensors.items() if value is not None}
        return replace(self, **there)

    def parts(self) -> list[Self]:
        """Return one or two batches with the least padding: most sentences are short, a few very long."""
        lengths, rows = self.allowed[:, 0, 0].sum(dim=1).sort()
        n = len(rows)
        short = torch.arange(1, n + 1)
        cells = short * lengths.cpu() + (n - short) * int(lengths[-1])
        cut = n - int(cells.flip(0).argmin())
        return [
            self._rows(part, int(lengths[end - 1]))
            for part, end in ((rows[:cut], cut), (rows[cut:], n))
            if len(part)
        ]

    def _rows(self, rows: Int[Tensor, "row"], width: int) -> Self:
        targets = self.targets[rows, :width] if self.targets.ndim > 1 else self.targets[rows]
        allowed = self.allowed[rows, ..., :width]
        return replace(self, tokens=self.tokens[rows, :width], targets=targets, allowed=allowed)


@dataclass(frozen=True)
class NextWordBatch(Batch):
    """A batch that asks for the next word at each position where the model's mask hides it.

    `given` words of each row are given, under masks that show these to all words; None leaves it to the mask.
    """

    given: Int[Tensor, "batch"] | None = None

    def _rows(self, rows: Int[Tensor, "row"], width: int) -> Self:
        return replace(super()._rows(rows, width), given=None if self.given is None else self.given[rows])


@dataclass(frozen=True)
class Task:
    """A task: `draw(seed, step, size, split)` makes a batch; its `objective` fits some masks."""

    name: str
    vocabulary: Callable[[], Vocabulary]
    draw: Callable[[int, int, int, Split], Batch]
    objective: Objective | None = None

    @property
    def masks(self) -> tuple[str, ...]:
        """The masks for this task: a model that sees the answer learns nothing."""
        return tuple(name for name, mask in MASKS.items() if self.objective in (None, mask.objective))

    def batch(self, seed: int, step: int, size: int, *, split: Split = "train") -> Batch:
        return self.draw(seed, step, size, split)


def stream_seed(*key: object) -> int:
    """Return the seed of the stream of random numbers that `key` names."""
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=7).digest(), "big")


def generator(*key: object) -> torch.Generator:
    """Return torch's generator for the stream that `key` names, on the CPU, the same everywhere."""
    return torch.Generator().manual_seed(stream_seed(*key))


N_BATCHES, SIZE = 16, 64
"""Number of batches from which the chance level of a task is counted, and the rows of each."""


class Performance(NamedTuple):
    """Loss in nats and accuracy, of a model or of a baseline."""

    loss: float
    accuracy: float


@cache
def chance(task: Task) -> Performance:
    """Return the entropy of the answers of a task, and the accuracy of the most frequent answer."""
    targets = torch.cat([task.batch(0, step, SIZE).targets.flatten() for step in range(N_BATCHES)])
    counts = targets[targets != IGNORED].bincount()
    shares = counts[counts > 0] / counts.sum()
    return Performance(loss=float(-(shares * shares.log()).sum()), accuracy=float(shares.max()))
