"""Clipping: a short training of an RNN with and without it, and the gradient's share by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.model.initialisation import initialise
from core.model.recurrent import RNN, RecurrentConfig, RecurrentLanguageModel, rnn_step
from core.text import language

D_MODEL, LENGTH, BATCH, STEPS = 32, 40, 16, 50
RATE = 0.5
"""Learning rate of plain gradient descent, because optimisers with moments rescale every gradient."""

THRESHOLD = 5.0
"""Norm of the whole gradient above which it is clipped."""

FAR = 10

SATURATED = 0.99
"""Absolute value of a state above which tanh counts as flat."""


@dataclass(frozen=True, eq=False)
class ClippingStep:
    """One step of training, measured before the weights change.

    Lengths: `norm` of the gradient of all weights, which clipping multiplies by `factor`; `recurrent` of its
    part for the recurrent weights, whose norm is `weights`; `parts[k]` of the contribution of the word k back
    to that part. `saturated` is the share of states where tanh is flat.
    """

    loss: float
    norm: float
    factor: float
    recurrent: float
    weights: float
    parts: Float[np.ndarray, "distance"]
    saturated: float

    @property
    def far(self) -> float:
        """Share of words more than `FAR` back in the sum of all lengths; NaN if all are 0."""
        total = float(self.parts.sum())
        return float(self.parts[FAR + 1 :].sum()) / total if total else float("nan")

    @property
    def clipped(self) -> Float[np.ndarray, "distance"]:
        return self.parts * self.factor


def training(scale: float, *, clips: bool, seed: int) -> list[ClippingStep]:
    """Train an RNN to predict the word after `LENGTH`; `scale` multiplies its first recurrent weights."""
    config = RecurrentConfig(
        vocab_size=len(language.vocabulary()), network="rnn", d_model=D_MODEL, n_layers=1
    )
    model = RecurrentLanguageModel(config).double()
    initialise(model, seed=seed)
    cell = model.layers[0]
    assert isinstance(cell, RNN)
    with torch.inference_mode(mode=False), torch.enable_grad():
        with torch.no_grad():
            cell.from_hidden.weight.mul_(scale)
        return [_step(model, cell, tokens.clone(), clips=clips) for tokens in texts()]


@cache
def texts() -> tuple[Int[Tensor, "batch position"], ...]:
    """Return a batch of training sentences for each step: `LENGTH` words and the word to predict."""
    size = BATCH * (LENGTH + 1)
    words = chain.from_iterable(sentence.words for sentence in language.sentences(seed=0))
    return tuple(
        language.encode(list(islice(words, size))).tokens.view(BATCH, LENGTH + 1) for _ in range(STEPS)
    )


def _step(model: RecurrentLanguageModel, cell: RNN, tokens: Tensor, *, clips: bool) -> ClippingStep:
    hidden = unrolled(cell, model.embed(tokens[:, :-1]))
    loss = cross_entropy(model.unembed(hidden[-1]), tokens[:, -1])
    weights = dict(model.named_parameters())
    found = torch.autograd.grad(loss, [*weights.values(), *hidden[1:]])
    by_name, by_state = dict(zip(weights, found, strict=False)), found[len(weights) :]
    norm = float(torch.stack([gradient.square().sum() for gradient in by_name.values()]).sum().sqrt())
    factor = min(1.0, THRESHOLD / norm) if clips and norm else 1.0
    with torch.no_grad():
        step = ClippingStep(
            loss=float(loss),
            norm=norm,
            factor=factor,
            recurrent=float(by_name["layers.0.from_hidden.weight"].norm()),
            weights=float(cell.from_hidden.weight.norm()),
            parts=_parts(hidden, by_state),
            saturated=float((torch.stack(hidden[1:]).abs() > SATURATED).double().mean()),
        )
        for name, weight in weights.items():
            weight.sub_(RATE * factor * by_name[name])
    return step


def unrolled(cell: RNN, x: Float[Tensor, "batch position d_model"]) -> list[Float[Tensor, "batch d_model"]]:
    """Return the zero state and the states after each word, each a node of the graph."""
    states = [torch.zeros_like(x[:, 0])]
    for word in x.unbind(dim=1):
        states.append(
            rnn_step(
                word,
                states[-1],
                input_weight=cell.from_input.weight,
                hidden_weight=cell.from_hidden.weight,
                bias=cell.from_input.bias,
            )
        )
    return states


def _parts(hidden: Sequence[Tensor], by_state: Sequence[Tensor]) -> Float[np.ndarray, "distance"]:
    """Return ‖h_{t−1}ᵀ δ_t‖ from the last word back (Pascanu et al. 2013, eq 4); δ_t is before tanh."""
    before, after = torch.stack(list(hidden[:-1])), torch.stack(list(hidden[1:]))
    slopes = torch.stack(list(by_state)) * (1 - after.square())
    parts = slopes.mT @ before
    lengths: np.ndarray = torch.linalg.matrix_norm(parts)[1:].flip(0).numpy()
    return lengths
