"""Models for the words of a visitor: here they are loaded, and measures take what is loaded."""

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from core.model.config import ModelConfig
from core.sources import LoadedModel, UnavailableError, load
from pages.contract.switches import Architecture

K = TypeVar("K", bound=Hashable)
C = TypeVar("C")
T = TypeVar("T")


def loaded(words: tuple[str, ...], switches: Architecture) -> LoadedModel:
    """The model that the switches describe, with words. Raises UnavailableError where there is none."""
    return load(switches.source, switches.config, words, switches.seed)


def loaded_with_each(
    words: tuple[str, ...], switches: Architecture, configs: Mapping[K, ModelConfig]
) -> dict[K, LoadedModel]:
    """The models with these configurations that are there. Raises UnavailableError where none is."""
    found = those_there(lambda config: load(switches.source, config, words, switches.seed), configs)
    if not found:
        load(switches.source, next(iter(configs.values())), words, switches.seed)
    return found


def those_there(take: Callable[[C], T], wanted: Mapping[K, C]) -> dict[K, T]:
    """What `take` gives of these, without those for which it raises UnavailableError."""
    found = {}
    for name, one in wanted.items():
        try:
            found[name] = take(one)
        except UnavailableError:
            continue
    return found
