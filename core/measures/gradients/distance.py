"""Gradients over distance: the influence of each word on a state of a network."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice
from statistics import fmean
from typing import TypeVar

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Float, Int
from torch import Tensor, nn

from core.device import device_of
from core.learning.training import Model, Pair
from core.model.classifier import SequenceClassifier
from core.model.initialisation import initialise
from core.model.models import Stack, Tokens
from core.model.trace import Edit, Trace
from core.text import language

FURTHEST = (50, 100, 200)
"""Distances in words over which gradients can be followed back."""

INITIAL, TRAINED = STAGES = ("initial", "trained")
"""A network before its first training step, and after its last."""

N = TypeVar("N", bound=nn.Module)


def copy_of(model: N, *, seed: int | None = None) -> N:
    """Return a copy in double precision on the CPU; with a `seed`, at initialisation."""
    copy = deepcopy(model).cpu().requires_grad_(False)
    if seed is not None:
        initialise(copy, seed=seed)
    return copy.double()


@cache
def mean_length() -> float:
    """Return the mean number of words in a sentence of the language, over a thousand training sentences."""
    return fmean(len(sentence.words) for sentence in islice(language.sentences(seed=0), 1000))


def long_text(words: Sequence[str], n: int) -> tuple[str, ...]:
    """Return `n` words that end in `words`, or in their last `n`, after test sentences of the language."""
    return (*_before(n), *words)[-n:]


@cache
def _before(n: int) -> tuple[str, ...]:
    """Return at least `n` words of test sentences; the first one drawn is at the end."""
    text: tuple[str, ...] = ()
    for sentence in language.sentences(seed=0, split="test"):
        if len(text) >= n:
            break
        text = (*sentence.words, *text)
    return text


@dataclass(frozen=True, eq=False)
class GradientNorms:
    """Gradients back: `norms[name, stage][k]` is the influence of the word k back on the last state."""

    words: tuple[str, ...]
    norms: Mapping[tuple[str, str], Float[np.ndarray, "distance"]]


def norms_of(model: Model, text: Sequence[str], seed: int | None) -> Float[np.ndarray, "distance"]:
    """Return `norms_back` of a model of the language; with a `seed`, of the model at initialisation."""
    return norms_back(copy_of(model, seed=seed), language.encode(text).tokens)


T = TypeVar("T")


def gradient_norms_by_network(
    words: Sequence[str],
    networks: Mapping[str, T],
    *,
    seed: int,
    furthest: int = FURTHEST[-1],
    measure: Callable[[T, tuple[str, ...], int | None], np.ndarray],
) -> GradientNorms:
    """Return the norms up to `furthest` words back in each of the networks, at both stages.

    `measure` is `norms_of`, or a cached version of it that takes networks by name.
    """
    text = long_text(words, furthest + 1)
    return GradientNorms(
        text,
        {
            (network, stage): measure(one, text, seed if stage == INITIAL else None)
            for stage in STAGES
            for network, one in networks.items()
        },
    )


def norms_back(model: Model, tokens: Int[Tensor, "1 position"]) -> Float[np.ndarray, "distance"]:
    """Return ‖∂h_n / ∂x_{n−k}‖ for every k from 0: the largest singular value (Pascanu et al. 2013, 2.1)."""
    jacobians = word_jacobians(model, tokens, tokens.shape[1] - 1)
    norms: np.ndarray = torch.linalg.matrix_norm(jacobians, ord=2).flip(0).numpy()
    norms.flags.writeable = False
    return norms


FITS = 0.8
"""Least R² with which an exponential counts as fitting a curve."""


@dataclass(frozen=True)
class ExponentialFit:
    """The factor of a norm per word, and the share of log ‖·‖'s variance that it explains (R²)."""

    factor: float
    r_squared: float

    @property
    def fits(self) -> bool:
        """Whether the factor may be quoted."""
        return self.r_squared >= FITS


def fit_exponential(norms: Sequence[float] | Float[np.ndarray, "distance"]) -> ExponentialFit:
    """Return the exponential that fits norms best, by least squares of log ‖·‖ from k = 1.

    Norms of 0 are left out; the result is NaN for fewer than two others.
    """
    values = np.asarray(norms, dtype=float)
    distances = np.flatnonzero(values > 0)
    distances = distances[distances >= 1]
    if len(distances) < 2:
        return ExponentialFit(float("nan"), float("nan"))
    logs = np.log(values[distances])
    slope, start = np.polyfit(distances, logs, 1)
    left, varies = float(np.var(logs - start - slope * distances)), float(np.var(logs))
    return ExponentialFit(float(np.exp(slope)), 1 - left / varies if varies else 1.0)


