"""Random weights that are the same on every machine and do not change when other parts change."""

import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from math import prod
from threading import local
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.model.norm import LayerNorm, RMSNorm
from core.model.positions import PositionScheme
from core.store import cached

LARGEST_KEPT = 2**14
"""Largest draw that is cached, in numbers: switches draw the same seed again.

The larger matrix shape of our models just fits.
"""

LARGEST_DRAWN_ALONE = 2**18
"""Size of the largest parameter above which several are drawn in parallel: this many numbers take 5 ms.

Smaller parameters would be drawn no sooner in parallel, at nearly twice the work.
"""

# One stream per thread, seeded anew for every draw: making a stream takes ten times as long as seeding one.
_own = local()


def normal(shape: Sequence[int], *, seed: int, name: str) -> Float[Tensor, "..."]:
    """Return standard normal numbers from a stream chosen by `seed` and `name`.

    Uses RandomState, because NumPy promises that its stream never changes, unlike torch's generators and
    NumPy's newer ones: a link has to show the same numbers next year and on another machine.
    """
    if prod(shape) > LARGEST_KEPT:
        return _drawn(tuple(shape), seed, name)
    return _kept(tuple(shape), seed, name).clone()


def _drawn(shape: tuple[int, ...], seed: int, name: str) -> Float[Tensor, "..."]:
    return torch.from_numpy(_numbers(shape, seed, name)).to(torch.float32)


def _numbers(shape: tuple[int, ...], seed: int, name: str) -> Float[np.ndarray, "..."]:
    digest = blake2b(f"{seed}\0{name}".encode(), digest_size=16).digest()
    if not hasattr(_own, "stream"):
        _own.stream = np.random.RandomState(0)
    _own.stream.seed(np.frombuffer(digest, dtype="<u4"))
    return np.asarray(_own.stream.standard_normal(shape))


_kept = cached(_drawn)


class DrawingNothing(TorchFunctionMode):
    """A mode in which torch leaves the parameters of new models uninitialised.

    For a model that is initialised or loaded next: drawing numbers that are then replaced would take a third
    as long again.
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if getattr(func, "__module__", None) == nn.init.__name__:
            return args[0] if args else kwargs["tensor"]
        return func(*args, **(kwargs or {}))


def initialise(model: nn.Module, *, seed: int, but: Collection[str] = ()) -> None:
    """Fill every parameter of `model` in place from `seed`, except those named in `but`.

    Matrices get standard deviation 1/√(inputs), so that vectors of unit variance stay so and q·k/√d_head
    is of the order of 1; embeddings unit variance; the parameters of a position scheme what it asks
    for; biases 0 and gains 1. A table that is embedding and output layer at once gets what the output layer
    would. Each parameter depends only on the seed, its name and its shape: switching the norm placement
    leaves the queries as they were, and a comparison compares one thing.
    """
    # A parameter with two names goes by the later one.
    places = {
        parameter: (module, name)
        for path, module in model.named_modules(remove_duplicate=False)
        for name, parameter in module.named_parameters(path, recurse=False)
        if name not in but
    }

    def fill(parameter: nn.Parameter) -> None:
        _fill(parameter.detach(), *places[parameter], seed=seed)

    if max(parameter.numel() for parameter in places) <= LARGEST_DRAWN_ALONE:
        for parameter in places:
            fill(parameter)
        return
    # The numbers of a large model take one processor a second for every fifty million.
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(fill, places))


def _fill(parameter: Tensor, module: nn.Module, name: str, *, seed: int) -> None:
    """Fill a parameter of `module` with its initial values; `name` is its name in the model."""
    is_bias = name.rpartition(".")[2] == "bias"
    if isinstance(module, LayerNorm | RMSNorm):
        parameter.fill_(0.0 if is_bias else 1.0)
    elif is_bias:
        parameter.zero_()
    else:
        drawn = normal(parameter.shape, seed=seed, name=name)
        parameter.copy_(drawn.mul_(_deviation(module, parameter)))


def _deviation(module: nn.Module, parameter: Tensor) -> float:
    if isinstance(module, nn.Embedding):
        return 1.0
    if isinstance(module, PositionScheme):
        return module.initial_deviation
    return float(parameter.shape[-1] ** -0.5)


def word_vectors(words: Sequence[str], d_model: int, *, seed: int) -> Float[Tensor, "word d_model"]:
    """Return a vector for each word of any language, from the word and the seed alone."""
    vectors = [_numbers((d_model,), seed, f"word {word}") for word in words]
    return torch.from_numpy(np.stack(vectors)).to(torch.float32)
