"""A block equals torch's layer, pre- and post-norm; without its parts, the rest of the formula remains."""

import torch
from torch import Tensor, nn

from core.model.blocks import Block, FeedForward
from core.model.config import NORMS, ModelConfig, Norm
from core.model.masks.combining import bidirectional, causal, padding
from core.model.positions.none import NoPositions
from core.model.trace import Trace
from tests.core.references import (
    BATCH,
    D_MODEL,
    N_HEADS,
    SOURCE,
    TOLERANCE,
    WORDS,
    close,
    config,
    noise,
    noisy,
    torchs_block,
)
from tests.covering import each

NOWHERE = NoPositions(config())
X = noise(BATCH, WORDS, D_MODEL, seed=1)
MEMORY = noise(BATCH, SOURCE, D_MODEL, seed=2)
MASKS = {
    "everything": bidirectional(WORDS, WORDS),
    "the past": causal(WORDS, WORDS),
    "no padding": padding(torch.tensor([WORDS, 3]), WORDS),
}
SOURCE_ALLOWED = padding(torch.tensor([3, SOURCE]), SOURCE)


def block_of(config: ModelConfig, *, cross: bool = False, dtype: torch.dtype = torch.float64) -> Block:
    return noisy(Block(config, cross=cross), dtype=dtype)


def blocked(allowed: Tensor) -> Tensor:
    """Return a mask as torch's layers want it: True is blocked, heads folded into the batch."""
    return ~allowed.expand(BATCH, N_HEADS, WORDS, WORDS).flatten(0, 1)


@each("dtype", TOLERANCE)
@each("norm", ["pre", "post"])
@each("allowed", MASKS.values())
def test_a_block_is_torchs_encoder_layer(allowed: Tensor, norm: Norm, dtype: torch.dtype) -> None:
    ours = block_of(config(norm=norm), dtype=dtype)
    theirs = torchs_block(ours, config(norm=norm))
    ours_x, theirs_x = (X.to(dtype, copy=True).requires_grad_() for _ in range(2))
    out, expected = ours(ours_x, allowed=allowed, positions=NOWHERE), theirs(theirs_x, blocked(allowed))
    close(out, expected)
    (out * MEMORY[:, :WORDS].to(dtype)).sum().backward()
    (expected * MEMORY[:, :WORDS].to(dtype)).sum().backward()
    close(ours_x.grad, theirs_x.grad)


@each("dtype", TOLERANCE)
@each(("norm", "padded"), [("pre", True), ("post", False)])
def test_a_block_with_a_memory_is_torchs_decoder_layer(padded: bool, norm: Norm, dtype: torch.dtype) -> None:
    ours = block_of(config(norm=norm), cross=True, dtype=dtype)
    theirs = torchs_block(ours, config(norm=norm))
    x, memory, allowed = X.to(dtype), MEMORY.to(dtype), causal(WORDS, WORDS)
    out = ours(
        x,
        allowed=allowed,
        positions=NOWHERE,
        memory=memory,
        memory_allowed=SOURCE_ALLOWED if padded else None,
    )
    hidden = ~SOURCE_ALLOWED[:, 0, 0] if padded else None
    close(out, theirs(x, memory, tgt_mask=blocked(allowed), memory_key_padding_mask=hidden))


@each("mlp", [True, False])
@each("residual", [True, False])
@each("norm", NORMS)
def test_a_switched_off_part_is_left_out_of_the_formula(norm: Norm, residual: bool, mlp: bool) -> None:
    block = block_of(config(norm=norm, residual=residual, mlp=mlp), cross=True)

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