@dataclass(frozen=True, eq=False)
class Influences:
    """Norms of the influence of every word on one state, by network."""

    norms: Mapping[str, Float[np.ndarray, "position"]]

    def shares(self) -> Float[np.ndarray, "network position"]:
        """Return each word's share of the total; NaN in a network whose norms overflow or are all 0."""
        return np.stack([_shares(norms) for norms in self.norms.values()])

    def mean_distances(self, target: int) -> Float[np.ndarray, "network"]:
        """Return the mean distance, by share, of the influence on the state of word `target`, in words."""
        shares = self.shares()
        return np.asarray(shares @ np.abs(np.arange(shares.shape[1]) - target))


def _shares(norms: Float[np.ndarray, "position"]) -> Float[np.ndarray, "position"]:
    whole = norms.sum(dtype=np.float64)
    return norms / whole if 0 < whole < np.inf else np.full(norms.shape, np.nan)


def influences(models: Mapping[str, Model], tokens: Tokens, target: int) -> Influences:
    """Return the influence of every word on the state at `target`, as in `influence`."""
    return Influences(
        {
            name: influence(model, tokens.to(device_of(model)), target).cpu().numpy()
            for name, model in models.items()
        }
    )


def influence(model: Model, tokens: Int[Tensor, "1 position"], target: int) -> Float[Tensor, "position"]:
    """Return ‖∂h_target / ∂x_j‖ for every word j: how strongly the state depends on the word's vector.

    h is the input of the output layer, and x_j the vector of word j before positions are added. The norm is
    the Frobenius norm (Pascanu et al. 2013, section 2).
    """
    return _of_targets(model, tokens, [target], _frobenius_norms)[0]


def all_influences(
    model: Stack, tokens: Int[Tensor, "1 position"], *, edits: Mapping[str, Edit] | None = None
) -> Float[Tensor, "output input"]:
    """Return ‖∂h_i / ∂x_j‖ for every two words, exactly 0 without a path; one backward pass for each i."""
    return _of_targets(model, tokens, range(tokens.shape[1]), _frobenius_norms, edits)


def word_jacobians(
    model: Model | Stack, tokens: Int[Tensor, "1 position"], target: int
) -> Float[Tensor, "position output input"]:
    """Return ∂h_target / ∂x_j for every word j in the model's precision; `influence` defines h and x."""
    return _of_targets(model, tokens, [target], lambda jacobian: jacobian)[0]


def _frobenius_norms(jacobian: Float[Tensor, "position output input"]) -> Float[Tensor, "position"]:
    return jacobian.pow(2).sum(dim=(1, 2)).sqrt()


def _of_targets(
    model: Model | Stack,
    tokens: Int[Tensor, "1 position"],
    targets: Sequence[int],
    measure: Callable[[Float[Tensor, "position output input"]], Tensor],
    edits: Mapping[str, Edit] | None = None,
) -> Tensor:
    """Return a row for each i of `targets`: `measure` of ∂h_i / ∂x_j for all words j."""
    assert not isinstance(model, Pair | SequenceClassifier), "a model of one sequence that goes on with words"
    last = "norm" if isinstance(model, Stack) else f"layers.{model.config.n_layers - 1}.hidden"
    # The word vectors are new leaves of the graph, without the model's parameters.
    start_here = {"embed": lambda vectors: vectors.detach().requires_grad_()}
    trace, rows = Trace(edits={**(edits or {}), **start_here}), []
    with torch.inference_mode(mode=False), torch.enable_grad():
        model(tokens.clone(), trace=trace)
        for target in targets:
            state = trace[last][0, target]
            rows.append(measure(_jacobian(state, trace["embed"])))
    return torch.stack(rows)


def _jacobian(
    state: Float[Tensor, "output"], vectors: Float[Tensor, "1 position input"]
) -> Float[Tensor, "position output input"]:
    """Return ∂state / ∂vectors in one pass by `torch.vmap`: `is_grads_batched` takes twice the time."""

    def back(weights: Float[Tensor, "output"]) -> Float[Tensor, "position input"]:
        (found,) = torch.autograd.grad(state, vectors, weights, retain_graph=True)
        return found[0]

    found = torch.vmap(back)(torch.eye(len(state), dtype=state.dtype, device=state.device))
    return rearrange(found, "output position input -> position output input")
