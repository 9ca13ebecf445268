"""The residual stream: how long the vectors are from block to block, and how much each part adds to them."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.measures.reading import read
from core.sources import LoadedModel

Lengths = Float[np.ndarray, "position place"]
Shares = Float[np.ndarray, "position part"]


@dataclass(frozen=True)
class Stream:
    """The lengths of the vectors of a sentence on their way through a model.

    `lengths` are those of what enters the first block and of what leaves each; `added` the length of what
    each part gives, as a share of the vector it is added to; `parts` names the parts in their order, such as
    `attention 1`. `d_model` is how many numbers a vector has, `unknown` the positions of the words that the
    model reads as `<unk>`.
    """

    lengths: Lengths
    added: Shares
    parts: tuple[str, ...]
    d_model: int
    unknown: tuple[int, ...] = ()

    def mean_lengths(self) -> Float[np.ndarray, "place"]:
        """The mean over the words."""
        return np.asarray(self.lengths.mean(axis=0))


def stream(loaded: LoadedModel) -> Stream:
    """The residual stream of a model, on its words.

    Where the model has no residual connections the vectors are replaced and not added to; the shares say
    what they would be.
    """
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
        reading.config.d_model,
        reading.unknown,
    )


def _lengths(vectors: Float[Tensor, "1 position d_model"]) -> Float[np.ndarray, "position"]:
    return array_of(vectors[0].norm(dim=-1).double())
