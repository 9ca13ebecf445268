"""The formula of a part is what the model computes: evaluated with its weights, in every setting."""

from typing import Any

import pytest
import torch
from torch import Tensor

from core.learning.checkpoints import build
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.models import EncoderDecoder, Transformer
from core.model.positions import SCHEMES
from core.model.trace import Trace
from pages.architectures.descriptions import about
from tests.covering import covering, each
from tests.formulas import drawn, equations, value

N, VOCABULARY, D_MODEL, D_MLP = 7, 11, 12, 5
TOKENS = torch.tensor([[3, 1, 4, 1, 5, 9, 2]])

SETTINGS = covering(
    {
        "positions": list(SCHEMES),
        "mask": list(MASKS),
        "norm": ["pre", "post", "none"],
        "norm_kind": ["layer", "rms"],
        "scale": [True, False],
        "bias": [True, False],
        "tied": [True, False],
        "output_bias": [False, True],
        "gated": [True, False],
        "activation": ["relu", "gelu", "silu"],
        "n_heads": [1, 2, 3],
        "embed_scale": [None, 2.5, None],
    }
)


def config_of(setting: dict[str, Any]) -> ModelConfig:
    return ModelConfig(vocab_size=VOCABULARY, d_model=D_MODEL, d_mlp=D_MLP, n_layers=1, **setting)


@pytest.fixture(params=SETTINGS, ids=str)
def read(request: pytest.FixtureRequest) -> tuple[Transformer, Trace]:
    model = drawn(build(config_of(request.param)))
    assert isinstance(model, Transformer)
    trace = Trace()
    with torch.no_grad():
        model(TOKENS, trace=trace)
    return model, trace


def right_side(kind: str, config: ModelConfig) -> str:
    ((_, right),) = equations(about(kind, config).formula).items()
    return right


def test_a_word_vector_is_its_formula(read: tuple[Transformer, Trace]) -> None:
    model, trace = read
    one_hot = torch.nn.functional.one_hot(TOKENS, VOCABULARY).double()
    names = {"w_i": one_hot, "E": model.embed.weight, r"d_\text{model}": torch.tensor(float(D_MODEL))}
    torch.testing.assert_close(value(right_side("embedding", model.config), names), trace["embed"])


def test_attention_is_its_formula(read: tuple[Transformer, Trace]) -> None:
    model, trace = read
    block, config = model.blocks[0], model.config
    found = attended(block.attention, model, about("attention", config).formula, config, trace)
    torch.testing.assert_close(found, trace["blocks.0.attention.out"])


def attended(layer: Any, model: Any, formula: str, config: ModelConfig, trace: Trace) -> Tensor:
    """Return the value of a formula of attention."""
    lines, x = equations(formula), trace["blocks.0.attention.input"]
    allowed = trace["blocks.0.attention.allowed"][:, 0]
    given = {"X": x, "M": torch.zeros(allowed.shape, dtype=x.dtype).masked_fill(~allowed, -torch.inf)}
    return heads_joined(layer, lines, given, config, model.positions)


def heads_joined(
    layer: Any, lines: dict[str, str], given: dict[str, Any], config: ModelConfig, positions: Any
) -> Tensor:
    outputs = {}
    for head in range(config.n_heads):
        names = {**given, r"d_\text{head}": torch.tensor(float(config.d_head))}
        names[r"\operatorname{rotate}"] = lambda rows: positions.rotate(rows[:, None])[:, 0]
        for letter, linear in zip("QKV", (layer.query, layer.key, layer.value), strict=True):
            names[letter] = linear.weight[layer.slice_of(head)].T
            if config.bias:
                names[f"b_{letter}"] = linear.bias[layer.slice_of(head)]
        for left in "qkv":
            names[left] = value(lines[left], names)
        bias = positions.bias(names["q"][:, None].expand(-1, config.n_heads, -1, -1), names["k"][:, None])
        if bias is not None:
            names["B"] = bias[head]
        outputs[rf"z^{{({head + 1})}}"] = value(lines["z"], names)
    rows = {**outputs, "O": layer.output.weight.T}
    if config.bias:
        rows["b_O"] = layer.output.bias
    return value(lines["h"], rows)


