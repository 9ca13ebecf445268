"""The gates of an LSTM over a sentence, and the gradient that they let through the cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor

from core.measures.gradients.distance import copy_of
from core.model.recurrent import LSTM, LSTMStep, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language

Gate = Literal["forget", "input", "output"]
GATES: tuple[Gate, ...] = get_args(Gate)

NAME = "next-word-lstm"


@dataclass(frozen=True, eq=False)
class Gates:
    """One layer of an LSTM on a sentence of n words.

    `direct[k]` is ∂c_n / ∂c_{n−k} of every unit through the cell alone: the product of its last k forget
    gates. `whole[k]` is the largest singular value of ∂c_n / ∂c_{n−k} by all paths.
    """

    gates: dict[Gate, Float[np.ndarray, "position unit"]]
    direct: Float[np.ndarray, "distance unit"]
    whole: Float[np.ndarray, "distance"]

    @property
    def order(self) -> list[int]:
        """The units, from the one whose forget gate is open most on average."""
        return list(np.argsort(-self.gates["forget"].mean(axis=0), kind="stable"))


def gates(
    lstm: RecurrentLanguageModel, words: Sequence[str], *, layer: int, seed: int | None = None
) -> Gates:
    """Return the gates of an LSTM's `layer`, from 0, on a sentence; with a `seed`, at initialisation."""
    model = copy_of(lstm, seed=seed)
    steps = steps_of(model, language.encode(words).tokens, layer)
    cell = model.layers[layer]
    assert isinstance(cell, LSTM)
    found: dict[Gate, np.ndarray] = {name: getattr(steps, f"{name}_gate").numpy() for name in GATES}
    back = steps.forget_gate.flip(0)[: len(words) - 1]
    ones = torch.ones_like(steps.cell[:1])
    return Gates(found, torch.cat([ones, back.cumprod(0)]).numpy(), norms_of_cells(cell, steps).numpy())


def steps_of(model: RecurrentLanguageModel, tokens: Tensor, layer: int) -> LSTMStep:
    """Return the six quantities of every step of a layer, each (position, unit)."""
    trace = Trace()
    with torch.inference_mode():
        model(tokens, trace=trace)
    return LSTMStep(*(trace[f"layers.{layer}.{name}"][0] for name in LSTMStep._fields))


def norms_of_cells(cell: LSTM, steps: LSTMStep) -> Float[Tensor, "distance"]:
    """Return the largest singular value of ∂c_n / ∂c_{n−k} for k from 0, through hidden states too."""
    n, d = steps.cell.shape
    by_cell, by_hidden = torch.eye(d, dtype=steps.cell.dtype), torch.zeros(d, d, dtype=steps.cell.dtype)
    found = [by_cell]
    for t in range(n - 1, 0, -1):
        gained = steps.output_gate[t] * (1 - steps.cell[t].tanh().square())  # ∂h' / ∂c'
        to_cell = by_cell + by_hidden * gained
        from_hidden = cell_by_hidden(cell, steps, t)
        by_hidden = to_cell @ from_hidden + by_hidden @ _output_by_hidden(cell, steps, t)
        by_cell = to_cell * steps.forget_gate[t]
        before = steps.output_gate[t - 1] * (1 - steps.cell[t - 1].tanh().square())
        found.append(by_cell + by_hidden * before)
    return torch.linalg.matrix_norm(torch.stack(found), ord=2)


def cell_by_hidden(cell: LSTM, steps: LSTMStep, t: int) -> Float[Tensor, "d d"]:
    """Return ∂c_t / ∂h_{t−1}, through the forget gate, the input gate and the candidate."""
    forget, write, candidate = steps.forget_gate[t], steps.input_gate[t], steps.candidate[t]
    w_input, w_forget, w_candidate, _ = _matrices(cell)
    return (
        (steps.cell[t - 1] * forget * (1 - forget))[:, None] * w_forget
        + (candidate * write * (1 - write))[:, None] * w_input
        + (write * (1 - candidate.square()))[:, None] * w_candidate
    )


def _output_by_hidden(cell: LSTM, steps: LSTMStep, t: int) -> Float[Tensor, "d d"]:
    """Return ∂h_t / ∂h_{t−1} through the output gate alone."""
    out = steps.output_gate[t]
    return (steps.cell[t].tanh() * out * (1 - out))[:, None] * _matrices(cell)[3]


def _matrices(cell: LSTM) -> Float[Tensor, "sum d d"]:
    return rearrange(cell.from_hidden.weight, "(sum output) input -> sum output input", sum=4)
