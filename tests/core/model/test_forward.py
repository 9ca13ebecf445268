"""A forward pass answers by meaning with what the module at that place really took in and gave out."""

from typing import Any

import pytest
import torch
from torch import Tensor

import core
from core.model.config import POSITIONS, ModelConfig, Norm, Positions
from core.model.forward import ForwardPass, forward_pass, masked_with
from core.model.initialisation import initialise
from core.model.masks.combining import bidirectional, causal, window
from core.model.models import Transformer
from tests.core.references import BATCH, D_HEAD, N_HEADS, VOCAB, WORDS, close, config, noisy, tokens_of
from tests.covering import each

LAYERS = 2


def model_of(**options: Any) -> Transformer:
    return noisy(Transformer(config(n_layers=LAYERS, **options)))


def spied(model: Transformer, tokens: Tensor) -> tuple[ForwardPass, dict[str, tuple[Tensor, Tensor]]]:
    """Return the record of a pass, and the inputs and outputs of every module as hooks see them."""
    seen: dict[str, tuple[Tensor, Tensor]] = {}
    hooks = [
        module.register_forward_hook(
            lambda _, taken, given, name=name: seen.update({name: (taken[0], given)})
        )
        for name, module in model.named_modules()
    ]
    found = forward_pass(model, tokens)
    for hook in hooks:
        hook.remove()
    return found, seen


@each("norm", ["pre", "post", "none"])
@each("residual", [True, False])
def test_the_residual_stream_is_what_goes_into_each_part_and_comes_out(norm: Norm, residual: bool) -> None:
    model = model_of(norm=norm, residual=residual, positions="sinusoidal")
    found, seen = spied(model, tokens_of())
    close(found.embedded, seen["embed"][1])
    for layer in range(LAYERS):
        block = seen[f"blocks.{layer}"]
        close(found.entering(layer), block[0])
        close(found.leaving(layer), block[1])
        close(found.heads(layer).input, seen[f"blocks.{layer}.attention.query"][0])
        close(found.heads(layer).out, seen[f"blocks.{layer}.attention"][1])
        close(found.feed_forward_input(layer), seen[f"blocks.{layer}.mlp"][0])
        close(found.feed_forward(layer), seen[f"blocks.{layer}.mlp"][1])
        after = found.heads(layer).out + (found.entering(layer) if residual else 0)
        norm_after = model.blocks[layer].attention_norm if norm == "post" else torch.nn.Identity()
        close(found.after_attention(layer), norm_after(after))
    close(found.logits, seen["unembed"][1])


@each("scale", [True, False])
@each("positions", POSITIONS)
def test_the_heads_of_a_layer_lead_from_its_input_to_its_output(positions: Positions, scale: bool) -> None:
    model = model_of(positions=positions, scale=scale).requires_grad_(False)
    found = forward_pass(model, tokens_of())
    d_head = D_HEAD * (2 if positions == "rotary" else 1)
    for layer in range(LAYERS):
        heads, attention = found.heads(layer), model.blocks[layer].attention
        assert heads.scale == (d_head**-0.5 if scale else 1)
        q, k, v = (
            each(heads.input).unflatten(-1, (N_HEADS, d_head)).transpose(1, 2)
            for each in (attention.query, attention.key, attention.value)
        )
        close(heads.q, model.positions.rotate(q))
        close(heads.k, model.positions.rotate(k))
        close(heads.v, v)
        assert (heads.bias is None) == (model.positions.bias(heads.q, heads.k) is None)
        bias = 0 if heads.bias is None else heads.bias
        close(heads.scores, torch.einsum("bhqd,bhkd->bhqk", heads.q, heads.k) * heads.scale + bias)
        seen = heads.scores.masked_fill(~heads.allowed, -torch.inf)
        close(heads.pattern, seen.softmax(-1))
        close(found.patterns()[layer], heads.pattern)
        close(heads.z, heads.pattern @ heads.v)
        close(heads.out, attention.output(heads.z.transpose(1, 2).flatten(2)))
    assert found.patterns().shape == (LAYERS, BATCH, N_HEADS, WORDS, WORDS)
    assert found.logits.shape == (BATCH, WORDS, VOCAB)


def test_a_window_narrows_the_mask_and_another_mask_takes_its_place() -> None:
    model, tokens = model_of(mask="causal"), tokens_of()
    near = window(WORDS, WORDS, width=2)
    narrowed = forward_pass(model, tokens, allowed=near)
    assert not narrowed.logits.requires_grad
    with pytest.raises(KeyError, match="logits was not recorded"):
        _ = forward_pass(model, tokens, states_only=True).logits
    open_ = forward_pass(model, tokens, edits=masked_with(bidirectional(WORDS, WORDS), model.config))
    for layer in range(LAYERS):
        assert torch.equal(narrowed.heads(layer).allowed, near & causal(WORDS, WORDS))
        assert torch.equal(
            narrowed.heads(layer).pattern > 0, (near & causal(WORDS, WORDS)).expand(BATCH, N_HEADS, -1, -1)
        )
        assert bool((open_.heads(layer).pattern > 0).all())


def test_the_example_that_the_core_opens_with_runs() -> None:
    lines = [line.strip() for line in (core.__doc__ or "").splitlines() if line.startswith("    ")]
    names = {"Transformer": Transformer, "ModelConfig": ModelConfig, "torch": torch}
    names |= {"initialise": initialise, "forward_pass": forward_pass}
    exec("\n".join([*lines[:-1], f"shown = {lines[-1]}"]), names)
    shown = names["shown"]
    assert isinstance(shown, Tensor)
    assert tuple(shown.shape) == (1, 4, 5, 5)
    close(shown.sum(dim=-1), torch.ones(1, 4, 5))
