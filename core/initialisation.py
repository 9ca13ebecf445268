"""Random weights that are the same on every machine, and stay the same when other parts change."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import prod
from threading import Lock

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.norm import LayerNorm, RMSNorm
from core.positions import PositionScheme

KEPT, LARGEST_KEPT = 1024, 2**14
"""How many draws are kept, and of how many numbers at most: a switch asks again for those of one seed.

The larger of the matrices that our models have is just kept; all together take 64 MB at most.
"""

# Seeded anew for every draw: to make a stream takes ten times as long as to seed the one that is there.
_stream, _drawing = np.random.RandomState(0), Lock()


def normal(shape: Sequence[int], *, seed: int, name: str) -> Float[Tensor, "..."]:
    """Standard normal numbers from a stream of their own, chosen by `seed` and `name`.

    RandomState, because NumPy promises its stream never changes, which neither torch's generators nor
    NumPy's newer ones do: a link has to show the same numbers next year and on another machine.
    """
    draw = _drawn if prod(shape) > LARGEST_KEPT else _kept
    return draw(tuple(shape), seed, name).clone()


def _drawn(shape: tuple[int, ...], seed: int, name: str) -> Float[Tensor, "..."]:
    digest = blake2b(f"{seed}\0{name}".encode(), digest_size=16).digest()
    with _drawing:
        _stream.seed(np.frombuffer(digest, dtype="<u4"))
        numbers = _stream.standard_normal(shape)
    return torch.from_numpy(numbers).to(torch.float32)


_kept = lru_cache(maxsize=KEPT)(_drawn)


@torch.no_grad()
def initialise(model: nn.Module, *, seed: int) -> None:
    """Fill every parameter of `model` in place from `seed`.

    Matrices get standard deviation 1/√(inputs), so that vectors of unit variance stay so and q·k/√d_head
    is of the order of 1; embeddings unit variance; the parameters of a position scheme what it asks
    for; biases 0 and gains 1. A table that is embedding and output layer at once gets what the output layer
    would. Each parameter depends only on the seed, its name and its shape: switching the norm placement
    leaves the queries as they were, and a comparison compares one thing.
    """
    for path, module in model.named_modules():
        for name, parameter in module.named_parameters(recurse=False):
            full_name = f"{path}.{name}" if path else name
            parameter.copy_(_initial(module, name, full_name, parameter, seed=seed))


def _initial(module: nn.Module, name: str, full_name: str, parameter: Tensor, *, seed: int) -> Tensor:
    if isinstance(module, LayerNorm | RMSNorm):
        return torch.full_like(parameter, 1.0 if name == "gain" else 0.0)
    if name == "bias":
        return torch.zeros_like(parameter)
    return normal(parameter.shape, seed=seed, name=full_name) * _deviation(module, parameter)


def _deviation(module: nn.Module, parameter: Tensor) -> float:
    if isinstance(module, nn.Embedding):
        return 1.0
    if isinstance(module, PositionScheme):
        return module.initial_deviation
    return float(parameter.shape[-1] ** -0.5)


def word_vectors(words: Sequence[str], d_model: int, *, seed: int) -> Float[Tensor, "word d_model"]:
    """A vector for any word of any language, depending on the word and the seed alone."""
    return torch.stack([normal([d_model], seed=seed, name=f"word {word}") for word in words])
