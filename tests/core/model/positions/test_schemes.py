"""Every position scheme against its formula written out, and again in the models that use it."""

import math

import pytest
import torch
from torch import Tensor

from core.model.config import POSITIONS, Positions
from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.positions import INJECTION_POINTS, SCHEMES
from core.model.positions.alibi import alibi_slopes
from core.model.positions.relative import Relative, relative_buckets
from core.model.positions.rotary import rotate_pairs
from core.model.positions.sinusoidal import sinusoids
from core.model.trace import Trace
from tests.core.references import (
    BATCH,
    D_HEAD,
    D_MODEL,
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

PAIRED = 14
"""Width of a head whose dimensions rotary positions turn in pairs."""


def model_of(positions: Positions, **options: object) -> Transformer:
    return noisy(Transformer(config(positions=positions, mask="bidirectional", **options)))


@each("d_model", [1, 2, 14, D_MODEL])
def test_sinusoids_are_the_formula_entry_by_entry(d_model: int) -> None:
    n = 11
    waves = sinusoids(n, d_model)
    assert tuple(waves.shape) == (n, d_model)
    for p in range(n):
        for dimension in range(d_model):
            i = dimension // 2
            angle = p / 10000 ** (2 * i / d_model)
            wave = math.sin(angle) if dimension % 2 == 0 else math.cos(angle)
            assert waves[p, dimension].item() == pytest.approx(wave, abs=1e-12)


def test_learned_positions_add_a_row_of_their_table_to_the_word_that_stands_there() -> None:
    learned = noisy(SCHEMES["learned"](config(max_len=7)))
    table = next(learned.parameters())
    assert tuple(table.shape) == (7, D_MODEL)
    with pytest.raises(ValueError, match="learned positions end at max_len = 7, got 8 words"):
        learned.embed(noise(BATCH, 8, D_MODEL))
    x = noise(BATCH, WORDS, D_MODEL)
    for b in range(BATCH):
        for p in range(WORDS):
            close(learned.embed(x)[b, p], x[b, p] + table[p])


def test_slopes_fall_geometrically_and_end_at_one_in_256_whatever_the_number_of_heads() -> None:
    assert alibi_slopes(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert alibi_slopes(4).tolist() == [1 / 4, 1 / 16, 1 / 64, 1 / 256]
    assert alibi_slopes(1).tolist() == [1 / 256]
    assert alibi_slopes(3).tolist() == pytest.approx([2 ** (-8 / 3), 2 ** (-16 / 3), 1 / 256])
    q, k = noise(BATCH, N_HEADS, WORDS, 7, seed=1), noise(BATCH, N_HEADS, 11, 7, seed=2)
    bias = SCHEMES["alibi"](config()).bias(q, k)
    assert bias.dtype == torch.float64
    assert tuple(bias.shape) == (N_HEADS, WORDS, 11)
    torch.testing.assert_close(bias[2, 4].tolist(), [-abs(4 - j) / 256 for j in range(11)])


def test_rotary_pairs_is_multiplying_complex_numbers_and_keeps_every_norm() -> None:
    vectors = noise(BATCH, N_HEADS, WORDS, PAIRED)
    angles = noise(WORDS, PAIRED // 2, seed=1)
    turned = rotate_pairs(vectors, angles)
    complex_pairs = torch.view_as_complex(vectors.unflatten(-1, (-1, 2)))
    unit = torch.polar(torch.ones_like(angles), angles)
    close(turned, torch.view_as_real(complex_pairs * unit).flatten(-2))
    close(turned.norm(dim=-1), vectors.norm(dim=-1))


@each(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.bfloat16, 2e-2)])
def test_far_positions_turn_as_exactly_as_the_precision_of_the_vectors_allows(
    dtype: torch.dtype, tolerance: float
) -> None:
    rotary = SCHEMES["rotary"](config(positions="rotary"))
    vectors = (noise(1, 1, 2048, PAIRED, dtype=dtype) / 4).clamp(-1, 1)
    turned = rotary.rotate(vectors)
    assert turned.dtype == dtype
    torch.testing.assert_close(turned.double(), rotary.rotate(vectors.double()), rtol=0, atol=tolerance)


def test_a_model_turns_its_queries_and_its_keys_and_not_its_values() -> None:
    model, trace = model_of("rotary", n_layers=1, norm="none"), Trace()
    model(tokens_of(), trace=trace)
    attention, x = model.blocks[0].attention, trace["positions"]
    angles = torch.tensor([[p * 10000 ** (-2 * i / PAIRED) for i in range(7)] for p in range(WORDS)])
    for name, part in (("q", attention.query), ("k", attention.key), ("v", attention.value)):
        plain = part(x).unflatten(-1, (N_HEADS, PAIRED)).transpose(1, 2)
        expected = plain if name == "v" else rotate_pairs(plain, angles.double())
        torch.testing.assert_close(trace[f"blocks.0.attention.{name}"], expected, rtol=1e-5, atol=1e-5)


@each("positions", POSITIONS)
def test_every_scheme_enters_at_one_injection_point_and_leaves_the_others_alone(positions: Positions) -> None:
    scheme = noisy(SCHEMES[positions](config(positions=positions)))
    x, q = noise(BATCH, WORDS, D_MODEL), noise(BATCH, N_HEADS, WORDS, PAIRED)
    enters = {
        "embed": not torch.equal(scheme.embed(x), x),
        "rotate": not torch.equal(scheme.rotate(q), q),
        "bias": scheme.bias(q, q) is not None,
    }
    assert enters == {point: scheme.injection_point() == point for point in INJECTION_POINTS}
    assert any(enters.values()) == (positions != "none")
    scheme, x, q = scheme.to("meta"), x.to("meta"), q.to("meta")  # its addend is on the device of the vectors
    made: list[Tensor | None] = [scheme.embed(x), scheme.rotate(q), scheme.bias(q, q)]
    assert {tensor.device.type for tensor in made if tensor is not None} == {"meta"}


@each("positions", POSITIONS)
def test_permuted_words_give_permuted_outputs_only_without_positions(positions: Positions) -> None:
    model = model_of(positions, n_layers=1)
    tokens, order = tokens_of(words=7), torch.tensor([3, 0, 6, 1, 5, 2, 4])
    difference = (model(tokens[:, order]) - model(tokens)[:, order]).abs().amax(dim=(0, 2))
    if positions == "none":
        assert difference.max() < 1e-12
    else:
        assert difference.min() > 1e-4


def test_the_description_of_a_scheme_has_the_numbers_of_a_model() -> None:
    for base, written in ((10_000.0, "10000"), (1_000_000.0, "1000000"), (77.5, "77.5")):
        own = config(positions="rotary", rotary_base=base)
        assert rf"i \cdot {written}^{{-2m/" in SCHEMES["rotary"].about_head(0, own).formula
        assert f"p / {written}^(2i/d_head)" in SCHEMES["rotary"].program_lines(own)
    assert "2^{-8h/k}" in SCHEMES["alibi"].about_head(2, config(positions="alibi")).formula
    about = SCHEMES["alibi"].about_head(2, config(positions="alibi", slopes=(0.5, 2.0, 0.3)))
    assert "2^{" not in about.formula
    assert "In head 3 m is 0.3." in about.says


LONG = 151


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
    buckets = relative_buckets(LONG, LONG, both_sides=both_sides)
    expected = [[t5_bucket(j - i, bidirectional=both_sides) for j in range(LONG)] for i in range(LONG)]
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
