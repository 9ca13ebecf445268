"""Dependence of a model's outputs on its inputs under a mask, and the pairs that provably have none."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.arrays import array_of
from core.measures.distance.influence import all_influences
from core.measures.masking.painting import PaintedMask, masking
from core.sources import LoadedModel

Norms = Float[np.ndarray, "output input"]
Cells = Bool[np.ndarray, "output input"]


@dataclass(frozen=True, eq=False)
class Dependence:
    """‖∂ output i / ∂ input j‖ of a whole model; exactly 0 where no path of looks leads.

    `allowed` says which query may attend to which key in each layer.
    """

    norms: Norms
    allowed: Cells

    @property
    def shares(self) -> Norms:
        """Each row divided by its sum; an output that depends on nothing has no shares."""
        sums = self.norms.sum(axis=1, keepdims=True)
        return np.divide(self.norms, sums, out=np.zeros_like(self.norms), where=sums > 0)

    @property
    def zero(self) -> Cells:
        """Whether an output does not depend on an input at all."""
        return np.equal(self.norms, 0)

    @property
    def zero_of_the_future(self) -> Bool[np.ndarray, "later_input"]:
        """Whether an output does not depend on an input that comes after it, row by row."""
        return self.zero[np.triu(np.ones_like(self.allowed), 1)]

    @property
    def roundabout(self) -> Cells:
        """Whether an output depends on a word it may not attend to: by way of a third, in another layer."""
        return ~self.zero & ~self.allowed & ~np.eye(len(self.norms), dtype=bool)


def dependence(loaded: LoadedModel, mask: PaintedMask) -> Dependence:
    """What the states that leave a model depend on, with `mask` in every layer."""
    norms = all_influences(loaded.model, loaded.tokens, edits=masking(loaded, mask))
    return Dependence(array_of(norms), array_of(mask.allowed(len(loaded.words))))
