"""A painted mask, and the dependence of outputs on inputs under it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.arrays import array_of
from core.measures.gradients.distance import all_influences
from core.measures.prediction import softmax
from core.measures.reading import Matrix, WholeReading
from core.model.config import ModelConfig
from core.model.forward import forward_pass, masked_with
from core.model.masks import MASKS
from core.model.masks.combining import Allowed, arbitrary, padding, prefix, window
from core.model.trace import Edit
from core.sources import LoadedModel

Preset = Literal["causal", "window", "prefix", "padding", "none"]
PRESETS: tuple[Preset, ...] = get_args(Preset)

Cell = tuple[int, int]
"""A query and a key, both counted from 0."""

MOST_PAINTED = 24
"""The longest sentence in which single cells can be flipped, in words."""

_DRAWN: dict[Preset, Callable[[int, int], Allowed]] = {
    "causal": lambda n, _: MASKS["causal"].allowed(n),
    "window": lambda n, amount: window(n, n, width=amount),
    "prefix": lambda n, amount: prefix(n, n, length=amount),
    "padding": lambda n, amount: padding(torch.tensor([max(0, n - amount)]), n),
    "none": lambda n, _: MASKS["bidirectional"].allowed(n),
}


@dataclass(frozen=True, kw_only=True)
class PaintedMask:
    """A preset with flipped cells; `amount` is the size in words of the window, prefix or padding."""

    preset: Preset = "causal"
    amount: int = 0
    no_future: bool = False
    cells: frozenset[Cell] = frozenset()

    def allowed(self, n: int) -> Bool[Tensor, "query key"]:
        """Return which of `n` words may attend to which; flipped cells beyond the last word do not count."""
        drawn = _DRAWN[self.preset](n, self.amount)[0, 0].expand(n, n)
        allowed = drawn & MASKS["causal"].allowed(n)[0, 0] if self.no_future else drawn.clone()
        for query, key in self.within(n):
            allowed[query, key] = ~allowed[query, key]
        return allowed

    def within(self, n: int) -> list[Cell]:
        """Return the flipped cells that `n` words have, in reading order."""
        return sorted(cell for cell in self.cells if max(cell) < n)


def mask_of(config: ModelConfig, n: int) -> Bool[np.ndarray, "query key"]:
    """Return the mask of a configuration over `n` words."""
    return config.allowed(n)[0, 0].numpy()


def read_painted(loaded: LoadedModel, mask: PaintedMask) -> WholeReading:
    """Read as `core.measures.reading.read`, with `mask` in every layer instead of the model's own."""
    forward = forward_pass(loaded.model, loaded.tokens, edits=masking(loaded, mask))
    return WholeReading(loaded.words, forward, loaded.unknown)


def masking(loaded: LoadedModel, mask: PaintedMask) -> dict[str, Edit]:
    """Return the edits that put a painted mask into every layer."""
    return masked_with(arbitrary(mask.allowed(loaded.tokens.shape[1])), loaded.model.config)


def share_kept(scores: Matrix, allowed: Bool[np.ndarray, "query key"]) -> Float[np.ndarray, "query"]:
    """Return each row's weight on allowed keys before masking.

    The row would sum to this if it were masked after the softmax (CS 224N note eq 21).
    """
    return np.asarray((softmax(scores.astype(np.float64)) * allowed).sum(axis=1))


def most_masked(kept: Float[np.ndarray, "query"], allowed: Bool[np.ndarray, "query key"]) -> int | None:
    """Return the query that keeps the least of its weight, among those with allowed and masked keys."""
    sees_some = allowed.any(axis=1) & ~allowed.all(axis=1)
    return int(np.where(sees_some, kept, np.inf).argmin()) if sees_some.any() else None


Norms = Float[np.ndarray, "output input"]
Cells = Bool[np.ndarray, "output input"]


@dataclass(frozen=True, eq=False)
class Dependence:
    """‖∂ output i / ∂ input j‖ of a whole model, exactly 0 without a path, and each layer's mask."""

    norms: Norms
    allowed: Cells

    @property
    def shares(self) -> Norms:
        """Each row divided by its sum; an output that depends on nothing has no shares."""
        sums = self.norms.sum(axis=1, keepdims=True)
        return np.divide(self.norms, sums, out=np.zeros_like(self.norms), where=sums > 0)

    @property
    def zero(self) -> Cells:
        return np.equal(self.norms, 0)

    @property
    def zero_of_the_future(self) -> Bool[np.ndarray, "later_input"]:
        """Whether an output does not depend on an input after it, row by row."""
        return self.zero[np.triu(np.ones_like(self.allowed), 1)]

    @property
    def roundabout(self) -> Cells:
        """Whether an output depends on a word it may not attend to, through other words in other layers."""
        return ~self.zero & ~self.allowed & ~np.eye(len(self.norms), dtype=bool)


def dependence(loaded: LoadedModel, mask: PaintedMask) -> Dependence:
    """Return the dependence of every output on every input under a painted mask."""
    norms = all_influences(loaded.model, loaded.tokens, edits=masking(loaded, mask))
    return Dependence(array_of(norms), array_of(mask.allowed(len(loaded.words))))
