"""The step of an LSTM is the one that torch takes with the same weights."""

import pytest
import torch

from core.measures.architectures.unrolled import cell_step
from core.sources.rivals import load_rival
from core.text import language

WORDS = ["the", "chef", "who", "ran", "is"]


@pytest.mark.parametrize(("layer", "position"), [(0, 0), (0, 3), (1, 4)])
def test_a_step_is_that_of_torch(layer: int, position: int) -> None:
    model = load_rival("next-word-lstm")
    ours = model.layers[layer]
    theirs = torch.nn.LSTM(ours.from_input.in_features, ours.from_hidden.in_features, batch_first=True)
    with torch.no_grad():
        theirs.weight_ih_l0.copy_(ours.from_input.weight)
        theirs.weight_hh_l0.copy_(ours.from_hidden.weight)
        theirs.bias_ih_l0.copy_(ours.from_input.bias)
        theirs.bias_hh_l0.zero_()
        states = model.embed(language.encode(WORDS).tokens)
        for below in model.layers[:layer]:
            states = below(states)
        _, (hidden, cell) = theirs(states[:, : position + 1])
        _, (_, before) = theirs(states[:, :position]) if position else (None, (None, torch.zeros_like(cell)))
    step = cell_step(model, WORDS, layer=layer, position=position)
    for found, expected in ((step.hidden, hidden), (step.cell, cell), (step.before, before)):
        torch.testing.assert_close(torch.from_numpy(found), expected[0, 0], atol=1e-5, rtol=1e-4)


def test_the_parts_of_a_step_make_its_cell_and_its_state() -> None:
    step = cell_step(load_rival("next-word-lstm"), WORDS, layer=1, position=2)
    assert step.cell == pytest.approx(step.forget * step.before + step.write * step.candidate, abs=1e-5)
    assert step.hidden == pytest.approx(step.output * torch.from_numpy(step.cell).tanh().numpy(), abs=1e-5)
