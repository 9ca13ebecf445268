"""DistilBERT: BERT with half of its layers and without segments."""

from core.config import ModelConfig
from core.pretrained.family import Configs, Family
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights


def _convert(fields: Fields, weights: Weights) -> Configs:
    # Sinusoids only fill the table of positions when training begins; the table is in the folder.
    fields.pass_over("sinusoidal_pos_embds", "tie_weights_")
    fields.expect("tie_word_embeddings", True)
    return (
        ModelConfig(
            vocab_size=fields.size("vocab_size"),
            d_model=fields.size("dim"),
            n_heads=fields.size("n_heads"),
            n_layers=fields.size("n_layers"),
            d_mlp=fields.size("hidden_dim"),
            max_len=fields.size("max_position_embeddings"),
            positions="learned",
            mask="bidirectional",
            norm="post",
            tied=True,
            embed_scale=1.0,
            activation=fields.activation("activation", default="gelu"),
            epsilon=1e-12,
            embed_norm=True,
            output_transform=True,
            output_bias=True,
        ),
    )


DISTILBERT = Family(
    title="DistilBERT",
    architectures={"DistilBertForMaskedLM": True, "DistilBertModel": False},
    convert=_convert,
    prefix="distilbert.",
    names={
        "embed": "embeddings.word_embeddings",
        "positions": "embeddings.position_embeddings",
        "embed_norm": "embeddings.LayerNorm",
        "blocks.{i}.attention.query": "transformer.layer.{i}.attention.q_lin",
        "blocks.{i}.attention.key": "transformer.layer.{i}.attention.k_lin",
        "blocks.{i}.attention.value": "transformer.layer.{i}.attention.v_lin",
        "blocks.{i}.attention.output": "transformer.layer.{i}.attention.out_lin",
        "blocks.{i}.attention_norm": "transformer.layer.{i}.sa_layer_norm",
        "blocks.{i}.mlp.expand": "transformer.layer.{i}.ffn.lin1",
        "blocks.{i}.mlp.contract": "transformer.layer.{i}.ffn.lin2",
        "blocks.{i}.mlp_norm": "transformer.layer.{i}.output_layer_norm",
        "transform.linear": "vocab_transform",
        "transform.norm": "vocab_layer_norm",
        "unembed": "vocab_projector",
    },
    left_out={r"embeddings\.position_ids": "a list of numbers, which is counted here"},
)
