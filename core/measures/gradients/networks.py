"""The three networks whose gradients are followed, as copies in double precision, and the text they read."""

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from itertools import islice
from statistics import fmean
from typing import TypeVar

from torch import nn

from core.model.initialisation import initialise
from core.text import language

FURTHEST = (50, 100, 200)
"""Distances, in words, that gradients can be followed back."""

INITIAL, TRAINED = STAGES = ("initial", "trained")
"""A network before its first training step, and after its last."""

N = TypeVar("N", bound=nn.Module)


def copy_of(model: N, *, seed: int | None = None) -> N:
    """A copy of a model in double precision, on the CPU; with a `seed`, at initialisation.

    The gradients of an RNN fall below what single precision can hold within a hundred words.
    """
    copy = deepcopy(model).cpu().requires_grad_(False)
    if seed is not None:
        initialise(copy, seed=seed)
    return copy.double()


@cache
def mean_length() -> float:
    """How many words a sentence of the language has in the mean, of the first thousand to train on."""
    return fmean(len(sentence.words) for sentence in islice(language.sentences(seed=0), 1000))


def long_text(words: Sequence[str], n: int) -> tuple[str, ...]:
    """`n` words that end in `words`, or in their last `n`; before them come sentences of the language.

    They are test sentences, on which no model was trained, and always the same ones before the same word.
    """
    return (*_before(n), *words)[-n:]


@cache
def _before(n: int) -> tuple[str, ...]:
    """At least `n` words: test sentences, the first one drawn at the end."""
    text: tuple[str, ...] = ()
    for sentence in language.sentences(seed=0, split="test"):
        if len(text) >= n:
            break
        text = (*sentence.words, *text)
    return text
