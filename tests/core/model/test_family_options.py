"""Differences of pretrained families, part by part, each against torch or a written-out formula."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core.measures.blocks.parts import _value_map
from core.model.blocks import FeedForward, norm_layer
from core.model.forward import forward_pass
from core.model.masks.combining import causal, prefix, window
from core.model.models import Transformer
from core.model.positions import SCHEMES
from core.model.positions.frequencies import RotaryScaling
from core.model.positions.rotary import rotary_angles
from core.model.trace import Trace
from tests.core.references import BATCH, D_MLP, D_MODEL, WORDS, close, config, noise, noisy, tokens_of
from tests.covering import each

X = noise(BATCH, WORDS, D_MODEL)
GROUPED = {"n_heads": 6, "head_width": 5, "n_kv_heads": 2}


def test_queries_keys_and_values_of_a_head_are_known_with_shared_keys_too() -> None:
    model, trace = (
        noisy(Transformer(config(**GROUPED, bias=False, norm="none"))).requires_grad_(False),
        Trace(),
    )
    model(tokens_of(), trace=trace)
    place = "blocks.0.attention."
    x = trace[place + "input"]
    for head in range(6):
        attention = model.blocks[0].attention
        query = attention.query.weight[attention.slice_of(head)]
        key = attention.key.weight[attention.shared_slice_of(head)]
        scores = x @ query.T @ key @ x.mT / 5**0.5
        close(trace[place + "scores"][:, head], scores)
        passed = torch.tensor(np.array(_value_map(model, 0, head)))
        output = model.blocks[0].attention.output.weight[:, head * 5 : head * 5 + 5]
        close(trace[place + "v"][:, head] @ output.T, x @ passed)


def test_a_window_of_the_model_narrows_its_mask_and_every_other_one() -> None:
    model, tokens = noisy(Transformer(config(window=2))), tokens_of()
    own = window(WORDS, WORDS, width=2) & causal(WORDS, WORDS)
    assert torch.equal(forward_pass(model, tokens).allowed(), own)
    assert torch.equal(model.config.allowed(WORDS), own)
    narrower = window(WORDS, WORDS, width=1)
    assert torch.equal(forward_pass(model, tokens, allowed=narrower).allowed(), own & narrower)
    both = replace(model.config, mask="bidirectional")
    assert torch.equal(both.allowed(WORDS), window(WORDS, WORDS, width=2))
    assert torch.equal(config(mask="prefix").allowed(WORDS, given=3), prefix(WORDS, WORDS, length=3))


def test_frequencies_are_slowed_as_much_as_they_turn_rarely() -> None:
    frequencies = torch.tensor([1.0, 0.5, 0.25, 0.125, 0.01]).double() * 2 * torch.pi
    assert torch.equal(RotaryScaling(factor=5.0).slowed(frequencies), frequencies / 5)
    of_llama = RotaryScaling(factor=5.0, trained_length=8, slow_turns=1.0, fast_turns=4.0)
    slowed = of_llama.slowed(frequencies) / frequencies
    # 8, 4, 2, 1 and 0.08 turns within 8 positions: whole, whole, 1/3 of the way, divided, divided.
    close(slowed, torch.tensor([1, 1, 1 / 3 + 2 / 3 / 5, 1 / 5, 1 / 5], dtype=torch.float64))
    ours = config(positions="rotary", rotary_scaling=of_llama)
    rotary = SCHEMES["rotary"]
    assert "slow pairs are divided by 5." in rotary.about_head(0, ours).says
    assert "divided" not in rotary.about_head(0, config(positions="rotary")).says
    linear = replace(ours, rotary_scaling=RotaryScaling(factor=2.5))
    assert rotary.about_head(0, linear).says.endswith("All angles are divided by 2.5.")


@each(
    ("name", "theirs"),
    [("relu", nn.ReLU()), ("gelu", nn.GELU()), ("gelu_tanh", nn.GELU("tanh")), ("silu", nn.SiLU())],
)
@each("gated", [True, False])
def test_a_feed_forward_layer_has_its_activation_on_the_gate_or_on_the_expansion(
    name: str, theirs: nn.Module, gated: bool
) -> None:
    ours, trace = noisy(FeedForward(config(activation=name, gated=gated))), Trace()
    out = ours(X, trace=trace)
    hidden = theirs(ours.gate(X)) * ours.expand(X) if gated else theirs(ours.expand(X))
    close(trace["hidden"], hidden)
    close(out, hidden @ ours.contract.weight.T + ours.contract.bias)
    assert ("gate" in trace) == gated
    assert tuple(out.shape) == (BATCH, WORDS, D_MODEL)
    assert hidden.shape[-1] == D_MLP


@each("epsilon", [1e-5, 0.3])
def test_rms_norm_and_layer_norm_are_torchs_with_the_epsilon_that_is_given(epsilon: float) -> None:
    for kind, theirs in {"rms": nn.RMSNorm, "layer": nn.LayerNorm}.items():
        ours = noisy(norm_layer(config(norm_kind=kind, epsilon=epsilon)))
        reference = theirs(D_MODEL, eps=epsilon, dtype=torch.float64)
        reference.load_state_dict(
            {{"gain": "weight"}.get(name, name): value for name, value in ours.state_dict().items()}
        )
        close(ours(3 + X), reference(3 + X))


def test_slopes_and_the_rotary_base_are_those_that_are_given() -> None:
    q = noise(BATCH, 3, WORDS, 7)
    scheme = SCHEMES["alibi"](config(positions="alibi", slopes=(0.5, 2.0, 0.125)))
    assert scheme.bias(q, q)[:, 4, 1].tolist() == [-1.5, -6.0, -0.375]
    angles = rotary_angles(3, 4, base=100.0)
    assert angles.tolist() == [[0.0, 0.0], [1.0, pytest.approx(0.1)], [2.0, pytest.approx(0.2)]]
    q = noise(BATCH, 3, WORDS, 14)
    turned = {
        base: SCHEMES["rotary"](config(positions="rotary", rotary_base=base)).rotate(q)
        for base in (1e4, 50.0)
    }
    assert torch.equal(turned[1e4][..., :2], turned[50.0][..., :2])
    assert not torch.allclose(turned[1e4][..., 2:], turned[50.0][..., 2:])


def test_a_model_without_segments_refuses_them() -> None:
    with pytest.raises(ValueError, match="n_types = 0 cannot tell segments apart"):
        Transformer(config())(tokens_of(), types=torch.zeros(BATCH, WORDS, dtype=torch.long))
