"""How many parameters every part of a model has: counted on the model itself, each parameter once."""

import re
from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import nn

from core.learning.collection.members import transformer
from core.learning.tasks import NEXT_WORD
from core.measures.architectures.models import pair_of
from core.model.config import ModelConfig, PairConfig
from core.model.initialisation import DrawingNothing
from core.model.models import EncoderDecoder, Transformer
from core.text import language

PARTS: Mapping[str, str] = {
    "embeddings": r"(^|\.)embed\.|(^|\.)types\.",
    "positions": r"(^|\.)positions\.",
    "queries": r"attention\.query\.",
    "keys": r"attention\.key\.",
    "values": r"attention\.value\.",
    "attention output": r"attention\.output\.",
    "feed-forward": r"\.mlp\.",
    "norms": r"norm\.(gain|bias)$",
    "output": r"(^|\.)unembed\.|(^|\.)transform\.",
}
"""The parts in the order in which they are drawn, and what the names of their parameters have in them."""

ARCHITECTURES = ("encoder", "decoder", "encoder–decoder")

Counts = Mapping[str, int]


def parameters_by_part(config: ModelConfig) -> dict[str, Counts]:
    """Numbers of parameters of each part of the three architectures with the switches of `config`.

    All have the vocabulary and the width of the collection's models, and the pair that of the second language
    beside it. A table that is embedding and output layer at once counts as embeddings.
    """
    with torch.device("meta"), DrawingNothing():  # asked to draw on no device, torch would load its compiler
        models: list[nn.Module] = [
            Transformer(one) if isinstance(one, ModelConfig) else EncoderDecoder(one.encoder, one.decoder)
            for one in configs_of(config)
        ]
    return {name: counts(model) for name, model in zip(ARCHITECTURES, models, strict=True)}


def configs_of(config: ModelConfig) -> tuple[ModelConfig, ModelConfig, PairConfig]:
    """The three architectures that differ from `config` in nothing but what makes them what they are."""
    d_model, vocab_size = transformer(NEXT_WORD).d_model, len(language.vocabulary())
    alike = replace(config, d_model=d_model, d_mlp=None, vocab_size=vocab_size, tied=True)
    return replace(alike, mask="bidirectional"), replace(alike, mask="causal"), pair_of(alike)


def counts(model: nn.Module) -> Counts:
    """The parameters of a model by part. Raises ValueError for one that no part has a place for."""
    found = dict.fromkeys(PARTS, 0)
    for name, parameter in model.named_parameters():
        found[part_of(name)] += parameter.numel()
    return found


def part_of(name: str) -> str:
    """The part that a parameter of this name belongs to."""
    for part, pattern in PARTS.items():
        if re.search(pattern, name):
            return part
    raise ValueError(f"no part has a place for the parameter {name}; there are: {', '.join(PARTS)}")
