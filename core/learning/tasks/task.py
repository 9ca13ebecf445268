"""What every task is: a name, a vocabulary and batches, the same for the same seed on every machine."""

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
"""The target where nothing is asked: torch's cross-entropy passes over it."""


@dataclass(frozen=True)
class Batch:
    """Token ids, and for each position the id wanted there, or IGNORED; `allowed` hides the padding."""

    tokens: Int[Tensor, "batch position"]
    targets: Int[Tensor, "batch position"]
    allowed: Bool[Tensor, "batch 1 1 position"]

    def to(self, device: torch.device) -> Self:
        tensors = {field.name: getattr(self, field.name) for field in fields(self)}
        there = {name: value.to(device) for name, value in tensors.items() if value is not None}
        return replace(self, **there)

    def parts(self) -> list[Self]:
        """Return one or two batches with the least padding: most sentences are short, and a few very long."""
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
    """A batch that asks at each position for the word after it, where the mask of the model hides that.

    `given` words of each row are given, under masks that show these to all; None leaves it to the mask.
    """

    given: Int[Tensor, "batch"] | None = None

    def _rows(self, rows: Int[Tensor, "row"], width: int) -> Self:
        return replace(super()._rows(rows, width), given=None if self.given is None else self.given[rows])


@dataclass(frozen=True)
class Task:
    """Something to learn: `draw(seed, step, size, split)` makes a batch; an `objective` fits some masks."""

    name: str
    vocabulary: Callable[[], Vocabulary]
    draw: Callable[[int, int, int, Split], Batch]
    objective: Objective | None = None

    @property
    def masks(self) -> tuple[str, ...]:
        """The masks that a Transformer can have for it: who sees the answer learns nothing."""
        return tuple(name for name, mask in MASKS.items() if self.objective in (None, mask.objective))

    def batch(self, seed: int, step: int, size: int, *, split: Split = "train") -> Batch:
        return self.draw(seed, step, size, split)


def stream(*key: object) -> int:
    """The seed of the stream of random numbers that `key` names."""
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=7).digest(), "big")


def generator(*key: object) -> torch.Generator:
    """Torch's random numbers from the stream that `key` names; on the CPU, to be the same everywhere."""
    return torch.Generator().manual_seed(stream(*key))


N_BATCHES, SIZE = 16, 64
"""The batches from which the chance of a task is counted, and the rows of each."""


class Chance(NamedTuple):
    """Loss in nats and accuracy."""

    loss: float
    accuracy: float


@cache
def chance(task: Task) -> Chance:
    """Return the entropy of the answers of a task, and how often the most frequent one is right."""
    targets = torch.cat([task.batch(0, step, SIZE).targets.flatten() for step in range(N_BATCHES)])
    counts = targets[targets != IGNORED].bincount()
    shares = counts[counts > 0] / counts.sum()
    return Chance(loss=float(-(shares * shares.log()).sum()), accuracy=float(shares.max()))
