"""What a source of weights is: it turns a configuration and a sentence into a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from core.config import ModelConfig
from core.learning.checkpoints import Record
from core.learning.weights.pieces import Pieces
from core.models import Stack
from core.text.tokenizer import Vocabulary


class UnavailableError(ValueError):
    """A source does not have the model asked for; its text is a sentence for the reader: what to do."""


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run on a sentence, with the vocabulary its tokens refer to.

    `tokens` are those of the sentence, on the model's device; `unknown` are the places of the words that
    the model does not know and reads as `<unk>`. The model is a Transformer where it has an output layer.
    Shared by all visitors: nothing may change it.
    """

    model: Stack
    vocabulary: Vocabulary
    tokens: Int[Tensor, "1 position"]
    unknown: tuple[int, ...] = ()


@dataclass(frozen=True)
class OneModel:
    """What is known of the one model of a source that has no other: its switches show what it has.

    `options` are, for each field of a configuration that a switch sets, what the model can be given instead
    without weights that it does not have. One that `predicts` has an output layer. `split` tells how it reads
    a text, and raises UnavailableError for one that it cannot. `name` is that of its folder. A model
    that is not the `whole` of what is there is the encoder of an encoder–decoder.
    """

    name: str
    title: str
    config: ModelConfig
    options: Mapping[str, tuple[object, ...]]
    predicts: bool
    whole: bool
    split: Callable[[str], Pieces]


@dataclass(frozen=True)
class Source:
    """Where weights come from.

    `load` and `record` raise UnavailableError, saying what to do, for a configuration that the source does
    not have. A `seeded` source has other weights for another seed. `ablated` names the fields of a
    configuration that its models were not trained with, and `record` says how the intact model was trained
    and what it can do: None where it has learned nothing, or nobody knows. `one` is of a source with one
    model for all configurations, whose words are pieces of a vocabulary.
    """

    load: Callable[[ModelConfig, Sequence[str], int], LoadedModel]
    most_layers: int
    seeded: bool
    trained: bool
    ablated: Callable[[ModelConfig], tuple[str, ...]]
    record: Callable[[ModelConfig], Record | None]
    one: OneModel | None = None
