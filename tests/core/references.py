"""Helpers of the tests of the core: odd sizes, repeatable noise, and torch's layers with our weights."""

from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention
from core.model.blocks import Block
from core.model.config import ModelConfig
from core.model.positions import SCHEMES

BATCH, WORDS, SOURCE, VOCAB = 2, 5, 11, 13
N_HEADS, D_HEAD, D_MLP = 3, 7, 17
D_MODEL = N_HEADS * D_HEAD
Module = TypeVar("Module", bound=nn.Module)
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def config(**options: Any) -> ModelConfig:
    """Return a small configuration of odd sizes; rotary positions turn pairs, so heads are twice as wide."""
    rotates = SCHEMES[options.get("positions", "none")].injection_point() == "rotate"
    d_model = D_MODEL * (2 if rotates else 1)
    sizes = {"vocab_size": VOCAB, "d_model": d_model, "n_heads": N_HEADS, "d_mlp": D_MLP, "positions": "none"}
    return ModelConfig(**(sizes | options))


def noise(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> Tensor:
    """Standard normal numbers, the same each time."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def noisy(module: Module, *, dtype: torch.dtype = torch.float64) -> Module:
    """`module` with noise in every parameter, biases and gains too, so that none can be left out unseen."""
    module.to(dtype)
    with torch.no_grad():
        for seed, parameter in enumerate(module.parameters()):
            parameter.copy_(noise(*parameter.shape, seed=100 + seed, dtype=dtype) / 4)
    return module


def tokens_of(batch: int = BATCH, words: int = WORDS, *, seed: int = 1) -> Tensor:
    """Random token ids."""
    return torch.randint(VOCAB, (batch, words), generator=torch.Generator().manual_seed(seed))


def close(actual: Tensor, expected: Tensor) -> None:
    """Assert equality to 1e-5 in single and 1e-10 in double precision."""
    tolerance = TOLERANCE[actual.dtype]
    torch.testing.assert_close(actual, expected, rtol=tolerance, atol=tolerance)


def torchs_attention(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    """torch's multi-head attention with the weights of ours."""
    weight = ours.query.weight
    theirs = nn.MultiheadAttention(
        weight.shape[0], ours.n_heads, bias=ours.query.bias is not None, batch_first=True, dtype=weight.dtype
    )
    theirs.load_state_dict(_attention_state(ours))
    return theirs


def torchs_block(ours: Block, config: ModelConfig) -> nn.TransformerEncoderLayer | nn.TransformerDecoderLayer:
    """torch's encoder layer with the weights of our block, or its decoder layer where ours has a memory."""
    kind = nn.TransformerDecoderLayer if ours.has_cross else nn.TransformerEncoderLayer
    theirs = kind(
        config.d_model,
        config.n_heads,
        config.d_mlp,
        dropout=0.0,
        activation="relu",
        batch_first=True,
        norm_first=config.norm == "pre",
        dtype=ours.mlp.expand.weight.dtype,
    )
    parts = {"self_attn": _attention_state(ours.attention)}
    norms = [ours.attention_norm]
    if ours.has_cross:
        parts["multihead_attn"] = _attention_state(ours.cross_attention)
        norms.append(ours.cross_attention_norm)
    parts |= {"linear1": ours.mlp.expand.state_dict(), "linear2": ours.mlp.contract.state_dict()}
    for i, norm in enumerate([*norms, ours.mlp_norm], start=1):
        if config.norm == "none":
            setattr(theirs, f"norm{i}", nn.Identity())
        else:
            parts[f"norm{i}"] = norm_state(norm)
    theirs.load_state_dict(
        {f"{part}.{name}": w for part, state in parts.items() for name, w in state.items()}
    )
    return theirs


def torchs_network(layers: nn.ModuleList, network: str) -> nn.RNN | nn.LSTM:
    """torch's network with the weights of our layers; the second of its two biases stays zero."""
    weight = layers[0].from_input.weight
    kind = {"rnn": nn.RNN, "lstm": nn.LSTM}[network]
    theirs = kind(weight.shape[1], weight.shape[1], len(layers), batch_first=True, dtype=weight.dtype)
    with torch.no_grad():
        for i, layer in enumerate(layers):
            getattr(theirs, f"weight_ih_l{i}").copy_(layer.from_input.weight)
            getattr(theirs, f"weight_hh_l{i}").copy_(layer.from_hidden.weight)
            getattr(theirs, f"bias_ih_l{i}").copy_(layer.from_input.bias)
            getattr(theirs, f"bias_hh_l{i}").zero_()
    return theirs


def norm_state(norm: nn.Module) -> dict[str, Tensor]:
    """Return the weights of our layer normalisation under torch's names."""
    return {"weight": norm.gain.data, "bias": norm.bias.data}


def _attention_state(ours: MultiHeadAttention) -> dict[str, Tensor]:
    state = {"in_proj_weight": torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]).data}
    state["out_proj.weight"] = ours.output.weight.data
    if ours.query.bias is not None:
        state["in_proj_bias"] = torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]).data
        state["out_proj.bias"] = ours.output.bias.data
    return state
