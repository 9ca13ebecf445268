"""T5's relative bias: buckets by hand, against T5's own steps written out, and in a model."""

import math

import torch

from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.positions.relative import Relative, relative_buckets
from core.model.trace import Trace
from tests.core.references import (
    BATCH,
    D_HEAD,
    N_HEADS,
    SOURCE,
    WORDS,
    close,
    config,
    noise,
    noisy,
    tokens_of,
)
from tests.covering import each

N = 151


def t5_bucket(relative: int, *, bidirectional: bool) -> int:
    """One distance (key − query) at a time, as in the appendix of T5's code: 32 buckets, up to 128."""
    n_buckets, base = 32, 0
    if bidirectional:
        n_buckets //= 2
        base = n_buckets if relative > 0 else 0
        relative = abs(relative)
    else:
        relative = max(-relative, 0)
    n_exact = n_buckets // 2
    if relative < n_exact:
        return base + relative
    step = math.log2(relative / n_exact) / math.log2(128 / n_exact) * (n_buckets - n_exact)
    return base + min(n_exact + int(step), n_buckets - 1)


@each("both_sides", [True, False])
def test_every_bucket_agrees_with_t5(both_sides: bool) -> None:
    buckets = relative_buckets(N, N, both_sides=both_sides)
    expected = [[t5_bucket(j - i, bidirectional=both_sides) for j in range(N)] for i in range(N)]
    assert buckets.tolist() == expected


@each("mask", ["causal", "bidirectional"])
def test_a_model_adds_the_number_of_the_bucket_to_the_scaled_scores_of_every_layer(mask: str) -> None:
    model, trace = noisy(Transformer(config(positions="relative", mask=mask))), Trace()
    model(tokens_of(), trace=trace)
    table = model.positions.table
    assert dict(model.named_parameters())["positions.table"].shape == (32, N_HEADS)
    q, k, scores = (trace[f"blocks.1.attention.{name}"] for name in ("q", "k", "scores"))
    for h in range(N_HEADS):
        for i in range(WORDS):
            for j in range(WORDS):
                bias = table[t5_bucket(j - i, bidirectional=MASKS[mask].looks_ahead), h]
                expected = q[:, h, i].mul(k[:, h, j]).sum(dim=-1) / math.sqrt(7) + bias
                close(scores[:, h, i, j], expected)


@each("learned", MASKS)
@each("shown", MASKS)
def test_a_model_shown_with_another_mask_keeps_the_buckets_that_it_has_learned(
    learned: str, shown: str
) -> None:
    own = noisy(Relative(config(positions="relative", mask=learned)))
    two_sided = MASKS[learned].looks_ahead
    other = Relative(config(positions="relative", mask=shown, two_sided=two_sided)).double()
    other.load_state_dict(own.state_dict())
    q = noise(BATCH, N_HEADS, SOURCE, D_HEAD)
    assert torch.equal(other.bias(q, q), own.bias(q, q))
