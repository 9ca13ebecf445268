"""Jacobians of an RNN between states, and their product over a long text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.measures.gradients.distance import FURTHEST, copy_of, long_text
from core.model.recurrent import RNN, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language

Recurrence = Literal["trained", "random", "orthogonal"]

RECURRENCES: tuple[Recurrence, ...] = get_args(Recurrence)
"""Origins of the recurrent weights: training, a random draw, or a random orthogonal matrix."""

NAME = "next-word-rnn"

ROUNDING = 2.0**-52
"""Relative spacing of numbers in double precision."""

SHOWN = 0.005
"""Relative difference below which numbers with three digits look equal."""


@dataclass(frozen=True, kw_only=True)
class RecurrentWeights:
    """The weights of an RNN: their origin, and the factor of its recurrent weights."""

    recurrence: Recurrence = "trained"
    scale: float = 1.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class JacobianProduct:
    """The Jacobians of one layer back from the last of `words`, each by its singular values.

    `norms[k]` is the largest singular value of the product of k factors. Factor i is ∂h_{n−i} / ∂h_{n−i−1}:
    `largest[i]` is its largest singular value, and `mean[i]` the root mean square of all its singular values.
    """

    words: tuple[str, ...]
    norms: Float[np.ndarray, "distance"]
    largest: Float[np.ndarray, "factor"]
    mean: Float[np.ndarray, "factor"]

    @property
    def worst(self) -> float:
        """The geometric mean of the largest singular values: ‖AB‖ ≤ ‖A‖ ‖B‖, so a bound per factor."""
        return geometric_mean(self.largest)

    @property
    def average(self) -> float:
        """The geometric mean of the mean singular values, for random directions (Schoenholz et al. 2017)."""
        return geometric_mean(self.mean)


def product(
    trained: RecurrentLanguageModel,
    words: Sequence[str],
    weights: RecurrentWeights,
    *,
    layer: int,
    furthest: int = FURTHEST[-1],
    rounding: bool = False,
) -> JacobianProduct:
    """Return the product of the Jacobians of `layer`, counted from 0, up to `furthest` words back.

    With `rounding` each weight changes by a rounding error; `is_same` says whether that matters.
    """
    text = long_text(words, furthest + 1)
    model = with_recurrent_weights(trained, weights)
    if rounding:
        perturb_weights(model)
    factors = factors_back(model, language.encode(text).tokens, layer)
    largest = torch.linalg.matrix_norm(factors, ord=2)
    return JacobianProduct(
        text, norms_of_product(factors).numpy(), largest.numpy(), mean_singular(factors).numpy()
    )


def with_recurrent_weights(
    trained: RecurrentLanguageModel, weights: RecurrentWeights
) -> RecurrentLanguageModel:
    """Return a copy of a trained RNN, with the recurrent weights of all layers as in `weights`."""
    drawn = weights.recurrence != "trained"
    model = copy_of(trained, seed=weights.seed if drawn else None)
    for layer in model.layers:
        assert isinstance(layer, RNN)
        matrix = layer.from_hidden.weight
        if weights.recurrence == "orthogonal":
            matrix.copy_(orthogonal(matrix))
        matrix.mul_(weights.scale)
    return model


def perturb_weights(model: nn.Module) -> None:
    """Change every weight in double precision at random, by at most the share `ROUNDING`."""
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        drawn = torch.rand(parameter.shape, generator=generator, dtype=parameter.dtype)
        parameter.mul_(1 + ROUNDING * (2 * drawn - 1))


def is_same(one: JacobianProduct, other: JacobianProduct) -> bool:
    """Return whether all norms of two products agree in the digits shown."""
    return bool(np.allclose(one.norms, other.norms, rtol=SHOWN, atol=0))


def orthogonal(matrix: Float[Tensor, "d d"]) -> Float[Tensor, "d d"]:
    """Return the orthogonal matrix of Gram–Schmidt, uniform for normal numbers (Mezzadri 2007)."""
    q, r = torch.linalg.qr(matrix)
    return q * r.diagonal().sign()


def factors_back(
    model: RecurrentLanguageModel, tokens: Tensor, layer: int
) -> Float[Tensor, "factor output input"]:
    """Return ∂h_t / ∂h_{t−1} = diag(1 − h_t²) W for t = n, … 2 (Pascanu et al. 2013, eq 5, for tanh)."""
    cell, trace = model.layers[layer], Trace()
    assert isinstance(cell, RNN)
    with torch.inference_mode():
        model(tokens, trace=trace)
    states = trace[f"layers.{layer}.hidden"][0]
    slopes = 1 - states[1:].flip(0).square()
    return slopes[:, :, None] * cell.from_hidden.weight


def norms_of_product(factors: Float[Tensor, "factor output input"]) -> Float[Tensor, "distance"]:
    """Return the largest singular value of the product of the first k factors, for k from 0 on."""
    products = [torch.eye(factors.shape[-1], dtype=factors.dtype)]
    for factor in factors:
        products.append(products[-1] @ factor)
    return torch.linalg.matrix_norm(torch.stack(products), ord=2)


def mean_singular(factors: Float[Tensor, "factor output input"]) -> Float[Tensor, "factor"]:
    """Return the root mean square of the singular values of each factor: √(Σ J_ab² / d)."""
    return (factors.square().sum(dim=(1, 2)) / factors.shape[-1]).sqrt()


def geometric_mean(values: Float[np.ndarray, "n"]) -> float:
    """Return e to the mean of the logarithms; 0 if one of the values is 0."""
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log(values).mean()))
