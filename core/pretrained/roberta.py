"""RoBERTa: BERT trained longer, whose rows of positions begin after the one of the padding."""

from dataclasses import replace

from core.pretrained.bert import BLOCK, EMBEDDINGS, LEFT_OUT, configuration
from core.pretrained.errors import FolderError
from core.pretrained.family import TAGGED_WITH_MASK, Configs, Family
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights


def _convert(fields: Fields, weights: Weights) -> Configs:
    config = configuration(fields)
    padding = fields.take("pad_token_id", default=1)
    if padding not in range(config.max_len - 1):
        raise FolderError(f"config.json: pad_token_id must be the number of a position, got {padding!r:.60}")
    first = int(padding) + 1
    if config.activation != "gelu":
        raise FolderError(f"config.json: hidden_act must be gelu to be read here, got {config.activation}")
    table = weights.take("embeddings.position_embeddings.weight", (config.max_len, config.d_model))
    weights.put("embeddings.position_embeddings.weight", table[first:])
    return (replace(config, max_len=config.max_len - first),)


ROBERTA = Family(
    title="RoBERTa",
    architectures={"RobertaForMaskedLM": True, "RobertaModel": False},
    convert=_convert,
    prefix="roberta.",
    names={
        **EMBEDDINGS,
        **BLOCK,
        "transform.linear": "lm_head.dense",
        "transform.norm": "lm_head.layer_norm",
        "unembed": "lm_head.decoder",
    },
    same={"lm_head.bias": "lm_head.decoder.bias"},
    left_out=LEFT_OUT,
    special=TAGGED_WITH_MASK,
)
