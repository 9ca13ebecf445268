"""How far a gradient reaches: the norm of ∂(last state) / ∂(the word k back) for every k."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from core.learning.training import Model
from core.measures.distance.influence import word_jacobians
from core.measures.gradients.networks import FURTHEST, INITIAL, STAGES, copy_of, long_text
from core.text import language


@dataclass(frozen=True, eq=False)
class Reach:
    """`norms[name, stage][k]` is how much the word k back can move the state of the last of `words`."""

    words: tuple[str, ...]
    norms: Mapping[tuple[str, str], Float[np.ndarray, "distance"]]


def norms_of(model: Model, text: Sequence[str], seed: int | None) -> Float[np.ndarray, "distance"]:
    """What `norms_back` finds in a model of the language; with a `seed`, in that at initialisation."""
    return norms_back(copy_of(model, seed=seed), language.encode(text).tokens)


N = TypeVar("N")


def reach(
    words: Sequence[str],
    networks: Mapping[str, N],
    *,
    seed: int,
    furthest: int = FURTHEST[-1],
    measure: Callable[[N, tuple[str, ...], int | None], np.ndarray],
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
    `core.measures.distance.influence`.
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
