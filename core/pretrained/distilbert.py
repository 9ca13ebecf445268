"""DistilBERT: BERT with half of its layers and without segments."""

from core.pretrained.bert import COUNTED, masked_language_model
from core.pretrained.family import BRACKETED, Configs, Family
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights


def _convert(fields: Fields, weights: Weights) -> Configs:
    # Sinusoids only fill the table of positions when training begins; the table is in the folder.
    fields.pass_over("sinusoidal_pos_embds", "tie_weights_")
    config = masked_language_model(
        fields,
        d_model=fields.size("dim"),
        n_heads=fields.size("n_heads"),
        n_layers=fields.size("n_layers"),
        d_mlp=fields.size("hidden_dim"),
        activation=fields.activation("activation", default="gelu"),
        epsilon=1e-12,
    )
    return (config,)


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
    left_out=COUNTED,
    special=BRACKETED,
)
