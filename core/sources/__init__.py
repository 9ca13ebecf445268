"""Sources of a model's weights; a new source is a new file and a line here."""

from collections.abc import Sequence

from core.model.config import ModelConfig
from core.sources.by_hand import BY_HAND
from core.sources.by_hand import NAME as BY_HAND_NAME
from core.sources.pieces import Pieces
from core.sources.pretrained import source as pretrained_source
from core.sources.random_weights import RANDOM
from core.sources.source import LoadedModel, PretrainedInfo, Source, UntrainedError, register, registered
from core.sources.trained import TRAINED
from core.unavailable import UnavailableError

SOURCES: dict[str, Source] = {"trained": TRAINED, "random": RANDOM}
"""The sources of small models that the switch always offers, by the name in the switch and the link."""

_OF_ONE_PAGE: dict[str, Source] = {BY_HAND_NAME: BY_HAND}
"""Sources that no switch offers: the step-by-step page has its own."""


def find(source: str) -> Source:
    """Return the source of this name; raises KeyError listing those in `SOURCES`."""
    found = SOURCES.get(source) or _OF_ONE_PAGE.get(source) or pretrained_source(source) or registered(source)
    if found is None:
        raise KeyError(f"there is no source {source!r}; there are: {', '.join(SOURCES)}")
    return found


def load(source: str, config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """Return the model of `source` for a sentence; raises KeyError, and UnavailableError without one."""
    return find(source).load(config, words, seed)


__all__ = [
    "BY_HAND_NAME",
    "SOURCES",
    "LoadedModel",
    "Pieces",
    "PretrainedInfo",
    "Source",
    "UnavailableError",
    "UntrainedError",
    "find",
    "load",
    "register",
    "registered",
]