def test_a_feed_forward_layer_is_its_formula(read: tuple[Transformer, Trace]) -> None:
    model, trace = read
    layer = model.blocks[0].mlp
    maps = {"1": layer.expand, "2": layer.contract} | ({"0": layer.gate} if model.config.gated else {})
    names = {"h_i": trace["blocks.0.mlp.input"]}
    for number, linear in maps.items():
        names[f"W_{number}"] = linear.weight.T
        if model.config.bias:
            names[f"b_{number}"] = linear.bias
    found = value(right_side("feed-forward", model.config), names)
    torch.testing.assert_close(found, trace["blocks.0.mlp.out"])


def test_a_norm_is_its_formula(read: tuple[Transformer, Trace]) -> None:
    model, trace = read
    if model.config.norm != "pre":
        return
    norm, x = model.norm, trace["blocks.0.out"]
    names = {
        "h_i h_i^\\top": (x * x).sum(-1, keepdim=True), "h_i": x, "d": torch.tensor(float(D_MODEL)),
        r"\hat\mu_i": x.mean(-1, keepdim=True), r"\hat\sigma_i": x.std(-1, keepdim=True, unbiased=False),
        r"\gamma": norm.gain, r"\beta": getattr(norm, "bias", None),
    }  # fmt: skip
    found = value(right_side("norm", model.config), names)
    torch.testing.assert_close(found, trace["norm"], rtol=1e-4, atol=1e-4)


def test_the_logits_are_their_formula(read: tuple[Transformer, Trace]) -> None:
    model, trace = read
    names = {"h_i": trace["norm"], "E": model.embed.weight, r"W_\text{out}": model.unembed.weight.T}
    if model.config.output_bias:
        names["b"] = model.unembed.bias
    if model.config.tied:
        del names[r"W_\text{out}"]
    found = value(right_side("output", model.config), names)
    torch.testing.assert_close(found, trace["logits"])


@each("bias", [True, False])
@each("scale", [True, False])
def test_cross_attention_is_its_formula(bias: bool, scale: bool) -> None:
    encoder, decoder = (
        config_of({"bias": bias, "scale": scale, "n_heads": 4, "mask": mask, "positions": "alibi"})
        for mask in ("bidirectional", "causal")
    )
    model, trace = drawn(EncoderDecoder(encoder, decoder)), Trace()
    with torch.no_grad():
        model((TOKENS, TOKENS[:, :3]), trace=trace)
    layer = model.decoder.blocks[0].cross_attention
    lines = equations(about("cross-attention", decoder).formula)
    given = {
        r"X_\text{decoder}": trace["decoder.blocks.0.cross_attention.input"],
        r"X_\text{encoder}": trace["encoder.norm"],
    }
    nowhere = model.decoder.blocks[0].no_positions
    lines["h"] = lines["h"].replace(r"\ldots", r"z^{(2)};\, z^{(3)}")
    found = heads_joined(layer, lines, given, decoder, nowhere)
    torch.testing.assert_close(found, trace["decoder.blocks.0.cross_attention.out"])


@each(
    ("setting", "has"),
    [
        ({"mask": "bidirectional", "positions": "sinusoidal"}, ""),
        ({"mask": "causal", "positions": "rotary"}, "MR"),
        ({"mask": "prefix", "positions": "alibi"}, "MB"),
        ({"mask": "bidirectional", "positions": "relative"}, "B"),
    ],
)
def test_attention_has_mask_bias_and_rotation_where_the_model_has(setting: dict[str, str], has: str) -> None:
    formula = about("attention", config_of({**setting, "n_heads": 2})).formula
    assert {"M": " + M" in formula, "B": " + B" in formula, "R": "rotate" in formula} == {
        sign: sign in has for sign in "MBR"
    }
