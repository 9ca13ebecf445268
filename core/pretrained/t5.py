"""T5: an encoder and a decoder with a relative bias, RMS norm before every part, and unscaled scores."""

from dataclasses import replace

from torch import Tensor

from core.model.config import ModelConfig
from core.model.positions.relative import FURTHEST, N_BUCKETS
from core.pretrained.family import TAGGED, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights, same

_WORDS, _OUTPUT = "shared.weight", "lm_head.weight"


def _convert(fields: Fields, weights: Weights) -> Configs:
    fields.expect("relative_attention_num_buckets", N_BUCKETS)
    fields.expect("relative_attention_max_distance", FURTHEST)
    fields.expect("is_decoder", False)
    fields.pass_over("n_positions", "output_past")
    encoder = _config(fields, fields.size("num_layers"), "bidirectional")
    decoder = _config(fields, fields.size("num_decoder_layers", default=encoder.n_layers), "causal")
    for part, config in {"encoder": encoder, "decoder": decoder}.items():
        for layer in range(config.n_layers * config.gated):
            _name_gate(weights, f"{part}.block.{layer}.layer.{_last(part)}.DenseReluDense", config)
    return _with_output(fields, weights, encoder, decoder)


def _config(fields: Fields, n_layers: int, mask: str) -> ModelConfig:
    activation, gated = _activation(fields)
    return ModelConfig(
        vocab_size=fields.size("vocab_size"),
        d_model=fields.size("d_model"),
        n_heads=fields.size("num_heads"),
        head_width=fields.size("d_kv"),
        n_layers=n_layers,
        d_mlp=fields.size("d_ff"),
        positions="relative",
        two_sided=mask == "bidirectional",
        mask=mask,
        scale=False,
        bias=False,
        embed_scale=1.0,
        activation=activation,
        gated=gated,
        norm_kind="rms",
        epsilon=fields.positive("layer_norm_epsilon", default=1e-6),
    )


def _activation(fields: Fields) -> tuple[str, bool]:
    """Return the activation and whether it is gated; `gated-gelu` means both, with GPT-2's GELU."""
    projection = str(fields.take("feed_forward_proj", default="relu"))
    gated, name = projection.startswith("gated-"), projection.removeprefix("gated-")
    name = "gelu_new" if projection == "gated-gelu" else name
    fields.expect("is_gated_act", gated)
    fields.expect("dense_act_fn", name)
    return fields.activation("dense_act_fn", default=name), gated


def _name_gate(weights: Weights, mlp: str, config: ModelConfig) -> None:
    """Name the two input maps of a gated layer; the first is the gate."""
    assert config.d_mlp is not None, "the configuration fills d_mlp in"
    shape = (config.d_mlp, config.d_model)
    weights.put(f"{mlp}.gate.weight", weights.take(f"{mlp}.wi_0.weight", shape))
    weights.put(f"{mlp}.wi.weight", weights.take(f"{mlp}.wi_1.weight", shape))


def _with_output(fields: Fields, weights: Weights, encoder: ModelConfig, decoder: ModelConfig) -> Configs:
    """Return configurations for the output layer, and scale its matrix if needed.

    T5 compares states divided by √d with the word vectors; from version 1.1 on it may do without the
    division or the shared table. Dividing the matrix of the output layer equals dividing the states. A shared
    table is divided too, and `embed_scale` restores the word vectors.
    """
    tied = fields.take("tie_word_embeddings", default=True)
    divided = fields.take("scale_decoder_outputs", default=tied)
    root, shape = decoder.d_model**0.5, (decoder.vocab_size, decoder.d_model)
    own = _own_output(weights, shape)
    if own is not None:
        weights.put(_OUTPUT, own / root if divided else own)
        return encoder, decoder
    if divided:
        weights.put(_WORDS, weights.take(_WORDS, shape) / root)
        encoder, decoder = (replace(one, embed_scale=root) for one in (encoder, decoder))
    return encoder, replace(decoder, tied=True)


def _own_output(weights: Weights, shape: tuple[int, int]) -> Tensor | None:
    """Take out and return the matrix of the output layer; None if missing or equal to the word vectors."""
    if _OUTPUT not in weights:
        return None
    output = weights.take(_OUTPUT, shape)
    return None if same(output, weights.use(_WORDS, shape)) else output


def _last(part: str) -> int:
    """Return the number of the feed-forward layer in a block; in a decoder cross-attention precedes it."""
    return 1 if part == "encoder" else 2


def _names(part: str) -> dict[str, str]:
    mlp = f"layer.{_last(part)}"
    block = {
        **attention_names("layer.0.SelfAttention", "q k v o"),
        "attention_norm": "layer.0.layer_norm",
        **attention_names("layer.1.EncDecAttention", "q k v o", ours="cross_attention"),
        "cross_attention_norm": "layer.1.layer_norm",
        "mlp.gate": f"{mlp}.DenseReluDense.gate",
        "mlp.expand": f"{mlp}.DenseReluDense.wi",
        "mlp.contract": f"{mlp}.DenseReluDense.wo",
        "mlp_norm": f"{mlp}.layer_norm",
    }
    return {
        f"{part}.embed": "shared",
        f"{part}.positions": f"{part}.block.0.layer.0.SelfAttention.relative_attention_bias",
        **block_names(f"{part}.block", block, part=f"{part}."),
        f"{part}.norm": f"{part}.final_layer_norm",
    }


T5 = Family(
    title="T5",
    architectures={"T5ForConditionalGeneration": True, "T5WithLMHeadModel": True, "T5Model": True},
    convert=_convert,
    names={**_names("encoder"), **_names("decoder"), "decoder.unembed": "lm_head"},
    same={"encoder.embed_tokens.weight": _WORDS, "decoder.embed_tokens.weight": _WORDS},
    left_out={
        r"decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight": "not used by T5"
    },
    special=TAGGED,
)
