"""Whole models equal torch's stacks; their names are the contract; no query sees the future or padding."""

from itertools import product

import pytest
import torch
from torch import Tensor, nn

from core.model.config import NORMS, POSITIONS, ModelConfig, Norm, Positions
from core.model.masks import MASKS
from core.model.masks.combining import padding
from core.model.models import EncoderDecoder, Stack, Transformer
from core.model.positions import SCHEMES
from core.model.positions.sinusoidal import sinusoids
from core.model.trace import Trace
from tests.core.references import (
    BATCH,
    D_MODEL,
    N_HEADS,
    SOURCE,
    TOLERANCE,
    VOCAB,
    WORDS,
    close,
    config,
    noise,
    noisy,
    norm_state,
    tokens_of,
    torchs_block,
)
from tests.covering import each

ATTENTION = ["q", "k", "v", "scores", "allowed", "pattern", "z", "out"]
PARTS = list(product([True, False], repeat=2))
SWITCHES = [
    (positions, norm, *PARTS[(POSITIONS.index(positions) + NORMS.index(norm)) % len(PARTS)])
    for positions, norm in product(POSITIONS, NORMS)
]
"""Every scheme with every norm, with and without residuals and feed-forward.

All pairs of values occur, and each norm has all four choices of left-out parts.
"""
BY_TURNS = [at // 2 % 2 for at in range(len(SWITCHES))]
"""For one more switch of two values: with every value of each of the others it has both."""
LENGTHS = torch.tensor([SOURCE, 7])
PADDED = padding(LENGTHS, SOURCE)


def model_of(config: ModelConfig, *, dtype: torch.dtype = torch.float64) -> Transformer:
    return noisy(Transformer(config), dtype=dtype)


def both_of(encoder: ModelConfig, decoder: ModelConfig) -> EncoderDecoder:
    return noisy(EncoderDecoder(encoder, decoder))


def embedded(stack: Stack, tokens: Tensor) -> Tensor:
    words = stack.embed.weight[tokens]
    return words + sinusoids(tokens.shape[1], D_MODEL).to(words)


def torchs_norm(stack: Stack, x: Tensor) -> Tensor:
    """Return the norm after the last block, which a stack of pre-norm blocks has."""
    if stack.config.norm != "pre":
        return x
    return nn.functional.layer_norm(x, (D_MODEL,), stack.norm.gain, stack.norm.bias)


@each("dtype", TOLERANCE)
@each("mask", MASKS)
@each(("norm", "n_layers"), [("pre", 3), ("post", 1)])
def test_a_transformer_is_torchs_layers_between_an_embedding_and_a_linear_map(
    norm: Norm, mask: str, n_layers: int, dtype: torch.dtype
) -> None:
    ours = config(positions="sinusoidal", norm=norm, mask=mask, n_layers=n_layers)
    model, tokens = model_of(ours, dtype=dtype), tokens_of()
    x = embedded(model, tokens)
    future = ~MASKS[mask].allowed(WORDS)[0, 0] if MASKS[mask].hides else None
    for block in model.blocks:
        x = torchs_block(block, ours)(x, future)
    close(model(tokens), torchs_norm(model, x) @ model.unembed.weight.T)
    assert len(model.blocks) == n_layers


@each("norm", NORMS)
def test_an_encoder_decoder_is_torchs_transformer(norm: Norm) -> None:
    first = config(positions="sinusoidal", norm=norm, mask="bidirectional", n_layers=2)
    second = config(positions="sinusoidal", norm=norm, n_layers=3)
    model, (source, target) = both_of(first, second), (tokens_of(words=SOURCE), tokens_of(seed=2))
    theirs = torchs_transformer(model, first, second)
    future, hidden = torch.ones(WORDS, WORDS, dtype=torch.bool).triu(1), ~PADDED[:, 0, 0]
    x = theirs(
        embedded(model.encoder, source),
        embedded(model.decoder, target),
        tgt_mask=future,
        src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )
    close(model((source, target), source_allowed=PADDED), x @ model.decoder.unembed.weight.T)


def torchs_transformer(ours: EncoderDecoder, first: ModelConfig, second: ModelConfig) -> nn.Transformer:
    """torch's encoder–decoder with the weights of ours; its stacks always end with a norm."""
    theirs = nn.Transformer(
        D_MODEL, N_HEADS, first.n_layers, second.n_layers, batch_first=True, dtype=torch.float64
    )
    for side, stack, made_of in (
        (theirs.encoder, ours.encoder, first),
        (theirs.decoder, ours.decoder, second),
    ):
        side.layers = nn.ModuleList(torchs_block(block, made_of) for block in stack.blocks)
        if made_of.norm == "pre":
            side.norm.load_state_dict(norm_state(stack.norm))
        else:
            side.norm = None
    return theirs


def block_names(positions: Positions, *, mlp: bool, cross: bool = False) -> list[str]:
    names = [f"attention.{name}" for name in ["input", *ATTENTION]] + ["mid", "out"]
    names += ["attention.bias"] if SCHEMES[positions].injection_point() == "bias" else []
    names += [f"cross_attention.{name}" for name in ["input", *ATTENTION]] + ["cross"] if cross else []
    return names + (["mlp.input", "mlp.hidden", "mlp.out"] if mlp else [])


def stack_names(positions: Positions, *, mlp: bool, cross: bool = False) -> set[str]:
    names = block_names(positions, mlp=mlp, cross=cross)
    return {"embed", "positions", "norm"} | {f"blocks.{i}.{name}" for i in range(2) for name in names}


@each(
    ("positions", "norm", "residual", "mlp", "mask"),
    [(*switches, tuple(MASKS)[at // 2 % len(MASKS)]) for at, switches in enumerate(SWITCHES)],
)
def test_every_configuration_records_the_names_of_the_contract(
    positions: Positions, norm: Norm, residual: bool, mlp: bool, mask: str
) -> None:
    model = model_of(config(positions=positions, norm=norm, residual=residual, mlp=mlp, mask=mask))
    trace = Trace()
    logits = model(tokens_of(), trace=trace)
    assert set(trace) == stack_names(positions, mlp=mlp) | {"logits"}
    assert trace["logits"] is logits
    assert logits.shape == (BATCH, WORDS, VOCAB)
    assert bool(logits.isfinite().all())
    assert trace["blocks.1.attention.pattern"].shape == (BATCH, N_HEADS, WORDS, WORDS)
    assert trace["blocks.0.out"].shape == trace["embed"].shape == (BATCH, WORDS, model.config.d_model)


@each("positions", POSITIONS)
def test_padding_of_the_source_changes_nothing(positions: Positions) -> None:
    model = both_of(config(positions=positions, mask="bidirectional"), config(positions=positions))
    source, target, trace = tokens_of(words=SOURCE), tokens_of(seed=2), Trace()
    logits = model((source, target), source_allowed=PADDED, trace=trace)
    names = {f"encoder.{name}" for name in stack_names(positions, mlp=True)}
    names |= {f"decoder.{name}" for name in stack_names(positions, mlp=True, cross=True)}
    assert set(trace) == names | {"decoder.logits"}
    other = torch.where(PADDED[:, 0, 0], source, (source + 1) % VOCAB)
    assert torch.equal(model((other, target), source_allowed=PADDED, trace=Trace()), logits)
    silent = model((source, target), source_allowed=PADDED)
    assert torch.equal(model((other, target), source_allowed=PADDED), silent)
    close(silent, logits)
    close(model((source[1:, :7], target[1:])), logits[1:])
    assert trace["decoder.blocks.1.cross_attention.pattern"].shape == (BATCH, N_HEADS, WORDS, SOURCE)
    for name in [name for name in trace if name.endswith("pattern") and trace[name].shape[-1] == SOURCE]:
        assert bool((trace[name][1, ..., 7:] == 0).all()), name
        assert bool((trace[name][0] > 0).all()), name


@each(
    ("positions", "norm", "residual", "mlp", "scale"),
    [(*switches, [True, False][at]) for switches, at in zip(SWITCHES, BY_TURNS, strict=True)],
)
def test_no_output_has_a_gradient_from_a_later_word_and_each_has_one_from_every_earlier(
    positions: Positions, norm: Norm, residual: bool, mlp: bool, scale: bool
) -> None:
    model = model_of(config(positions=positions, norm=norm, residual=residual, mlp=mlp, scale=scale))
    words = noise(1, WORDS, model.config.d_model, seed=4).requires_grad_()
    trace = Trace(edits={"embed": lambda _: words})
    logits = model(tokens_of(1), trace=trace)[0]
    directions = noise(WORDS, VOCAB, seed=5)
    influence = torch.stack(
        [
            torch.autograd.grad((logits[i] * directions[i]).sum(), words, retain_graph=True)[0][0]
            for i in range(WORDS)
        ]
    ).abs()
    assert torch.equal(influence.amax(dim=-1) > 0, torch.ones(WORDS, WORDS, dtype=torch.bool).tril())
    for i in range(2):
        pattern = trace[f"blocks.{i}.attention.pattern"]
        assert torch.equal(pattern.triu(1), torch.zeros_like(pattern))


@each(
    ("tokens", "message"),
    [
        (torch.tensor([[0, 13]]), r"between 0 and vocab_size - 1 = 12, got 0 to 13"),
        (torch.tensor([0, 1]), r"axes \(batch, position\) and at least one position, got \(2,\)"),
        (torch.zeros(0, 5, dtype=torch.long), r"at least one position, got \(0, 5\)"),
    ],
)
def test_invalid_tokens_are_refused(tokens: Tensor, message: str) -> None:
    model = both_of(config(), config())
    for call in (lambda: model.decoder(tokens), lambda: model((tokens, tokens_of()))):
        with pytest.raises(ValueError, match=message):
            call()


@each(("tied", "factor"), [(True, D_MODEL**0.5), (False, 1.0)])
def test_a_table_that_is_the_output_layer_too_is_larger_as_word_vectors(tied: bool, factor: float) -> None:
    model, trace = noisy(Transformer(config(tied=tied))), Trace()
    tokens = tokens_of()
    logits = model(tokens, trace=trace)
    close(trace["embed"], model.embed.weight[tokens] * factor)
    close(logits, trace["norm"] @ (model.embed if tied else model.unembed).weight.T)


def test_parts_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="must have the same d_model, got 21 and 33"):
        EncoderDecoder(config(), config(d_model=33))
    for cross, memory in ((True, None), (False, noise(BATCH, SOURCE, D_MODEL))):
        with pytest.raises(ValueError, match=f"cross={cross}"):
            Transformer(config(), cross=cross)(tokens_of(), memory=memory)
