"""Attention is torch's own, row by row a probability, and survives rows that may see nothing."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from core.model import attention as module
from core.model.attention import MultiHeadAttention, attention_pattern, attention_scores, fused_attention
from core.model.masks.combining import bidirectional, causal, padding, window
from core.model.positions.none import NoPositions
from core.model.trace import SILENT, Recorder, Trace
from tests.core.references import (
    BATCH,
    D_HEAD,
    D_MODEL,
    N_HEADS,
    SOURCE,
    TOLERANCE,
    WORDS,
    close,
    config,
    noise,
    noisy,
    torchs_attention,
)
from tests.covering import each

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
NOWHERE = NoPositions(config())
LENGTHS = torch.tensor([SOURCE, 3])
MASKS = {
    "everything": bidirectional(WORDS, SOURCE),
    "the past": causal(WORDS, SOURCE),
    "the near": window(WORDS, SOURCE, width=2),
    "no padding": padding(LENGTHS, SOURCE),
    "something of its own for each head": (noise(BATCH, N_HEADS, WORDS, SOURCE, seed=9) > 0)
    | causal(WORDS, SOURCE),
}


def heads(n: int, *, seed: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return noise(BATCH, N_HEADS, n, D_HEAD, seed=seed, dtype=dtype)


@each("dtype", TOLERANCE)
@each("biased", [False, True])
@each("allowed", [*MASKS.values(), window(WORDS, SOURCE, width=2) & ~causal(WORDS, 1)])
def test_scores_softmax_and_values_agree_with_the_fused_kernel_and_torch(
    allowed: Tensor, biased: bool, dtype: torch.dtype
) -> None:
    q, k, v = (heads(n, seed=i, dtype=dtype).requires_grad_() for i, n in enumerate([WORDS, SOURCE, SOURCE]))
    bias = noise(N_HEADS, WORDS, SOURCE, seed=3, dtype=dtype).requires_grad_() if biased else None
    one = fused_attention(q, k, v, allowed, scale=0.3, bias=bias)
    other = attention_pattern(attention_scores(q, k, scale=0.3, bias=bias), allowed) @ v
    close(one, other)
    if allowed.any(dim=-1).all():
        mask = allowed if bias is None else bias.masked_fill(~allowed, -math.inf)
        close(other, scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=0.3))
    learned = [q, k, v] if bias is None else [q, k, v, bias]
    weights = noise(*one.shape, seed=4, dtype=dtype)
    for mine, theirs in zip(
        torch.autograd.grad((one * weights).sum(), learned),
        torch.autograd.grad((other * weights).sum(), learned),
        strict=True,
    ):
        close(mine, theirs)


@each(
    ("trace", "listened"),
    [
        (SILENT, False),
        (Trace(keep=["z", "allowed"], edits={"allowed": lambda allowed: allowed}), False),
        (Trace(keep=["pattern"]), True),
        (Trace(keep=["scores"]), True),
        (Trace(keep=["out"], edits={"scores": lambda scores: scores}), True),
        (Trace(), True),
    ],
)
def test_scores_are_computed_only_for_a_trace(
    trace: Recorder, listened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    attention, x = noisy(MultiHeadAttention(config())), noise(BATCH, WORDS, D_MODEL)
    allowed, computed = causal(WORDS, WORDS), []
    expected = attention(x, x, allowed=allowed, positions=NOWHERE, trace=Trace())
    monkeypatch.setattr(
        module, "attention_scores", lambda *a, **given: computed.append(True) or attention_scores(*a, **given)
    )
    close(attention(x, x, allowed=allowed, positions=NOWHERE, trace=trace), expected)
    assert bool(computed) == listened


@each("dtype", DTYPES)
@each("fused", [False, True])
def test_a_query_that_may_see_nothing_gets_zeros_and_finite_gradients(
    fused: bool, dtype: torch.dtype
) -> None:
    q, k, v = (heads(n, seed=n + 1, dtype=dtype).requires_grad_() for n in (WORDS, SOURCE, SOURCE))
    allowed = bidirectional(WORDS, SOURCE).repeat(BATCH, N_HEADS, 1, 1)
    allowed[1, 2, 3] = False
    scores = attention_scores(q, k, scale=D_HEAD**-0.5)
    pattern = attention_pattern(scores, allowed)
    z = fused_attention(q, k, v, allowed, scale=D_HEAD**-0.5) if fused else pattern @ v
    with torch.autograd.set_detect_anomaly(True):  # raises at a NaN on the way, even one that is masked later
        z.sum().backward()
    assert bool((pattern[1, 2, 3] == 0).all())
    loud = scores.masked_fill(~causal(WORDS, SOURCE), 60000.0)
    assert torch.equal(attention_pattern(loud, causal(WORDS, SOURCE)).triu(1), torch.zeros_like(loud))
    assert bool((z[1, 2, 3] == 0).all())
    assert bool((q.grad[1, 2, 3] == 0).all())
    assert all(bool(grad.isfinite().all()) for grad in (z, q.grad, k.grad, v.grad))
    untouched = attention_pattern(scores, bidirectional(WORDS, SOURCE))
    assert torch.equal(pattern[1, 2, :3], untouched[1, 2, :3])
    assert torch.equal(pattern[0], untouched[0])


@each("dtype", TOLERANCE)
@each("bias", [True, False])
@each("allowed", MASKS.values())
def test_several_heads_are_torchs_multi_head_attention(
    allowed: Tensor, bias: bool, dtype: torch.dtype
) -> None:
    ours = noisy(MultiHeadAttention(config(bias=bias)), dtype=dtype)
    theirs = torchs_attention(ours)
    x, memory = (noise(BATCH, n, D_MODEL, seed=n, dtype=dtype) for n in (WORDS, SOURCE))
    blocked = ~allowed.expand(BATCH, N_HEADS, WORDS, SOURCE).flatten(0, 1)

    trace = Trace()
    out = ours(x, memory, allowed=allowed, positions=NOWHERE, trace=trace)
    expected, per_head = theirs(x, memory, memory, attn_mask=blocked, average_attn_weights=False)
    _, averaged = theirs(x, memory, memory, attn_mask=blocked)

    close(out, expected)
    close(trace["pattern"], per_head)
    close(trace["pattern"].mean(dim=1), averaged)
