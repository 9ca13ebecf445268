"""What learning from a text and writing it take on this machine, in seconds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from time import perf_counter
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.decoding import Decoding, LanguageModel, begin_text, forced, likeliest, written
from core.device import device_of
from core.measures.distance.long_range import TRANSFORMER
from core.measures.distance.timing import Timing, timed
from core.measures.generation.costs import USES, Use
from core.text import language

LENGTHS = (8, 16, 32, 64, 128, 255)
"""Numbers of words before the one that is timed: with it the longest text has 256."""

KEPT, ANEW = TRANSFORMER, "no cache"
"""The Transformer with the keys and values of earlier words kept, and without."""

MOST_SECONDS = 0.1
"""Seconds at most for each point of a curve: all of them together take some seconds."""


def word_times(
    models: Mapping[str, LanguageModel],
    *,
    lengths: Sequence[int] = LENGTHS,
    most_seconds: float = MOST_SECONDS,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[Timing]:
    """Seconds in which each writer reads one more word after so many, and expects the next; length by length.

    The Transformer does it twice: `KEPT` and `ANEW`. The words are drawn at random: that they make no
    sentence takes no time.
    """
    for words in lengths:
        tokens = _random_words(words + 1)
        for name, decoding in _begun(models, tokens[:, :-1]):
            run = _reading(decoding, tokens[:, -1])
            device = device_of(models[TRANSFORMER if name == ANEW else name])
            yield timed(run, name, words, device, most_seconds=most_seconds, clock=clock)


def text_times(
    models: Mapping[str, LanguageModel],
    words: Sequence[str],
    n_given: int,
    *,
    most_seconds: float = MOST_SECONDS,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[tuple[Use, Timing]]:
    """Seconds that every writer takes to learn from a text once, and to write what follows the words given.

    Learning is a pass over the text and one back, to the gradients of all weights. Writing is that of
    exactly these words, each read before the next is known; the Transformer keeps keys and values.
    """
    tokens = language.encode(words).tokens
    for writer, model in models.items():
        options: dict[str, Any] = {"most_seconds": most_seconds, "clock": clock}
        device = device_of(model)
        for use, run in zip(USES, (_training(model, tokens), _writing(model, tokens, n_given)), strict=True):
            yield use, timed(run, writer, len(words), device, **options)


@torch.inference_mode()
def _begun(
    models: Mapping[str, LanguageModel], tokens: Int[Tensor, "1 position"]
) -> list[tuple[str, Decoding]]:
    """Every writer with these words read."""
    begun = [(name, begin_text(model, tokens)) for name, model in models.items() if name != TRANSFORMER]
    both = ((name, begin_text(models[TRANSFORMER], tokens, cached=name == KEPT)) for name in (KEPT, ANEW))
    return [*begun, *both]


def _reading(decoding: Decoding, word: Int[Tensor, "1"]) -> Callable[[], object]:
    @torch.inference_mode()
    def run() -> None:
        decoding.read(word)

    return run


def _training(model: LanguageModel, tokens: Int[Tensor, "1 position"]) -> Callable[[], object]:
    """A pass there and back of a copy: models are shared, and nobody may give them gradients."""
    copy, tokens = deepcopy(model).requires_grad_(True), tokens.to(device_of(model))

    def run() -> None:
        with torch.inference_mode(mode=False), torch.enable_grad():
            copy.zero_grad()
            cross_entropy(copy(tokens[:, :-1].clone())[0], tokens[0, 1:].clone()).backward()  # type: ignore[no-untyped-call]

    return run


def _writing(model: LanguageModel, tokens: Int[Tensor, "1 position"], n_given: int) -> Callable[[], object]:
    """A function that writes these words, whatever others the model finds likelier."""
    words = tokens[0, n_given:].tolist()
    choose = forced(likeliest, dict(enumerate(words)))

    def run() -> None:
        begun = begin_text(model, tokens[:, : n_given - 1])
        written(begun, choose, start=int(tokens[0, n_given - 1]), ends=(), longest=len(words))

    return run


def _random_words(n: int) -> Int[Tensor, "1 position"]:
    generator = torch.Generator().manual_seed(n)
    return torch.randint(len(language.vocabulary()), (1, n), generator=generator)
