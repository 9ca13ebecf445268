"""The collection's translators with a source sentence, ready to read."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from core.device import device_of
from core.learning.checkpoints import Record
from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.learning.training import Pair
from core.model.models import EncoderDecoder
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.sources.trained import load_member, record_of_member
from core.text import language


@dataclass(frozen=True)
class LoadedTranslator:
    """A translator ready to read the `words` of a sentence, `source`; shared by all visitors."""

    model: Pair
    words: tuple[str, ...]
    source: Int[Tensor, "1 source"]
    unknown: tuple[int, ...]


def load_translator(config: TranslatorConfig, words: Sequence[str]) -> LoadedTranslator:
    """Return the translator of a configuration with a sentence; raises UnavailableError."""
    model = load_member(name_of_pair(config))
    assert isinstance(model, EncoderDecoder | RecurrentEncoderDecoder), "the collection says so"
    encoding = language.encode(words)
    return LoadedTranslator(model, tuple(words), encoding.tokens.to(device_of(model)), encoding.unknown)


def record_of_translator(config: TranslatorConfig) -> Record:
    """Return the record of a translator's checkpoint. Raises UnavailableError as `load_translator` does."""
    return record_of_member(name_of_pair(config))
