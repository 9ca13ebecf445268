"""A source of weights: it turns a configuration and a sentence into a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache
from jaxtyping import Int
from torch import Tensor

from core.learning.checkpoints import Record
from core.model.config import ModelConfig
from core.model.masks import NEXT_WORD, Objective
from core.model.models import Stack
from core.model.positions import SCHEMES
from core.pretrained.label_head import LabelHead
from core.sources.pieces import Pieces
from core.text.language import MASK
from core.text.tokenizer import Vocabulary, too_long
from core.unavailable import UnavailableError

MOST_PIECES = 1024
"""The longest text, in pieces: longer ones can be read, but not shown."""


class UntrainedError(UnavailableError):
    """A model of the collection that nobody has trained yet."""


@dataclass(frozen=True)
class PretrainedInfo:
    """The only model of a source: its switches show its configuration.

    `options` are the values that each switch can have with the present weights. `split` and `count` read a
    text of any length, and raise UnavailableError; `joined` makes a text of the numbers of pieces. A model
    that is not the `whole` is the encoder of a pair. A sequence classifier gives a text one of its `labels`.
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
    joined: Callable[[Sequence[int]], str]
    labels: tuple[str, ...] = ()

    @property
    def objective(self) -> Objective:
        return self.config.objective

    def most_pieces(self, config: ModelConfig) -> int:
        """Return how many pieces these switches can show: position tables have an end."""
        longest = SCHEMES[config.positions].longest(config)
        return MOST_PIECES if longest is None else min(MOST_PIECES, longest)

    def check_length(self, n_pieces: int, config: ModelConfig) -> None:
        """Raise UnavailableError for more pieces than these switches can show."""
        most = self.most_pieces(config)
        if n_pieces > most:
            what = "This app shows" if most == MOST_PIECES else "{title} reads"
            limit = too_long(what, most, n_pieces, "token")
            raise UnavailableError(f"{limit} Shorten it.", title=self.title)


@dataclass(frozen=True)
class DimensionNames:
    """Meanings of a model's dimensions: of states, and by head those `sought` by q, k and `given` by v."""

    model: tuple[str, ...]
    sought: tuple[tuple[str, ...], ...]
    given: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run on a sentence, shared by all visitors, with the vocabulary of its tokens.

    `unknown` are the positions of words read as `<unk>`, `special` those of tokens that are no part of the
    sentence, `ends` the tokens that end a text, and `mask` is the word that stands for a masked one.
    `trained_for` is the objective where the mask's is another. The words of a `pretrained` model are pieces;
    `dimensions` are those of weights set by hand. `label_head` gives the probabilities of the labels of a
    sequence classifier.
    """

    model: Stack
    vocabulary: Vocabulary
    words: tuple[str, ...]
    tokens: Int[Tensor, "1 position"]
    unknown: tuple[int, ...] = ()
    special: tuple[int, ...] = ()
    ends: frozenset[int] = frozenset()
    mask: str = MASK
    trained_for: Objective | None = None
    pretrained: PretrainedInfo | None = None
    dimensions: DimensionNames | None = None
    label_head: LabelHead | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.vocabulary, Vocabulary):
            raise TypeError(
                f"vocabulary must be a Vocabulary, got {type(self.vocabulary).__name__}: "
                "core.sources.pretrained.with_text makes a pretrained model ready for a text"
            )

    @property
    def objective(self) -> Objective:
        return self.trained_for or self.model.config.objective

    @property
    def predicts_next(self) -> bool:
        """Whether the model predicts the next word; otherwise it predicts a masked one."""
        return self.objective == NEXT_WORD

    @property
    def mask_token(self) -> int:
        """Number of the mask token; raises UnavailableError if there is none."""
        if self.mask not in self.vocabulary:
            raise UnavailableError(
                "The vocabulary has no {mask}, so the model cannot be asked to fill in words.",
                mask=self.mask or "mask token",
            )
        return int(self.vocabulary.encode([self.mask]).item())


@dataclass(frozen=True)
class Source:
    """A source of the weights of models.

    `load` and `record` raise UnavailableError, saying what to do. A `seeded` source has other weights for
    another seed. `ablated` names fields in which a configuration differs from the training; `record` is of
    the intact model, or None. A source of one `pretrained` model has no other; a source without a model gives
    the reason in `why_not`.
    """

    load: Callable[[ModelConfig, Sequence[str], int], LoadedModel]
    most_layers: int
    seeded: bool = False
    trained: bool = True
    ablated: Callable[[ModelConfig], tuple[str, ...]] = lambda config: ()
    record: Callable[[ModelConfig], Record | None] = lambda config: None
    pretrained: PretrainedInfo | None = None
    why_not: UnavailableError | None = None


MOST_REGISTERED = 32
"""Greatest number of visitors' own sources that are kept, each under a new name."""

_registered: LRUCache[str, Source] = LRUCache(MOST_REGISTERED)
_lock = Lock()


def register(name: str, source: Source) -> None:
    """Register `source` under `name`; the one used longest ago makes room."""
    with _lock:
        _registered[name] = source


def registered(name: str) -> Source | None:
    """Return the source of this name; None if it is unknown or has made room."""
    with _lock:
        return _registered.get(name)
