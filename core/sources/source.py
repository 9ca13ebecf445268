"""A source of weights: it turns a configuration and a sentence into a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from core.learning.checkpoints import Record
from core.model.config import ModelConfig
from core.model.masks import NEXT_WORD, Objective
from core.model.models import Stack
from core.model.positions import SCHEMES
from core.sources.pieces import Pieces
from core.text.language import MASK
from core.text.limits import too_long
from core.text.tokenizer import Vocabulary
from core.unavailable import UnavailableError

MOST_PIECES = 1024
"""The longest text, in pieces: more can be read, but not shown."""


class UntrainedError(UnavailableError):
    """A model of the collection that nobody has trained yet."""


@dataclass(frozen=True)
class PretrainedInfo:
    """The one model of a source that has no other: its switches show its configuration.

    `options` are, for each field of a configuration that a switch sets, what the model can be given instead
    without weights that it does not have. One that `predicts` has an output layer, and one that `has_mask` a
    token that stands for a masked piece. `split` tells how it reads
    a text of any length, and raises UnavailableError where nothing is known of its pieces. `count` only
    counts them. `name` is that of its folder. A model that is not the `whole` of what is there is the encoder
    of an encoder–decoder.
    """

    name: str
    title: str
    config: ModelConfig
    options: Mapping[str, tuple[object, ...]]
    predicts: bool
    has_mask: bool
    whole: bool
    split: Callable[[str], Pieces]
    count: Callable[[str], int]

    @property
    def objective(self) -> Objective:
        """The objective that the model was trained for, whatever its switches show."""
        return self.config.objective

    def most_pieces(self, config: ModelConfig) -> int:
        """Return how many pieces these switches can show: some positions end, as the rows of a table do."""
        longest = SCHEMES[config.positions].longest(config)
        return MOST_PIECES if longest is None else min(MOST_PIECES, longest)

    def check_length(self, n_pieces: int, config: ModelConfig) -> None:
        """Raise UnavailableError for more pieces than can be shown with these switches."""
        most = self.most_pieces(config)
        if n_pieces > most:
            what = "This app shows" if most == MOST_PIECES else "{title} reads"
            limit = too_long(what, most, n_pieces, "piece")
            raise UnavailableError(f"{limit} Shorten it.", title=self.title)


@dataclass(frozen=True)
class DimensionNames:
    """Meanings of a model's dimensions, if they are known: of its states, and of each head.

    Queries and keys of a head have the dimensions `sought`, values those `given`.
    """

    model: tuple[str, ...]
    sought: tuple[tuple[str, ...], ...]
    given: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run on a sentence, with the vocabulary its tokens refer to.

    `tokens` are those of the `words`, on the model's device; `unknown` are the positions of words that the
    model does not know and reads as `<unk>`. The model is a Transformer where it has an output layer. At the
    positions `special` are tokens, no part of the sentence. `mask` is the word that stands for a masked
    one. A model that was trained to predict the next word does so whatever its mask is now: `trained_for` is
    its objective where that is not the one of its mask. `pretrained` is what is known of it where its source
    has no other: its words are pieces. `dimensions` names those of a model whose weights were set by hand.
    Shared by all visitors: nothing may change it.
    """

    model: Stack
    vocabulary: Vocabulary
    words: tuple[str, ...]
    tokens: Int[Tensor, "1 position"]
    unknown: tuple[int, ...] = ()
    special: tuple[int, ...] = ()
    mask: str = MASK
    trained_for: Objective | None = None
    pretrained: PretrainedInfo | None = None
    dimensions: DimensionNames | None = None

    @property
    def objective(self) -> Objective:
        """The objective of the model."""
        return self.trained_for or self.model.config.objective

    @property
    def reads_on(self) -> bool:
        """Whether the model predicts the next word; else it predicts a masked one."""
        return self.objective == NEXT_WORD

    @property
    def mask_token(self) -> int:
        """The number of the word that stands for a masked one; raises UnavailableError without one."""
        if self.mask not in self.vocabulary:
            raise UnavailableError(
                "The vocabulary has no {mask}, so the model cannot be asked to fill in words.",
                mask=self.mask or "mask token",
            )
        return int(self.vocabulary.encode([self.mask]).item())


@dataclass(frozen=True)
class Source:
    """A source of the weights of models.

    `load` and `record` raise UnavailableError, saying what to do, for a configuration that the source does
    not have. A `seeded` source has other weights for another seed. `ablated` names the fields of a
    configuration that its models were not trained with, and `record` says how the intact model was trained
    and what it can do: None where it has learned nothing, or nobody knows. `pretrained` is of a source with
    one model for all configurations, whose words are pieces of a vocabulary. A source that has no model
    says in `why_not` what to do.
    """

    load: Callable[[ModelConfig, Sequence[str], int], LoadedModel]
    most_layers: int
    seeded: bool
    trained: bool
    ablated: Callable[[ModelConfig], tuple[str, ...]]
    record: Callable[[ModelConfig], Record | None]
    pretrained: PretrainedInfo | None = None
    why_not: UnavailableError | None = None
