"""BLOOM: a decoder with ALiBi, whose word vectors are normalised before the first block."""

import math

from core.model.config import ModelConfig
from core.model.positions.alibi import alibi_slopes
from core.pretrained.family import TAGGED, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights


def _convert(fields: Fields, weights: Weights) -> Configs:
    fields.expect("apply_residual_connection_post_layernorm", False)
    fields.expect("skip_bias_add", True)
    fields.expect("skip_bias_add_qkv", False)
    # Options for half precision and several machines, and for the positions before ALiBi.
    fields.pass_over("slow_but_exact", "attention_softmax_in_fp32", "bias_dropout_fusion")
    fields.pass_over("masked_softmax_fusion", "offset_alibi", "seq_length", "n_inner")
    n_heads = fields.size("n_head", "num_attention_heads")
    config = ModelConfig(
        vocab_size=fields.size("vocab_size"),
        d_model=fields.size("hidden_size", "n_embed"),
        n_heads=n_heads,
        n_layers=fields.size("n_layer", "num_hidden_layers"),
        positions="alibi",
        slopes=slopes(n_heads),
        tied=fields.take("tie_word_embeddings", default=True),
        embed_scale=1.0,
        embed_norm=True,
        activation="gelu_tanh",
        epsilon=fields.positive("layer_norm_epsilon", default=1e-5),
    )
    for layer in range(config.n_layers):
        # The rows of a head are adjacent: queries, keys and values.
        heads = "(head part d_head) ... -> part (head d_head) ..."
        fused = f"h.{layer}.self_attention.query_key_value"
        weights.separate(fused, config.d_model, heads, head=n_heads)
    return (config,)


def slopes(n_heads: int) -> tuple[float, ...] | None:
    """Return ALiBi's slopes as BLOOM has them (Press et al. 2022, code); None if they are as ours."""
    below = 2 ** math.floor(math.log2(n_heads))
    if below == n_heads:
        return None
    between = alibi_slopes(2 * below)[::2][: n_heads - below]
    return (*alibi_slopes(below).tolist(), *between.tolist())


BLOOM = Family(
    title="BLOOM",
    architectures={"BloomForCausalLM": True, "BloomModel": False},
    convert=_convert,
    prefix="transformer.",
    names={
        "embed": "word_embeddings",
        "embed_norm": "word_embeddings_layernorm",
        **block_names(
            "h",
            {
                "attention_norm": "input_layernorm",
                **attention_names(
                    "self_attention", "query_key_value.query query_key_value.key query_key_value.value dense"
                ),
                "mlp_norm": "post_attention_layernorm",
                "mlp.expand": "mlp.dense_h_to_4h",
                "mlp.contract": "mlp.dense_4h_to_h",
            },
        ),
        "norm": "ln_f",
        "unembed": "lm_head",
    },
    special=TAGGED,
)
