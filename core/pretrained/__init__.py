"""Pretrained models as our own modules: a Hugging Face folder is converted, and none of its code is run.

A folder has `config.json`, safetensors and perhaps a `tokenizer.json`. Each family has a file here that says
what the fields of its configuration mean and what its weights are called; a new one is a file and its line in
FAMILIES. What `read` gives is called, traced and edited like any other model:

    from core.pretrained import read

    found = read("models/all-minilm-l6-v2")
    sentence = found.tokenizer.encode("the cat sat on the mat")
    states = found.model(sentence.tokens, trace=trace)
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from core.pretrained.bart import BART
from core.pretrained.bert import BERT, DISTILBERT, ROBERTA, XLM_ROBERTA
from core.pretrained.bloom import BLOOM
from core.pretrained.converting import Model, convert, outline, with_configs
from core.pretrained.errors import FolderError
from core.pretrained.family import Configs, Family, is_pair
from core.pretrained.fields import Fields
from core.pretrained.gpt2 import GPT2
from core.pretrained.label_head import LabelHead, read_label_head
from core.pretrained.llama import LLAMA, MISTRAL, QWEN2, QWEN3
from core.pretrained.t5 import T5
from core.pretrained.target import Target, target_of
from core.pretrained.tokenizer import Piece, PieceTokenizer, read_tokenizer
from core.pretrained.weights import Weights, half_precision, read_json, read_outlines, read_tensors

FAMILIES: Mapping[str, Family] = {
    "gpt2": GPT2,
    "bert": BERT,
    "distilbert": DISTILBERT,
    "roberta": ROBERTA,
    "xlm-roberta": XLM_ROBERTA,
    "bloom": BLOOM,
    "bart": BART,
    "t5": T5,
    "llama": LLAMA,
    "qwen2": QWEN2,
    "qwen3": QWEN3,
    "mistral": MISTRAL,
}


MIXED = {"gemma2": "Gemma 2", "gemma3": "Gemma 3", "gemma3_text": "Gemma 3", "modernbert": "ModernBERT"}
"""Titles of families whose layers differ in their masks, by `model_type`."""

OTHER_TASKS = re.compile(
    "For(SequenceClassification|TokenClassification|QuestionAnswering|MultipleChoice|NextSentencePrediction)"
)
"""Endings of class names whose head solves another task than predicting words."""


@dataclass(frozen=True, eq=False)
class Pretrained:
    """A model read from a folder, on the CPU, with related information.

    `model` is a Stack if there is no output layer, otherwise a Transformer, or an EncoderDecoder. `left_out`
    are the tensors of the folder that the model does not use, each with the reason. `label_head` is the head
    of a sequence classifier, which the model leaves out.
    """

    model: Model
    tokenizer: PieceTokenizer | None
    family: str
    architecture: str
    configs: Configs
    target: Target | None
    left_out: Mapping[str, str]
    label_head: LabelHead | None = None


def read(folder: str | Path, *, half: bool = False) -> Pretrained:
    """Return the model in a folder; raises FolderError for anything that would change its results.

    Its numbers become single precision, unless `half` keeps numbers of 16 bits, for a GPU. Numbers in
    single precision are not copied: they lie in a mapping of the files, which processes share.
    """
    return _read(Path(folder), numbers=True, half=half)


def outline_of(folder: Path) -> Pretrained:
    """Return the model in a folder without its numbers, at once; raises FolderError as `read` does."""
    return _read(folder, numbers=False)


def _read(folder: Path, *, numbers: bool, half: bool = False) -> Pretrained:
    raw_config = read_json(folder / "config.json")
    family = family_of(raw_config)
    architecture, has_output = _architecture(raw_config, family)
    outlines = read_outlines(folder)
    dtype = (half_precision(outlines.values()) if half else None) or torch.float32
    tensors = read_tensors(folder, dtype) if numbers else outlines
    weights = Weights(tensors, prefix=family.prefix, dtype=dtype)
    configs = _configs(Fields(raw_config), weights, family)
    if not has_output:
        configs = tuple(
            replace(one, tied=False, output_transform=False, output_bias=False) for one in configs
        )
    try:
        model = outline(configs, has_output=has_output)
    except ValueError as error:  # an encoder and a decoder that do not fit together
        raise FolderError(f"config.json: {error}") from error
    label_head = None
    if family.label_head is not None and architecture.endswith("ForSequenceClassification"):
        label_head = read_label_head(raw_config, weights, family.label_head, configs[0].d_model)
    left_out = convert(model, weights, family)
    return Pretrained(
        model=model.eval(),
        tokenizer=read_tokenizer(folder, family.special),
        family=family.title,
        architecture=architecture,
        configs=configs,
        target=target_of(folder, raw_config, configs[-1].vocab_size) if is_pair(configs) else None,
        left_out=left_out,
        label_head=label_head,
    )


def family_of(raw_config: Mapping[str, object]) -> Family:
    """Return the family of a folder with this `config.json`; raises FolderError listing the families."""
    kind = raw_config.get("model_type")
    if isinstance(kind, str) and kind in MIXED:
        raise FolderError(
            f"config.json: {MIXED[kind]} is not read here: some of its layers see a window and others the "
            "whole text, and here all layers of a model have the same mask and the same positions"
        )
    if not isinstance(kind, str) or kind not in FAMILIES:
        raise FolderError(f"config.json: model_type must be one of {', '.join(FAMILIES)}, got {kind!r}")
    return FAMILIES[kind]


def _architecture(raw_config: Mapping[str, object], family: Family) -> tuple[str, bool]:
    """Return the class that saved the folder, and whether the model has an output layer."""
    listed = raw_config.get("architectures")
    named = str(listed[0]) if isinstance(listed, list) and listed else next(iter(family.architectures))
    if named in family.architectures:
        return named, family.architectures[named]
    below = OTHER_TASKS.sub("Model", named)
    if below != named and below in family.architectures:
        return named, family.architectures[below]
    known = ", ".join(family.architectures)
    raise FolderError(f"config.json: the architecture must be one of {known}, got {named}")


def _configs(fields: Fields, weights: Weights, family: Family) -> Configs:
    """Return the configurations that the fields describe, and give every tensor one name."""
    for copy, original in family.same.items():
        weights.merge(copy, original)
    try:
        configs = family.convert(fields, weights)
    except FolderError:
        raise
    except ValueError as error:
        raise FolderError(f"config.json: {error}") from error
    fields.none_left()
    if configs[-1].tied:
        part = "decoder." if is_pair(configs) else ""
        weights.merge(f"{family.names[part + 'unembed']}.weight", f"{family.names[part + 'embed']}.weight")
    return configs


__all__ = [
    "FAMILIES",
    "Family",
    "FolderError",
    "Piece",
    "PieceTokenizer",
    "Pretrained",
    "Target",
    "family_of",
    "outline_of",
    "read",
    "with_configs",
]
