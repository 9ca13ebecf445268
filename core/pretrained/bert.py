"""BERT: an encoder with learned positions, segments and post-norm, trained to fill in missing words."""

from typing import Any

from core.model.config import ModelConfig
from core.pretrained.family import BRACKETED, Configs, Family
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights

BLOCK = {
    "blocks.{i}.attention.query": "encoder.layer.{i}.attention.self.query",
    "blocks.{i}.attention.key": "encoder.layer.{i}.attention.self.key",
    "blocks.{i}.attention.value": "encoder.layer.{i}.attention.self.value",
    "blocks.{i}.attention.output": "encoder.layer.{i}.attention.output.dense",
    "blocks.{i}.attention_norm": "encoder.layer.{i}.attention.output.LayerNorm",
    "blocks.{i}.mlp.expand": "encoder.layer.{i}.intermediate.dense",
    "blocks.{i}.mlp.contract": "encoder.layer.{i}.output.dense",
    "blocks.{i}.mlp_norm": "encoder.layer.{i}.output.LayerNorm",
}

EMBEDDINGS = {
    "embed": "embeddings.word_embeddings",
    "types": "embeddings.token_type_embeddings",
    "positions": "embeddings.position_embeddings",
    "embed_norm": "embeddings.LayerNorm",
}

COUNTED = {r"embeddings\.position_ids": "a list of numbers, which is counted here"}

LEFT_OUT = {
    **COUNTED,
    r"pooler\.dense\.(weight|bias)": "a summary of the first token for tasks about whole sentences",
}


def configuration(fields: Fields) -> ModelConfig:
    """The configuration of BERT and of what names its fields like it."""
    fields.expect("position_embedding_type", "absolute")
    fields.expect("is_decoder", False)
    fields.expect("add_cross_attention", False)
    return masked_language_model(
        fields,
        d_model=fields.size("hidden_size"),
        n_heads=fields.size("num_attention_heads"),
        n_layers=fields.size("num_hidden_layers"),
        d_mlp=fields.size("intermediate_size"),
        activation=fields.activation("hidden_act", default="gelu"),
        epsilon=fields.epsilon("layer_norm_eps", default=1e-12),
        n_types=fields.size("type_vocab_size"),
    )


def masked_language_model(fields: Fields, **own: Any) -> ModelConfig:
    """What families that fill in words as BERT does have alike; `own` is what each of them says itself."""
    fields.expect("tie_word_embeddings", True)
    return ModelConfig(
        vocab_size=fields.size("vocab_size"),
        max_len=fields.size("max_position_embeddings"),
        positions="learned",
        mask="bidirectional",
        norm="post",
        tied=True,
        embed_scale=1.0,
        embed_norm=True,
        output_transform=True,
        output_bias=True,
        **own,
    )


def _convert(fields: Fields, weights: Weights) -> Configs:
    # The first folders call the parameters of a norm by their letters.
    for name in weights:
        for letter, meaning in {"gamma": "weight", "beta": "bias"}.items():
            if name.endswith(f"LayerNorm.{letter}"):
                weights.merge(name, name.removesuffix(letter) + meaning)
    return (configuration(fields),)


BERT = Family(
    title="BERT",
    architectures={"BertForMaskedLM": True, "BertForPreTraining": True, "BertModel": False},
    convert=_convert,
    prefix="bert.",
    names={
        **EMBEDDINGS,
        **BLOCK,
        "transform.linear": "cls.predictions.transform.dense",
        "transform.norm": "cls.predictions.transform.LayerNorm",
        "unembed": "cls.predictions.decoder",
    },
    same={"cls.predictions.bias": "cls.predictions.decoder.bias"},
    left_out={
        **LEFT_OUT,
        r"cls\.seq_relationship\.(weight|bias)": "whether two sentences follow each other",
    },
    special=BRACKETED,
)
