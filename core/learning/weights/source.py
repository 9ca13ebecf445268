"""What a source of weights is: it turns a configuration and a sentence into a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from core.config import ModelConfig
from core.learning.checkpoints import Record
from core.models import Transformer
from core.text.tokenizer import Vocabulary


class UnavailableError(ValueError):
    """A source does not have the model asked for; its text is a sentence for the reader: what to do."""


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run on a sentence, with the vocabulary its tokens refer to.

    `tokens` are those of the sentence, on the model's device; `unknown` are the places of the words that
    the model does not know and reads as `<unk>`. Shared by all visitors: nothing may change it.
    """

    model: Transformer
    vocabulary: Vocabulary
    tokens: Int[Tensor, "1 position"]
    unknown: tuple[int, ...] = ()


@dataclass(frozen=True)
class Source:
    """Where weights come from.

    `load` and `record` raise UnavailableError, saying what to do, for a configuration that the source does
    not have. A `seeded` source has other weights for another seed. `ablated` names the fields of a
    configuration that its models were not trained with, and `record` says how the intact model was trained
    and what it can do: None where it has learned nothing.
    """

    load: Callable[[ModelConfig, Sequence[str], int], LoadedModel]
    most_layers: int
    seeded: bool
    trained: bool
    ablated: Callable[[ModelConfig], tuple[str, ...]]
    record: Callable[[ModelConfig], Record | None]
