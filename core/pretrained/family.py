"""What a family is to the reader: how its folders name things, and what our modules call them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.model.config import ModelConfig
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights

Configs = tuple[ModelConfig, ...]
"""One configuration; or two, of an encoder and the decoder that consults it."""

Names = Mapping[str, str]


def is_pair(configs: Configs) -> bool:
    """Whether they are those of an encoder and its decoder."""
    return len(configs) == 2


@dataclass(frozen=True, kw_only=True)
class Family:
    """How the folders of one `model_type` are read.

    `architectures` says of each class that may have saved the folder whether it has an output layer.
    `convert` makes configurations of the fields, and of the weights whatever a name alone cannot: it splits
    fused ones, turns round what lies the other way. `names` are our modules and theirs, `{i}` the layer,
    after `prefix` is taken off. `same` are other names of the same tensors. `left_out` are patterns of
    names that our modules have no use for, and why.
    """

    title: str
    architectures: Mapping[str, bool]
    convert: Callable[[Fields, Weights], Configs]
    names: Names
    prefix: str = ""
    same: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_pair(self) -> bool:
        """Whether its models are an encoder and its decoder."""
        return any(name.startswith("decoder.") for name in self.names)
