"""Seconds for one more word of a text on this machine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter

import torch
from jaxtyping import Int
from torch import Tensor

from core.decoding import Decoding, LanguageModel, begin_text
from core.device import device_of
from core.measures.distance.long_range import TRANSFORMER
from core.measures.distance.timing import Timing, timed
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


def _random_words(n: int) -> Int[Tensor, "1 position"]:
    generator = torch.Generator().manual_seed(n)
    return torch.randint(len(language.vocabulary()), (1, n), generator=generator)
