"""How gradients reach back over words: Jacobians of recurrent networks, and their products."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice
from statistics import fmean
from typing import Literal, TypeVar, get_args

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from core.learning.training import Model
from core.measures.distance.long_range import word_jacobians
from core.model.initialisation import initialise
from core.model.recurrent import RNN, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language

FURTHEST = (50, 100, 200)
"""Distances, in words, that gradients can be followed back."""

INITIAL, TRAINED = STAGES = ("initial", "trained")
"""A network before its first training step, and after its last."""

N = TypeVar("N", bound=nn.Module)


def copy_of(model: N, *, seed: int | None = None) -> N:
    """A copy of a model in double precision, on the CPU; with a `seed`, at initialisation.

    The gradients of an RNN fall below what single precision can hold within a hundred words.
    """
    copy = deepcopy(model).cpu().requires_grad_(False)
    if seed is not None:
        initialise(copy, seed=seed)
    return copy.double()


@cache
def mean_length() -> float:
    """How many words a sentence of the language has in the mean, of the first thousand to train on."""
    return fmean(len(sentence.words) for sentence in islice(language.sentences(seed=0), 1000))


def long_text(words: Sequence[str], n: int) -> tuple[str, ...]:
    """`n` words that end in `words`, or in their last `n`; before them come sentences of the language.

    They are test sentences, on which no model was trained, and always the same ones before the same word.
    """
    return (*_before(n), *words)[-n:]


@cache
def _before(n: int) -> tuple[str, ...]:
    """At least `n` words: test sentences, the first one drawn at the end."""
    text: tuple[str, ...] = ()
    for sentence in language.sentences(seed=0, split="test"):
        if len(text) >= n:
            break
        text = (*sentence.words, *text)
    return text


Recurrence = Literal["trained", "random", "orthogonal"]
RECURRENCES: tuple[Recurrence, ...] = get_args(Recurrence)
"""Origins of the recurrent weights: a training, a draw, or a draw of rotations and reflections."""

NAME = "next-word-rnn"
"""The member of the collection that is measured."""

ROUNDING = 2.0**-52
"""The share by which double precision tells a number from the next one."""

SHOWN = 0.005
"""Numbers are shown with three digits at most: those that differ by less than this share look alike."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """An RNN to look at: where its weights come from, and by what its recurrent weights are multiplied."""

    recurrence: Recurrence = "trained"
    scale: float = 1.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Product:
    """The Jacobians of one layer on the way back from the last of `words`, each by its singular values.

    `norms[k]` is the largest one of ∂h_n / ∂h_{n−k}, the product of k factors. `largest[i]` is that of the
    factor ∂h_{n−i} / ∂h_{n−i−1}, by which it stretches one direction and no other more. `mean[i]` is the root
    mean square of all its singular values, by which it stretches directions on average.
    """

    words: tuple[str, ...]
    norms: Float[np.ndarray, "distance"]
    largest: Float[np.ndarray, "factor"]
    mean: Float[np.ndarray, "factor"]

    @property
    def worst(self) -> float:
        """The geometric mean of the largest singular values: its power is what no product of all exceeds.

        ‖AB‖ ≤ ‖A‖ ‖B‖: with equality if each factor stretched most what the one before it has left.
        """
        return geometric_mean(self.largest)

    @property
    def average(self) -> float:
        """The geometric mean of the mean singular values.

        Its power is the product's size if every factor met a random direction, as it does where weights are
        random and many (Schoenholz et al. 2017, section 4, for depth).
        """
        return geometric_mean(self.mean)


def product(
    trained: RecurrentLanguageModel,
    words: Sequence[str],
    weights: Weights,
    *,
    layer: int,
    furthest: int = FURTHEST[-1],
    rounding: bool = False,
) -> Product:
    """The product of the Jacobians of `layer`, counted from 0, up to `furthest` words back.

    The RNN, `trained` or one like it as `weights` say, reads the `long_text` of `words`. With `rounding` each
    of its weights is another by a rounding error: `is_same` tells whether the product is then still itself.
    """
    text = long_text(words, furthest + 1)
    model = rnn(trained, weights)
    if rounding:
        round_otherwise(model)
    factors = factors_back(model, language.encode(text).tokens, layer)
    largest = torch.linalg.matrix_norm(factors, ord=2)
    return Product(text, norms_of_product(factors).numpy(), largest.numpy(), mean_singular(factors).numpy())


def rnn(trained: RecurrentLanguageModel, weights: Weights) -> RecurrentLanguageModel:
    """A copy of a trained RNN, its recurrent weights as asked in all layers."""
    drawn = weights.recurrence != "trained"
    model = copy_of(trained, seed=weights.seed if drawn else None)
    for layer in model.layers:
        assert isinstance(layer, RNN)
        matrix = layer.from_hidden.weight
        if weights.recurrence == "orthogonal":
            matrix.copy_(orthogonal(matrix))
        matrix.mul_(weights.scale)
    return model


def round_otherwise(model: nn.Module) -> None:
    """Change every weight in double precision at random, by the share `ROUNDING` at most."""
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        drawn = torch.rand(parameter.shape, generator=generator, dtype=parameter.dtype)
        parameter.mul_(1 + ROUNDING * (2 * drawn - 1))


def is_same(one: Product, other: Product) -> bool:
    """Whether no norm of one product differs from that of the other in the digits that are shown."""
    return bool(np.allclose(one.norms, other.norms, rtol=SHOWN, atol=0))


def orthogonal(matrix: Float[Tensor, "d d"]) -> Float[Tensor, "d d"]:
    """The orthogonal matrix that is left of `matrix` where its columns are made orthonormal one by one.

    From normal numbers every orthogonal matrix is equally likely (Mezzadri 2007).
    """
    q, r = torch.linalg.qr(matrix)
    return q * r.diagonal().sign()


def factors_back(
    model: RecurrentLanguageModel, tokens: Tensor, layer: int
) -> Float[Tensor, "factor output input"]:
    """∂h_t / ∂h_{t−1} = diag(1 − h_t²) W for t = n, n − 1, … 2 (Pascanu et al. 2013, eq 5, for our tanh)."""
    cell, trace = model.layers[layer], Trace()
    assert isinstance(cell, RNN)
    with torch.inference_mode():
        model(tokens, trace=trace)
    states = trace[f"layers.{layer}.hidden"][0]
    slopes = 1 - states[1:].flip(0).square()
    return slopes[:, :, None] * cell.from_hidden.weight


def norms_of_product(factors: Float[Tensor, "factor output input"]) -> Float[Tensor, "distance"]:
    """The largest singular value of the product of the first k factors, for k from 0 on."""
    products = [torch.eye(factors.shape[-1], dtype=factors.dtype)]
    for factor in factors:
        products.append(products[-1] @ factor)
    return torch.linalg.matrix_norm(torch.stack(products), ord=2)


def mean_singular(factors: Float[Tensor, "factor output input"]) -> Float[Tensor, "factor"]:
    """The root mean square of the singular values of each: √(Σ J_ab² / d)."""
    return (factors.square().sum(dim=(1, 2)) / factors.shape[-1]).sqrt()


def geometric_mean(values: Float[np.ndarray, "n"]) -> float:
    """e to the mean of the logarithms; 0 where one of them is 0."""
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log(values).mean()))


@dataclass(frozen=True, eq=False)
class Reach:
    """`norms[name, stage][k]` is how much the word k back can move the state of the last of `words`."""

    words: tuple[str, ...]
    norms: Mapping[tuple[str, str], Float[np.ndarray, "distance"]]


def norms_of(model: Model, text: Sequence[str], seed: int | None) -> Float[np.ndarray, "distance"]:
    """What `norms_back` finds in a model of the language; with a `seed`, in that at initialisation."""
    return norms_back(copy_of(model, seed=seed), language.encode(text).tokens)


T = TypeVar("T")


def reach(
    words: Sequence[str],
    networks: Mapping[str, T],
    *,
    seed: int,
    furthest: int = FURTHEST[-1],
    measure: Callable[[T, tuple[str, ...], int | None], np.ndarray],
) -> Reach:
    """The norms up to `furthest` words back in each of the networks, at both stages.

    They read the `long_text` of `words`. `measure` is `norms_of` for networks that are models; for mere names
    of theirs, it may have a memory and load only what it has not measured.
    """
    text = long_text(words, furthest + 1)
    return Reach(
        text,
        {
            (network, stage): measure(one, text, seed if stage == INITIAL else None)
            for stage in STAGES
            for network, one in networks.items()
        },
    )


def norms_back(model: Model, tokens: Int[Tensor, "1 position"]) -> Float[np.ndarray, "distance"]:
    """‖∂h_n / ∂x_{n−k}‖ for every k from 0 on: h_n is the last state, x_j the vector of word j.

    The norm is the largest singular value: how far the state moves at most, for a small step of the word's
    vector of length 1 (the norm of Pascanu et al. 2013, section 2.1). State and vector are those of
    `core.measures.distance.long_range`.
    """
    jacobians = word_jacobians(model, tokens, tokens.shape[1] - 1)
    norms: np.ndarray = torch.linalg.matrix_norm(jacobians, ord=2).flip(0).numpy()
    norms.flags.writeable = False
    return norms


FITS = 0.8
"""The least R² of an exponential that is said to fit a curve."""


@dataclass(frozen=True)
class Exponential:
    """What a norm is multiplied by per word, and the share of log ‖·‖'s variance that this explains (R²)."""

    factor: float
    r_squared: float

    @property
    def fits(self) -> bool:
        """Whether the factor may be quoted."""
        return self.r_squared >= FITS


def exponential(norms: Sequence[float] | Float[np.ndarray, "distance"]) -> Exponential:
    """The exponential that fits norms best: e to the slope of the straight line through log ‖·‖ from k = 1.

    By least squares. Norms of 0 have no logarithm and are left out; not a number for fewer than two others.
    What does not vary is explained whole.
    """
    values = np.asarray(norms, dtype=float)
    distances = np.flatnonzero(values > 0)
    distances = distances[distances >= 1]
    if len(distances) < 2:
        return Exponential(float("nan"), float("nan"))
    logs = np.log(values[distances])
    slope, start = np.polyfit(distances, logs, 1)
    left, varies = float(np.var(logs - start - slope * distances)), float(np.var(logs))
    return Exponential(float(np.exp(slope)), 1 - left / varies if varies else 1.0)
