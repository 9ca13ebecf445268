"""BART: an encoder and a decoder with learned positions and post-norm, trained to repair damaged text."""

import torch

from core.model.config import ModelConfig
from core.pretrained.family import TAGGED_WITH_MASK, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights

_FIRST_ROW = 2
"""Unused first rows of the position table, inherited from padding."""

_ATTENTION = "q_proj k_proj v_proj out_proj"


def _convert(fields: Fields, weights: Weights) -> Configs:
    for name, value in {
        "normalize_before": False,
        "normalize_embedding": True,
        "add_bias_logits": False,
        "add_final_layer_norm": False,
        "static_position_embeddings": False,
        "extra_pos_embeddings": _FIRST_ROW,
        "is_decoder": False,
        "tie_word_embeddings": True,
    }.items():
        fields.expect(name, value)
    fields.pass_over("num_hidden_layers")
    encoder, decoder = _config(fields, "encoder", "bidirectional"), _config(fields, "decoder", "causal")
    for part in ("encoder", "decoder"):
        name = f"{part}.embed_positions.weight"
        table = weights.take(name, (encoder.max_len + _FIRST_ROW, encoder.d_model))
        weights.put(name, table[_FIRST_ROW:])
    bias = torch.zeros(decoder.vocab_size)
    if "final_logits_bias" in weights:
        bias = weights.take("final_logits_bias", (1, decoder.vocab_size))[0]
    weights.put("lm_head.bias", bias)
    return encoder, decoder


def _config(fields: Fields, part: str, mask: str) -> ModelConfig:
    d_model = fields.size("d_model")
    return ModelConfig(
        vocab_size=fields.size("vocab_size"),
        d_model=d_model,
        n_heads=fields.size(f"{part}_attention_heads"),
        n_layers=fields.size(f"{part}_layers"),
        d_mlp=fields.size(f"{part}_ffn_dim"),
        max_len=fields.size("max_position_embeddings"),
        positions="learned",
        mask=mask,
        norm="post",
        tied=part == "decoder",
        embed_scale=d_model**0.5 if fields.take("scale_embedding", default=False) else 1.0,
        activation=fields.activation("activation_function", default="gelu"),
        embed_norm=True,
        output_bias=part == "decoder",
    )


def _names(part: str) -> dict[str, str]:
    block = {
        **attention_names("self_attn", _ATTENTION),
        "attention_norm": "self_attn_layer_norm",
        **attention_names("encoder_attn", _ATTENTION, ours="cross_attention"),
        "cross_attention_norm": "encoder_attn_layer_norm",
        "mlp.expand": "fc1",
        "mlp.contract": "fc2",
        "mlp_norm": "final_layer_norm",
    }
    return {
        f"{part}.embed": "shared",
        f"{part}.positions": f"{part}.embed_positions",
        f"{part}.embed_norm": f"{part}.layernorm_embedding",
        **block_names(f"{part}.layers", block, part=f"{part}."),
    }


BART = Family(
    title="BART",
    architectures={"BartForConditionalGeneration": True, "BartModel": True},
    convert=_convert,
    prefix="model.",
    names={**_names("encoder"), **_names("decoder"), "decoder.unembed": "lm_head"},
    same={"encoder.embed_tokens.weight": "shared.weight", "decoder.embed_tokens.weight": "shared.weight"},
    special=TAGGED_WITH_MASK,
)
