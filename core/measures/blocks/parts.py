"""Effects of the parts of a block on the vectors that pass it."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.measures.reading import read
from core.model.blocks import Block
from core.model.forward import forward_pass
from core.model.models import Stack
from core.sources import LoadedModel

Lengths = Float[np.ndarray, "position place"]
Shares = Float[np.ndarray, "position part"]


@dataclass(frozen=True)
class Stream:
    """The lengths of the vectors of a sentence on their way through a model.

    `lengths` are the lengths of the first block's input and of each block's output. `added` is the length of
    each part's output, such as `attention 1`, as a share of the vector it is added to.
    """

    lengths: Lengths
    added: Shares
    parts: tuple[str, ...]
    unknown: tuple[int, ...] = ()

    def mean_lengths(self) -> Float[np.ndarray, "place"]:
        return np.asarray(self.lengths.mean(axis=0))


def stream(loaded: LoadedModel) -> Stream:
    """Return the residual stream; without residual connections, the shares are hypothetical."""
    reading = read(loaded)
    forward, layers = reading.forward, range(reading.config.n_layers)
    changes = {}
    for i in layers:
        changes[f"attention {i + 1}"] = forward.heads(i).out, forward.entering(i)
        if reading.config.mlp:
            changes[f"feed-forward {i + 1}"] = forward.feed_forward(i), forward.after_attention(i)
    shares = [_lengths(change) / _lengths(onto) for change, onto in changes.values()]
    lengths = [_lengths(one) for one in (forward.entering(0), *map(forward.leaving, layers))]
    return Stream(
        np.stack(lengths, axis=1),
        np.stack(shares, axis=1),
        tuple(changes),
        reading.unknown,
    )


def _lengths(vectors: Float[Tensor, "1 position d_model"]) -> Float[np.ndarray, "position"]:
    return array_of(vectors[0].norm(dim=-1).double())


Changes = Float[np.ndarray, "position"]
States = Float[Tensor, "1 position d_model"]


@dataclass(frozen=True)
class OutputChanges:
    """The change of the output at every position: ‖after − before‖ divided by ‖before‖."""

    feed_forward: Changes
    attention: Changes
    unknown: tuple[int, ...] = ()


def elsewhere(changes: Changes, position: int) -> tuple[int, float]:
    """Return how many words other than `position` have a changed output, and their largest change."""
    others = np.delete(changes, position)
    return int((others > 0).sum()), float(others.max(initial=0))


def output_changes(loaded: LoadedModel, *, layer: int, position: int) -> OutputChanges:
    """Return changes of outputs if the vector of word `position` is zero at the input of a part of `layer`.

    Each part by itself. Raises ValueError for a model without feed-forward layers.
    """
    model, tokens = loaded.model, loaded.tokens
    if not model.config.mlp:
        raise ValueError("there must be a feed-forward layer, got mlp=False")
    forward, block = forward_pass(model, tokens), model.blocks[layer]
    assert isinstance(block, Block)
    allowed = model.config.allowed(tokens.shape[1], device=tokens.device)

    def attend(x: States) -> States:
        return block.attention(x, x, allowed=allowed, positions=model.positions)

    with torch.inference_mode():
        to_attention, to_feed_forward = forward.heads(layer).input, forward.feed_forward_input(layer)
        return OutputChanges(
            feed_forward=_change(block.mlp(to_feed_forward), block.mlp(_without(to_feed_forward, position))),
            attention=_change(attend(to_attention), attend(_without(to_attention, position))),
            unknown=loaded.unknown,
        )


def _without(x: States, position: int) -> States:
    positions = torch.arange(x.shape[1], device=x.device)
    return x.masked_fill((positions == position)[:, None], 0.0)


def _change(before: States, after: States) -> Changes:
    """Return the change of each word's vector as a share of its length."""
    lengths = before.norm(dim=-1).clamp_min(torch.finfo(before.dtype).tiny)
    return array_of(((after - before).norm(dim=-1) / lengths)[0])


Weights = Float[np.ndarray, "query key"]
Vectors = Float[np.ndarray, "position d_model"]
Map = Float[np.ndarray, "d_model d_model"]


@dataclass(frozen=True)
class TwoLayers:
    """The matrices of a head in the first two layers; `v1` and `v2` are values and output, x → x·V."""

    x: Vectors
    a1: Weights
    a2: Weights
    v1: Map
    v2: Map

    @property
    def weights(self) -> Weights:
        """Attention of the one layer that replaces both: the matrix product A₂A₁."""
        return self.a2 @ self.a1

    def in_turn(self) -> Vectors:
        """Return one layer after the other: A₂ (A₁ X V₁) V₂."""
        return self.a2 @ self._first() @ self.v2

    def at_once(self) -> Vectors:
        """Return one layer with the weights A₂A₁ and the values V₁V₂."""
        return self.weights @ self.x @ (self.v1 @ self.v2)

    def with_relu(self) -> Vectors:
        """Return one layer after the other, with the nonlinearity ReLU between them."""
        return self.a2 @ np.maximum(self._first(), 0) @ self.v2

    def factorised(self) -> Vectors:
        """Return the result of the note's eq 15: Σⱼ αᵢⱼ outside the sum is 1, and only A₁ remains."""
        return self.a2.sum(axis=1, keepdims=True) * self.a1 @ self.x @ (self.v1 @ self.v2)

    @property
    def largest(self) -> float:
        return float(np.abs(self.in_turn()).max())

    def _first(self) -> Vectors:
        return self.a1 @ self.x @ self.v1


def two_layers(loaded: LoadedModel, *, head: int) -> TwoLayers:
    """Return head `head` of the first two layers of a model on its words, its weights held fixed.

    Residual connections, norms, feed-forward layers and additive biases are left out, as in the note. Raises
    ValueError for a model with one layer.
    """
    if (n_layers := loaded.model.config.n_layers) < 2:
        raise ValueError(f"there must be two layers at least, got {n_layers}")
    forward = forward_pass(loaded.model, loaded.tokens)
    maps = [_value_map(loaded.model, layer, head) for layer in range(2)]
    patterns = [forward.heads(layer).pattern[0, head] for layer in range(2)]
    x, a1, a2 = (array_of(one.double()) for one in (forward.entering(0)[0], *patterns))
    return TwoLayers(x, a1, a2, *maps)


def _value_map(model: Stack, layer: int, head: int) -> Map:
    """Return values of one head and its part of the output map as one matrix, for rows: x → x·V."""
    block = model.blocks[layer]
    assert isinstance(block, Block)
    attention = block.attention
    value = attention.value.weight[attention.shared_slice_of(head)].double()
    output = attention.output.weight[:, attention.slice_of(head)].double()
    return array_of(value.T @ output.T)


def largest_difference(one: Vectors, other: Vectors) -> float:
    """Return the largest absolute difference of two arrays."""
    return float(np.abs(one - other).max())


SAME = 1e-9
"""Differences below this are rounding: double-precision sums of the same numbers in another order."""
