"""A family for the reader: names in its folders, and the names of our modules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.model.config import ModelConfig
from core.pretrained.fields import Fields
from core.pretrained.label_head import HeadNames
from core.pretrained.weights import Weights

Configs = tuple[ModelConfig, ...]
"""One configuration, or two of an encoder and its decoder."""

Names = Mapping[str, str]

BRACKETED = {"unk": "[UNK]", "sep": "[SEP]", "pad": "[PAD]", "cls": "[CLS]", "mask": "[MASK]"}
"""Special tokens as BERT writes them."""

TAGGED = {"bos": "<s>", "eos": "</s>", "unk": "<unk>", "pad": "<pad>"}
"""Special tokens as most families write them."""

TAGGED_WITH_MASK = {**TAGGED, "sep": "</s>", "cls": "<s>", "mask": "<mask>"}
"""Special tokens as RoBERTa writes them."""

END_OF_TEXT = dict.fromkeys(("bos", "eos", "unk"), "<|endoftext|>")
"""Special tokens as GPT-2 writes them: one token for all roles."""

WRITTEN = (BRACKETED, TAGGED_WITH_MASK, END_OF_TEXT)
"""All ways in which families write special tokens."""


def is_pair(configs: Configs) -> bool:
    """Return whether there are two configurations, of an encoder and a decoder."""
    return len(configs) == 2


def attention_names(theirs: str, parts: str, *, ours: str = "attention") -> Names:
    """Return the names of the maps of an attention: `parts` names queries, keys, values and output."""
    kinds = ("query", "key", "value", "output")
    return {f"{ours}.{kind}": f"{theirs}.{part}" for kind, part in zip(kinds, parts.split(), strict=True)}


def block_names(blocks: str, names: Names, *, part: str = "") -> Names:
    """Return the names of the modules of every block, of a `part` such as "encoder." in a pair."""
    return {f"{part}blocks.{{i}}.{ours}": f"{blocks}.{{i}}.{theirs}" for ours, theirs in names.items()}


@dataclass(frozen=True, kw_only=True)
class Family:
    """Reading rules for the folders of one `model_type`.

    `architectures` says of each class that may have saved the folder whether it has an output layer.
    `convert` makes configurations of the fields, and changes weights beyond renaming: it splits fused ones
    and transposes others. `names` are our modules and theirs, with `{i}` for the layer, after `prefix` is
    removed. `same` are other names of the same tensors. `left_out` are patterns of names that our modules do
    not use, with the reasons. `special` are the default special tokens in transformers, by role. `label_head`
    are the names of the head of a sequence classifier.
    """

    title: str
    architectures: Mapping[str, bool]
    convert: Callable[[Fields, Weights], Configs]
    names: Names
    prefix: str = ""
    same: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    special: Mapping[str, str] = field(default_factory=dict)
    label_head: HeadNames | None = None

    @property
    def is_pair(self) -> bool:
        return any(name.startswith("decoder.") for name in self.names)
