"""What a mask is that a configuration can name: which query may attend to which key, and what that is for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from core.model.masks.combining import Allowed, next_is_hidden

Objective = Literal["next word", "masked word"]
"""What a language model is trained to predict; tasks of `core.learning.tasks` have these names."""

NEXT_WORD: Objective = "next word"
MASKED_WORD: Objective = "masked word"

Given = int | Int[Tensor, "batch"]
"""How many words at the beginning of a sentence, or of each row, are given before any is predicted."""

SAMPLE = 16
"""Words of the sentence on which is read off what a mask hides at all: enough for any rule to show itself."""


class Draw(Protocol):
    """A rule: the mask of self-attention over `n` words of which the first `given` are given."""

    def __call__(self, n: int, *, given: Given, device: torch.device | None) -> Allowed: ...


def no_words(n: Given) -> Given:
    """None of `n` words are given: a model with this mask predicts from the first word on."""
    return 0 * n


@dataclass(frozen=True, kw_only=True)
class Mask:
    """A mask by name: everything that is particular to it.

    `draw` is its rule, and `given` says how many of `n` words are given where nobody says otherwise: most
    rules ask for none. Models of the collection with this mask learn the `objective`. For readers, `says` is
    the rule in a few words after which a full stop can follow, `formula` the same in LaTeX for a query i and
    a key j, both counted from 0, and `program` an expression in `torch` and `n`, the number of words.
    """

    name: str
    draw: Draw
    given: Callable[[Given], Given] = no_words
    objective: Objective
    says: str
    formula: str
    program: str

    def allowed(self, n: int, *, given: Given | None = None, device: torch.device | None = None) -> Allowed:
        """The mask of self-attention over `n` words; a tensor `given` has a mask for each row."""
        return self.draw(n, given=self.given(n) if given is None else given, device=device)

    def asks(
        self, n: int, *, given: Given | None = None, device: torch.device | None = None
    ) -> Bool[Tensor, "#batch position"]:
        """Positions, of `n`, at which a model of next words is asked for one: where the mask hides it.

        With a mask made for another objective that is everywhere, also where the answer can be copied.
        """
        if self.objective != NEXT_WORD:
            return torch.ones(1, n, dtype=torch.bool, device=device)
        return next_is_hidden(self.allowed(n, given=given, device=device))

    @property
    def sample(self) -> Allowed:
        """The mask of a sentence on which its nature is read off; on the CPU also while outlines are made."""
        return self.allowed(SAMPLE, device=torch.device("cpu"))

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether some query may attend to a later key."""
        return bool(self.sample.triu(1).any())

    @cached_property
    def hides(self) -> bool:
        """Whether some query may not attend to some key."""
        return not bool(self.sample.all())
