"""Layer normalisation is the formula of the note, torch's own, and looks at one token at a time."""

import torch
from torch import nn

from core.model.norm import LayerNorm, layer_norm
from tests.core.references import BATCH, D_MODEL, TOLERANCE, WORDS, close, noise, noisy, norm_state
from tests.covering import each


@each("dtype", TOLERANCE)
@each("width", [2, 5, D_MODEL])
def test_values_and_gradients_agree_with_torchs_layer_norm(width: int, dtype: torch.dtype) -> None:
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


def test_a_constant_vector_gives_zeros_and_the_formula_has_neither_gain_nor_bias() -> None:
    assert torch.equal(layer_norm(torch.full((1, 2, 5), 4.0)), torch.zeros(1, 2, 5))
    x = 3 + 5 * noise(BATCH, WORDS, D_MODEL)
    close(layer_norm(x), LayerNorm(D_MODEL).double()(x))
