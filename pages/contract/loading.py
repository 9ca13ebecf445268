"""Models for the words of a visitor, loaded for measures."""

from collections.abc import Callable, Hashable, Mapping
from typing import Concatenate, ParamSpec, TypeVar

from core.model.config import ModelConfig
from core.sources import LoadedModel, UnavailableError, load
from pages.contract.caching import cached_for_all
from pages.contract.switches import Architecture

A = TypeVar("A")
B = TypeVar("B")
K = TypeVar("K", bound=Hashable)
C = TypeVar("C")
T = TypeVar("T")
P = ParamSpec("P")


def loaded(words: tuple[str, ...], switches: Architecture) -> LoadedModel:
    """Return the model of the switches and its words. Raises UnavailableError if it is not there."""
    return load(switches.source, switches.config, words, switches.seed)


@cached_for_all()
def measured(
    measure: Callable[Concatenate[C, P], T],
    load: Callable[[A, B], C],
    first: A,
    second: B,
    /,
    *given: P.args,
    **named: P.kwargs,
) -> T:
    """Return a measure of the model that is loaded for two arguments, computed once for all visitors."""
    return measure(load(first, second), *given, **named)


def loaded_with_each(
    words: tuple[str, ...], switches: Architecture, configs: Mapping[K, ModelConfig]
) -> dict[K, LoadedModel]:
    """Return the models of these configurations that are there. Raises UnavailableError if none is."""
    found = load_available(lambda config: load(switches.source, config, words, switches.seed), configs)
    if not found:
        load(switches.source, next(iter(configs.values())), words, switches.seed)
    return found


def load_available(take: Callable[[C], T], wanted: Mapping[K, C]) -> dict[K, T]:
    """Return the results of `take`, without those for which it raises UnavailableError."""
    found = {}
    for name, one in wanted.items():
        try:
            found[name] = take(one)
        except UnavailableError:
            continue
    return found
