"""A block without its parts is the rest of its formula, and its norms are torch's."""

import torch
from torch import Tensor, nn

from core.model.blocks import Block, FeedForward
from core.model.config import NORMS, Norm
from core.model.masks.combining import bidirectional, causal
from core.model.norm import LayerNorm, layer_norm
from core.model.positions.none import NoPositions
from core.model.trace import Trace
from tests.core.references import (
    BATCH,
    D_MODEL,
    SOURCE,
    TOLERANCE,
    WORDS,
    close,
    config,
    noise,
    noisy,
    norm_state,
)
from tests.covering import each

NOWHERE = NoPositions(config())
X = noise(BATCH, WORDS, D_MODEL, seed=1)
MEMORY = noise(BATCH, SOURCE, D_MODEL, seed=2)


@each("mlp", [True, False])
@each("residual", [True, False])
@each("norm", NORMS)
def test_a_switched_off_part_is_left_out_of_the_formula(norm: Norm, residual: bool, mlp: bool) -> None:
    block = noisy(Block(config(norm=norm, residual=residual, mlp=mlp), cross=True))

    def around(part: nn.Module, normalise: nn.Module, x: Tensor, *seen: Tensor) -> Tensor:
        keep = 1.0 if residual else 0.0
        if norm == "pre":
            return keep * x + torchs_part(part, normalise(x), *seen)
        out = keep * x + torchs_part(part, x, *seen)
        return normalise(out) if norm == "post" else out

    expected = around(block.attention, block.attention_norm, X)
    expected = around(block.cross_attention, block.cross_attention_norm, expected, MEMORY)
    if mlp:
        expected = around(block.mlp, block.mlp_norm, expected)
    trace = Trace()
    out = block(X, allowed=causal(WORDS, WORDS), positions=NOWHERE, memory=MEMORY, trace=trace)
    close(out, expected)
    assert ("mlp.out" in trace) == mlp
    assert any(name.startswith("mlp") for name, _ in block.named_parameters()) == mlp


def torchs_part(part: nn.Module, x: Tensor, *seen: Tensor) -> Tensor:
    if isinstance(part, FeedForward):
        return part(x)
    memory = seen[0] if seen else x
    allowed = bidirectional(WORDS, SOURCE) if seen else causal(WORDS, WORDS)
    return part(x, memory, allowed=allowed, positions=NOWHERE)


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
