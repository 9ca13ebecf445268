"""BERT and its kin: encoders with learned positions and post-norm, trained to fill in words."""

from dataclasses import replace
from typing import Any

from core.model.config import ModelConfig
from core.pretrained.errors import FolderError
from core.pretrained.family import BRACKETED, TAGGED_WITH_MASK, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.label_head import HeadNames
from core.pretrained.weights import Weights

_NAMES = {
    "embed": "embeddings.word_embeddings",
    "types": "embeddings.token_type_embeddings",
    "positions": "embeddings.position_embeddings",
    "embed_norm": "embeddings.LayerNorm",
    **block_names(
        "encoder.layer",
        {
            **attention_names("attention", "self.query self.key self.value output.dense"),
            "attention_norm": "attention.output.LayerNorm",
            "mlp.expand": "intermediate.dense",
            "mlp.contract": "output.dense",
            "mlp_norm": "output.LayerNorm",
        },
    ),
}

_COUNTED = {r"embeddings\.position_ids": "position numbers, which are generated here"}

_LEFT_OUT = {
    **_COUNTED,
    r"pooler\.dense\.(weight|bias)": "a summary of the first token for tasks about whole sentences",
}


def _configuration(fields: Fields) -> ModelConfig:
    """Return the configuration of BERT, and of families that name their fields like it."""
    fields.expect("position_embedding_type", "absolute")
    fields.expect("is_decoder", False)
    fields.expect("add_cross_attention", False)
    return _masked_language_model(
        fields,
        d_model=fields.size("hidden_size"),
        n_heads=fields.size("num_attention_heads"),
        n_layers=fields.size("num_hidden_layers"),
        d_mlp=fields.size("intermediate_size"),
        activation=fields.activation("hidden_act", default="gelu"),
        epsilon=fields.positive("layer_norm_eps", default=1e-12),
        n_types=fields.size("type_vocab_size"),
    )


def _masked_language_model(fields: Fields, **own: Any) -> ModelConfig:
    """Return the configuration of a family; `own` are the fields in which it differs."""
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


def _bert(fields: Fields, weights: Weights) -> Configs:
    # The oldest folders call the weight and bias of a norm gamma and beta.
    for name in weights:
        for letter, meaning in {"gamma": "weight", "beta": "bias"}.items():
            if name.endswith(f"LayerNorm.{letter}"):
                weights.merge(name, name.removesuffix(letter) + meaning)
    return (_configuration(fields),)


def _distilbert(fields: Fields, weights: Weights) -> Configs:
    # Sinusoids only initialise the table of positions; the table itself is in the folder.
    fields.pass_over("sinusoidal_pos_embds", "tie_weights_")
    config = _masked_language_model(
        fields,
        d_model=fields.size("dim"),
        n_heads=fields.size("n_heads"),
        n_layers=fields.size("n_layers"),
        d_mlp=fields.size("hidden_dim"),
        activation=fields.activation("activation", default="gelu"),
        epsilon=1e-12,
    )
    return (config,)


def _roberta(fields: Fields, weights: Weights) -> Configs:
    """Read RoBERTa, whose rows of positions begin after the padding row."""
    config = _configuration(fields)
    padding = fields.take("pad_token_id", default=1)
    if padding not in range(config.max_len - 1):
        raise FolderError(f"config.json: pad_token_id must be the number of a position, got {padding!r:.60}")
    first = int(padding) + 1
    if config.activation != "gelu":
        raise FolderError(f"config.json: hidden_act must be gelu to be read here, got {config.activation}")
    table = weights.take("embeddings.position_embeddings.weight", (config.max_len, config.d_model))
    weights.put("embeddings.position_embeddings.weight", table[first:])
    return (replace(config, max_len=config.max_len - first),)


BERT = Family(
    title="BERT",
    architectures={"BertForMaskedLM": True, "BertForPreTraining": True, "BertModel": False},
    convert=_bert,
    prefix="bert.",
    names={
        **_NAMES,
        "transform.linear": "cls.predictions.transform.dense",
        "transform.norm": "cls.predictions.transform.LayerNorm",
        "unembed": "cls.predictions.decoder",
    },
    same={"cls.predictions.bias": "cls.predictions.decoder.bias"},
    left_out={
        **_LEFT_OUT,
        r"cls\.seq_relationship\.(weight|bias)": "whether two sentences follow each other",
    },
    special=BRACKETED,
    label_head=HeadNames("pooler.dense", "classifier", "tanh"),
)

DISTILBERT = Family(
    title="DistilBERT",
    architectures={"DistilBertForMaskedLM": True, "DistilBertModel": False},
    convert=_distilbert,
    prefix="distilbert.",
    names={
        "embed": "embeddings.word_embeddings",
        "positions": "embeddings.position_embeddings",
        "embed_norm": "embeddings.LayerNorm",
        **block_names(
            "transformer.layer",
            {
                **attention_names("attention", "q_lin k_lin v_lin out_lin"),
                "attention_norm": "sa_layer_norm",
                "mlp.expand": "ffn.lin1",
                "mlp.contract": "ffn.lin2",
                "mlp_norm": "output_layer_norm",
            },
        ),
        "transform.linear": "vocab_transform",
        "transform.norm": "vocab_layer_norm",
        "unembed": "vocab_projector",
    },
    left_out=_COUNTED,
    special=BRACKETED,
    label_head=HeadNames("pre_classifier", "classifier", "relu"),
)

ROBERTA = Family(
    title="RoBERTa",
    architectures={"RobertaForMaskedLM": True, "RobertaModel": False},
    convert=_roberta,
    prefix="roberta.",
    names={
        **_NAMES,
        "transform.linear": "lm_head.dense",
        "transform.norm": "lm_head.layer_norm",
        "unembed": "lm_head.decoder",
    },
    same={"lm_head.bias": "lm_head.decoder.bias"},
    left_out=_LEFT_OUT,
    special=TAGGED_WITH_MASK,
    label_head=HeadNames("classifier.dense", "classifier.out_proj", "tanh"),
)

XLM_ROBERTA = replace(
    ROBERTA, title="XLM-RoBERTa", architectures={"XLMRobertaForMaskedLM": True, "XLMRobertaModel": False}
)
