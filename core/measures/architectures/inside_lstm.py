"""What a layer of an LSTM computes as it reads one word: its gates, its candidate, its cell, its state."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.gradients.gates import steps_of
from core.model.recurrent import RecurrentLanguageModel
from core.text import language

Units = Float[np.ndarray, "unit"]


@dataclass(frozen=True, eq=False)
class CellStep:
    """One step of a layer, as in the Seq2seq slides: `before` is the cell that the step before hands on.

    cell = forget ⊙ before + write ⊙ candidate, and hidden = output ⊙ tanh(cell); `write` is the input gate.
    """

    before: Units
    forget: Units
    write: Units
    candidate: Units
    output: Units
    cell: Units
    hidden: Units


def cell_step(model: RecurrentLanguageModel, words: Sequence[str], *, layer: int, position: int) -> CellStep:
    """The step at a position of an LSTM's layer, both counted from 0."""
    steps = steps_of(model, language.encode(words).tokens, layer)
    at = {name: value[position].cpu().numpy() for name, value in steps._asdict().items()}
    before = steps.cell[position - 1].cpu().numpy() if position else np.zeros_like(at["cell"])
    return CellStep(
        before=before,
        forget=at["forget_gate"],
        write=at["input_gate"],
        candidate=at["candidate"],
        output=at["output_gate"],
        cell=at["cell"],
        hidden=at["hidden"],
    )
