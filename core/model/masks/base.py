"""A mask that a configuration can name: which query may attend to which key, and its purpose."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from core.model.masks.combining import Allowed, next_is_hidden

Objective = Literal["next word", "masked word"]
"""The training target of a language model; tasks of `core.learning.tasks` have these names."""

NEXT_WORD: Objective = "next word"
MASKED_WORD: Objective = "masked word"

Given = int | Int[Tensor, "batch"]
"""Number of words at the beginning of a sentence, or of each row, that are given and not predicted."""

SAMPLE = 16
"""Length of the sample sentence from which the properties of a mask are read."""


class Draw(Protocol):
    """A rule: the mask of self-attention over `n` words, whose first `given` are given."""

    def __call__(self, n: int, *, given: Given, device: torch.device | None) -> Allowed: ...


def no_words(n: Given) -> Given:
    """Return 0 given words: a model with this mask predicts from the first word on."""
    return 0 * n


@dataclass(frozen=True, kw_only=True)
class Mask:
    """A mask by name, with everything particular to it.

    `draw` is its rule, and `given` the default number of given words of `n`; most rules need none. Models of
    the collection with this mask learn the `objective`. For readers, `says` is the rule in a few words after
    which a full stop can follow, `formula` the same in LaTeX for a query i and a key j, both counted from 0,
    and `program` an expression in `torch` and `n`, the number of words.
    """

    name: str
    draw: Draw
    given: Callable[[Given], Given] = no_words
    objective: Objective
    says: str
    formula: str
    program: str

    def allowed(self, n: int, *, given: Given | None = None, device: torch.device | None = None) -> Allowed:
        """Return the mask of self-attention over `n` words; a tensor `given` has a mask for each row."""
        return self.draw(n, given=self.given(n) if given is None else given, device=device)

    def asks(
        self, n: int, *, given: Given | None = None, device: torch.device | None = None
    ) -> Bool[Tensor, "#batch position"]:
        """Return the positions, of `n`, at which a model predicts a hidden next word.

        For a mask with another objective these are all positions, even if the answer can be copied.
        """
        if self.objective != NEXT_WORD:
            return torch.ones(1, n, dtype=torch.bool, device=device)
        return next_is_hidden(self.allowed(n, given=given, device=device))

    @property
    def sample(self) -> Allowed:
        """The mask of a sample sentence, from which its properties are read; always on the CPU."""
        return self.allowed(SAMPLE, device=torch.device("cpu"))

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether some query may attend to a later key."""
        return bool(self.sample.triu(1).any())

    @cached_property
    def hides(self) -> bool:
        """Whether some query may not attend to some key."""
        return not bool(self.sample.all())
