"""Two layers of attention with nothing between them are one: computed both ways (CS 224N note eq 14–16)."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.arrays import array_of
from core.model.blocks import Block
from core.model.forward import forward_pass
from core.model.models import Stack
from core.sources import LoadedModel

Weights = Float[np.ndarray, "query key"]
States = Float[np.ndarray, "position d_model"]
Map = Float[np.ndarray, "d_model d_model"]


@dataclass(frozen=True)
class TwoLayers:
    """What a head of the first two layers multiplies, in double precision.

    `x` is what enters the first block, a row for each word; `a1` and `a2` are the weights of attention,
    `v1` and `v2` the maps x → x·V of values and output together.
    """

    x: States
    a1: Weights
    a2: Weights
    v1: Map
    v2: Map

    @property
    def weights(self) -> Weights:
        """The attention of the one layer that stands for both: the matrix product A₂A₁."""
        return self.a2 @ self.a1

    def in_turn(self) -> States:
        """One layer after the other: A₂ (A₁ X V₁) V₂."""
        return self.a2 @ self._first() @ self.v2

    def at_once(self) -> States:
        """One layer with the weights A₂A₁ and the values V₁V₂."""
        return self.weights @ self.x @ (self.v1 @ self.v2)

    def with_relu(self) -> States:
        """One layer after the other, with the nonlinearity ReLU between them."""
        return self.a2 @ np.maximum(self._first(), 0) @ self.v2

    def factorised(self) -> States:
        """What the note's eq 15 would give: Σⱼ αᵢⱼ taken out of the sum is 1, and A₁ alone is left."""
        return self.a2.sum(axis=1, keepdims=True) * self.a1 @ self.x @ (self.v1 @ self.v2)

    @property
    def largest(self) -> float:
        """The largest size of a number of the result."""
        return float(np.abs(self.in_turn()).max())

    def _first(self) -> States:
        return self.a1 @ self.x @ self.v1


def two_layers(loaded: LoadedModel, *, head: int) -> TwoLayers:
    """Head `head` of the first two layers of a model, on its words.

    The weights A₁ and A₂ are those the whole model comes to, and are held fixed. Residual connections, norms,
    feed-forward layers and additive biases are left out, as the note leaves them out. Raises ValueError for a
    model with one layer.
    """
    if (n_layers := loaded.model.config.n_layers) < 2:
        raise ValueError(f"there must be two layers at least, got {n_layers}")
    forward = forward_pass(loaded.model, loaded.tokens)
    maps = [_value_map(loaded.model, layer, head) for layer in range(2)]
    patterns = [forward.heads(layer).pattern[0, head] for layer in range(2)]
    x, a1, a2 = (array_of(one.double()) for one in (forward.entering(0)[0], *patterns))
    return TwoLayers(x, a1, a2, *maps)


def _value_map(model: Stack, layer: int, head: int) -> Map:
    """Values of one head and its part of the output map as one matrix, for rows: x → x·V."""
    block = model.blocks[layer]
    assert isinstance(block, Block)
    attention = block.attention
    value = attention.value.weight[attention.shared_slice_of(head)].double()
    output = attention.output.weight[:, attention.slice_of(head)].double()
    return array_of(value.T @ output.T)


def largest_difference(one: States, other: States) -> float:
    """The largest difference of two results in any word and dimension."""
    return float(np.abs(one - other).max())


SAME = 1e-9
"""Differences below this are rounding: double-precision sums of the same numbers in another order."""
