"""The interface that every way to write needs of a model: the next word, after one more word."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, Self

import torch
from jaxtyping import Float, Int
from torch import Tensor

Words = Int[Tensor, "row"]
Logits = Float[Tensor, "row vocab"]

LogitsOf = Callable[[Words, Int[Tensor, "row position"]], Float[Tensor, "row position vocab"]]
"""Logits at each position for these rows of a beginning and the words after it."""


class Decoding(Protocol):
    """A model with rows of words that it has read so far. It never changes: reading gives another one."""

    def read(self, words: Words) -> tuple[Logits, Self]:
        """Read one more word in each row: the logits of the next, and where that leaves the model."""
        ...

    def rows(self, chosen: Words) -> Self:
        """Return a cache of these rows, in this order; one may come several times."""
        ...


def after(decoding: Decoding, words: Iterable[int]) -> Decoding:
    """`decoding`, which has one row, with these words read."""
    for word in words:
        _, decoding = decoding.read(torch.tensor([word]))
    return decoding


@dataclass(frozen=True, eq=False)
class Recomputed:
    """Everything computed again for every word: the reference that faster ways have to equal."""

    logits_of: LogitsOf
    row: Words
    words: Int[Tensor, "row position"]

    def read(self, words: Words) -> tuple[Logits, "Recomputed"]:
        longer = torch.cat([self.words, words[:, None].to(self.words.device)], dim=1)
        return self.logits_of(self.row, longer)[:, -1], Recomputed(self.logits_of, self.row, longer)

    def rows(self, chosen: Words) -> "Recomputed":
        return Recomputed(self.logits_of, self.row[chosen], self.words[chosen])
