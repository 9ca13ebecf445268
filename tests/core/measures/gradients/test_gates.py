"""Gates: what they leave of a cell, by autograd over every path, and along the cell alone."""

import numpy as np
import torch
from torch import Tensor

from core.learning.collection import load_listed_member
from core.measures.gradients.distance import copy_of
from core.measures.gradients.gates import GATES, gates
from core.model.recurrent import LSTM, RecurrentLanguageModel, lstm_step
from core.model.trace import Trace
from core.sources.trained import load_rival
from core.text import language
from tests.covering import each

WORDS = ("the", "key", "sold", "is")


def model(seed: int | None = None) -> RecurrentLanguageModel:
    found = copy_of(load_listed_member("next-word-lstm"), seed=seed)
    assert isinstance(found, RecurrentLanguageModel)
    return found


def cells_and_steps(lstm: LSTM, x: Tensor) -> list[Tensor]:
    """Return the cells after every word, each a node of the graph that the last one was computed in."""
    hidden = cell = torch.zeros(1, x.shape[-1], dtype=x.dtype)
    weights = {
        "input_weight": lstm.from_input.weight,
        "hidden_weight": lstm.from_hidden.weight,
        "bias": lstm.from_input.bias,
    }
    cells = []
    for word in x[0]:
        step = lstm_step(word[None], hidden, cell, **weights)
        cell = step.cell.requires_grad_()
        hidden = step.output_gate * cell.tanh()
        cells.append(cell)
    return cells


@each(("seed", "layer"), [(None, 0), (3, 1)])
def test_all_paths_together_are_the_jacobian_of_autograd(seed: int | None, layer: int) -> None:
    lstm_model, trace = model(seed), Trace()
    lstm_model(language.encode(WORDS).tokens, trace=trace)
    x = trace["embed" if layer == 0 else f"layers.{layer - 1}.hidden"]
    lstm = lstm_model.layers[layer]
    cells = cells_and_steps(lstm, x)
    jacobians = [
        torch.stack([torch.autograd.grad(one, cell, retain_graph=True)[0][0] for one in cells[-1][0]])
        for cell in reversed(cells)
    ]
    expected = torch.stack([torch.linalg.svdvals(jacobian)[0] for jacobian in jacobians])
    np.testing.assert_allclose(
        gates(load_rival("next-word-lstm"), WORDS, layer=layer, seed=seed).whole, expected
    )


def test_the_direct_path_is_the_product_of_the_forget_gates() -> None:
    found = gates(load_rival("next-word-lstm"), WORDS, layer=1)
    forget = found.gates["forget"]
    assert forget.shape == (len(WORDS), 64)
    assert found.direct.shape == (len(WORDS), 64)
    np.testing.assert_array_equal(found.direct[0], 1)
    np.testing.assert_allclose(found.direct[2], forget[3] * forget[2])
    np.testing.assert_allclose(found.direct[3], np.prod(forget[1:], axis=0))


def test_the_gates_agree_with_the_models_record() -> None:
    found, trace = gates(load_rival("next-word-lstm"), WORDS, layer=0), Trace()
    load_listed_member("next-word-lstm")(language.encode(WORDS).tokens, trace=trace)
    for name in GATES:
        np.testing.assert_allclose(found.gates[name], trace[f"layers.0.{name}_gate"][0].detach(), atol=1e-5)
    means = found.gates["forget"].mean(axis=0)[found.order]
    assert sorted(found.order) == list(range(64))
    assert (np.diff(means) <= 0).all()
