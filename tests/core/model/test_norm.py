"""Layer normalisation is the formula of the note, torch's own, and looks at one token at a time."""

import numpy as np
import pytest
import torch
from torch import nn

from core.model.norm import LayerNorm, layer_norm
from tests.core.references import BATCH, D_MODEL, TOLERANCE, WORDS, close, noise, noisy, norm_state


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("width", [2, 5, D_MODEL])
def test_values_and_gradients_are_those_of_torchs_layer_norm(width: int, dtype: torch.dtype) -> None:
    ours, theirs = noisy(LayerNorm(width), dtype=dtype), nn.LayerNorm(width, dtype=dtype)
    theirs.load_state_dict(norm_state(ours))
    ours_x, theirs_x = ((3 + noise(BATCH, WORDS, width, dtype=dtype)).requires_grad_() for _ in range(2))
    direction = noise(BATCH, WORDS, width, seed=1, dtype=dtype)
    normalised, expected = ours(ours_x), theirs(theirs_x)
    (normalised * direction).sum().backward()
    (expected * direction).sum().backward()
    close(normalised, expected)
    close(ours_x.grad, theirs_x.grad)
    close(ours.gain.grad, theirs.weight.grad)
    close(ours.bias.grad, theirs.bias.grad)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_values_are_those_of_the_formula_worked_out_in_numpy(dtype: torch.dtype) -> None:
    norm, x = noisy(LayerNorm(D_MODEL), dtype=dtype), 3 + 5 * noise(BATCH, WORDS, D_MODEL, dtype=dtype)
    rows = x.double().numpy()
    variance = rows.var(axis=-1, keepdims=True)  # divided by d
    expected = torch.from_numpy((rows - rows.mean(axis=-1, keepdims=True)) / np.sqrt(variance + 1e-5))
    close(layer_norm(x), expected.to(dtype))
    close(norm(x).detach(), (expected * norm.gain.double() + norm.bias.double()).detach().to(dtype))


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_without_gain_and_bias_it_is_torchs_without_affine_parameters(dtype: torch.dtype) -> None:
    x = 3 + 5 * noise(BATCH, WORDS, D_MODEL, dtype=dtype)
    close(layer_norm(x), nn.LayerNorm(D_MODEL, elementwise_affine=False, dtype=dtype)(x))
    close(layer_norm(x), LayerNorm(D_MODEL).to(dtype)(x))


def test_every_token_gets_mean_zero_and_variance_one() -> None:
    normalised = layer_norm(7 + 100 * noise(BATCH, WORDS, D_MODEL))
    zeros = torch.zeros(BATCH, WORDS, dtype=torch.float64)
    torch.testing.assert_close(normalised.mean(dim=-1), zeros)
    torch.testing.assert_close(normalised.var(dim=-1, correction=0), zeros + 1, rtol=1e-8, atol=1e-8)


def test_changing_one_token_leaves_the_statistics_of_the_others() -> None:
    x = noise(BATCH, WORDS, D_MODEL)
    changed = x.clone()
    changed[1, 3] = 100 * noise(D_MODEL, seed=5) + 7
    before, after = layer_norm(x), layer_norm(changed)
    same = torch.ones(BATCH, WORDS, dtype=torch.bool)
    same[1, 3] = False
    assert torch.equal((before == after).all(dim=-1), same)


def test_a_constant_vector_gives_zeros() -> None:
    assert torch.equal(layer_norm(torch.full((1, 2, 5), 4.0)), torch.zeros(1, 2, 5))
