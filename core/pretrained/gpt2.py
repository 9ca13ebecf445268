"""GPT-2: a decoder with learned positions, pre-norm and an output layer that is the word vectors."""

from core.model.config import ModelConfig
from core.pretrained.family import END_OF_TEXT, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights


def _convert(fields: Fields, weights: Weights) -> Configs:
    fields.expect("scale_attn_by_inverse_layer_idx", False)
    fields.expect("add_cross_attention", False)
    # An order of operations for half precision, and the number of positions again.
    fields.pass_over("reorder_and_upcast_attn", "n_ctx")
    config = ModelConfig(
        vocab_size=fields.size("vocab_size"),
        d_model=fields.size("n_embd"),
        n_heads=fields.size("n_head"),
        n_layers=fields.size("n_layer"),
        d_mlp=fields.size("n_inner", default=None),
        max_len=fields.size("n_positions"),
        positions="learned",
        scale=fields.take("scale_attn_weights", default=True),
        tied=fields.take("tie_word_embeddings", default=True),
        embed_scale=1.0,
        activation=fields.activation("activation_function", default="gelu_new"),
        epsilon=fields.positive("layer_norm_epsilon", default=1e-5),
    )
    for layer in range(config.n_layers):
        _turn_round(weights, f"h.{layer}", config)
    return (config,)


def _turn_round(weights: Weights, block: str, config: ModelConfig) -> None:
    """Transpose GPT-2's matrices, which multiply from the other side, and split the fused one."""
    d, d_mlp = config.d_model, config.d_mlp or 0
    shapes = {
        "attn.c_attn": (d, 3 * d),
        "attn.c_proj": (d, d),
        "mlp.c_fc": (d, d_mlp),
        "mlp.c_proj": (d_mlp, d),
    }
    for name, shape in shapes.items():
        weights.put(f"{block}.{name}.weight", weights.take(f"{block}.{name}.weight", shape).T)
    weights.separate(f"{block}.attn.c_attn", d, "(part row) ... -> part row ...")


GPT2 = Family(
    title="GPT-2",
    architectures={"GPT2LMHeadModel": True, "GPT2Model": False},
    convert=_convert,
    prefix="transformer.",
    names={
        "embed": "wte",
        "positions": "wpe",
        **block_names(
            "h",
            {
                "attention_norm": "ln_1",
                **attention_names("attn", "c_attn.query c_attn.key c_attn.value c_proj"),
                "mlp_norm": "ln_2",
                "mlp.expand": "mlp.c_fc",
                "mlp.contract": "mlp.c_proj",
            },
        ),
        "norm": "ln_f",
        "unembed": "lm_head",
    },
    left_out={r"h\.\d+\.attn\.(masked_)?bias": "the mask, which is computed here"},
    special=END_OF_TEXT,
)
