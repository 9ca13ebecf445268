"""Clipping: a training by torch's own network, clipping and descent; parts that add up to the gradient."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from core.measures.gradients import clipping
from core.measures.gradients.clipping import BATCH, D_MODEL, LENGTH, RATE, SATURATED, THRESHOLD, texts
from core.model.initialisation import initialise
from core.model.recurrent import RecurrentConfig, RecurrentLanguageModel
from core.text import language
from tests.covering import each

training = cache(clipping.training)


@pytest.fixture(autouse=True, scope="module")
def few_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clipping, "STEPS", 8)
        texts.cache_clear()
        yield
    texts.cache_clear()


def model_of(scale: float, seed: int) -> RecurrentLanguageModel:
    size = len(language.vocabulary())
    model = RecurrentLanguageModel(RecurrentConfig(vocab_size=size, network="rnn", d_model=D_MODEL)).double()
    initialise(model, seed=seed)
    with torch.no_grad():
        model.layers[0].from_hidden.weight.mul_(scale)
    return model


def torchs_own(scale: float, *, clips: bool, seed: int, n_steps: int) -> list[tuple[float, ...]]:
    """Return the loss, the gradient's norm, and the recurrent weights' part before and after clipping."""
    ours = model_of(scale, seed)
    cell = ours.layers[0]
    network = nn.RNN(D_MODEL, D_MODEL, batch_first=True).double()
    with torch.no_grad():
        network.weight_ih_l0.copy_(cell.from_input.weight)
        network.weight_hh_l0.copy_(cell.from_hidden.weight)
        network.bias_ih_l0.copy_(cell.from_input.bias)
        network.bias_hh_l0.zero_()
    network.bias_hh_l0.requires_grad_(False)  # torch has two biases, and we have one
    parts = nn.ModuleList([ours.embed, network, ours.unembed])
    weights = [one for one in parts.parameters() if one.requires_grad]
    descent, found = torch.optim.SGD(weights, lr=RATE), []
    for tokens in texts()[:n_steps]:
        states, _ = network(ours.embed(tokens[:, :-1]))
        loss = cross_entropy(ours.unembed(states[:, -1]), tokens[:, -1])
        descent.zero_grad()
        loss.backward()
        before = network.weight_hh_l0.grad.norm().item()
        norm = nn.utils.clip_grad_norm_(weights, THRESHOLD if clips else torch.inf).item()
        found.append((loss.item(), norm, before, network.weight_hh_l0.grad.norm().item()))
        descent.step()
    return found


@each(("clips", "n_steps", "tolerance"), [(True, 3, 1e-3), (False, 7, 1e-5)])
def test_the_training_agrees_with_torchs_network_clipping_and_descent(
    clips: bool, n_steps: int, tolerance: float
) -> None:
    """For few steps: torch adds 1e-6 to the norm that it divides by, and such differences explode too."""
    found = training(2.0, clips=clips, seed=3)[:n_steps]
    expected = torchs_own(2.0, clips=clips, seed=3, n_steps=n_steps)
    assert found[0].norm > THRESHOLD
    assert found[0].factor == pytest.approx(THRESHOLD / found[0].norm if clips else 1)
    numbers = [(one.loss, one.norm, one.recurrent, one.recurrent * one.factor) for one in found]
    np.testing.assert_allclose(numbers, expected, rtol=tolerance)


def test_the_parts_are_the_gradients_of_weights_that_each_word_has_for_itself() -> None:
    model, tokens = model_of(1.5, 4), texts()[0]
    cell = model.layers[0]
    own = [cell.from_hidden.weight.detach().clone().requires_grad_() for _ in range(LENGTH)]
    hidden = torch.zeros(BATCH, D_MODEL, dtype=torch.float64)
    for matrix, word in zip(own, model.embed(tokens[:, :-1]).unbind(1), strict=True):
        hidden = torch.tanh(hidden @ matrix.T + cell.from_input(word))
    loss = cross_entropy(model.unembed(hidden), tokens[:, -1])
    gradients = torch.autograd.grad(loss, own)
    step = training(1.5, clips=True, seed=4)[0]
    expected = [gradient.norm().item() for gradient in reversed(gradients[1:])]
    np.testing.assert_allclose(step.parts, expected)
    assert step.recurrent == pytest.approx(sum(gradients).norm().item())
    assert gradients[0].norm() == 0, "before the first word there is no state"
    assert step.loss == pytest.approx(loss.item())


def test_states_are_saturated_where_tanh_is_flat_on_either_side() -> None:
    model = model_of(3.0, 0)
    states = model.layers[0](model.embed(texts()[0][:, :-1]))
    expected = ((states > SATURATED) | (states < -SATURATED)).double().mean().item()
    assert training(3.0, clips=True, seed=0)[0].saturated == pytest.approx(expected)
    assert expected > 0.1
