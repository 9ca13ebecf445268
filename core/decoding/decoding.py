"""The interface of a model that writes: read one more word, and give the logits of the next."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, Self

import torch
from jaxtyping import Float, Int
from torch import Tensor

Words = Int[Tensor, "row"]
Logits = Float[Tensor, "row vocab"]

LogitsOf = Callable[[Words, Int[Tensor, "row position"]], Float[Tensor, "row position vocab"]]
"""Logits at each position, for these rows of a beginning and the words after it."""


class DecodingState(Protocol):
    """A model that has read rows of words. It never changes: reading returns a new state."""

    def step(self, words: Words) -> tuple[Logits, Self]:
        """Read one more word in each row; return the logits of the next word and the new state."""
        ...

    def select_rows(self, chosen: Words) -> Self:
        """Return the state of these rows, in this order; one may come several times."""
        ...


def read_words(decoding: DecodingState, words: Iterable[int]) -> DecodingState:
    """Return `decoding`, which has one row, after reading these words."""
    for word in words:
        _, decoding = decoding.step(torch.tensor([word]))
    return decoding


@dataclass(frozen=True, eq=False)
class UncachedState:
    """A state that computes everything again for every word: the reference for faster states."""

    logits_of: LogitsOf
    row: Words
    words: Int[Tensor, "row position"]

    def step(self, words: Words) -> tuple[Logits, "UncachedState"]:
        longer = torch.cat([self.words, words[:, None].to(self.words.device)], dim=1)
        return self.logits_of(self.row, longer)[:, -1], UncachedState(self.logits_of, self.row, longer)

    def select_rows(self, chosen: Words) -> "UncachedState":
        return UncachedState(self.logits_of, self.row[chosen], self.words[chosen])
