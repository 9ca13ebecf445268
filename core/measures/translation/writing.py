"""Translations by a model: its words, and the alternatives at each step."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.decoding import (
    Beam,
    DecodingState,
    Sampling,
    beams,
    decode,
    likeliest,
    next_word_distribution,
    read_words,
    sampler,
    start_translation,
)
from core.learning.evaluation.translation import ends
from core.measures.prediction import choices
from core.sources.trained import LoadedTranslator
from core.text import translation
from core.text.translation import END

Way = Literal["greedy", "sampled", "beam"]
WIDEST = 5
"""The widest beam: a tree of more hypotheses side by side cannot be read."""


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """The choice of words after the given `prefix`; `width` is for a beam."""

    way: Way = "greedy"
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    width: int = 1
    prefix: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hypothesis:
    """A word in the tree of a beam search; `parent` is its row one step before, `rank` its own, if kept."""

    word: str
    step: int
    rank: int | None
    parent: int
    log_probability: float
    total: float
    best: bool


@dataclass(frozen=True, eq=False)
class WrittenTranslation:
    """A translation with its end, if any; row t of `log_probabilities`, in nats, chose word t."""

    words: tuple[str, ...]
    log_probabilities: Float[np.ndarray, "step vocab"]
    chosen: Float[np.ndarray, "step"]
    unknown: tuple[int, ...]
    drawn: Float[np.ndarray, "step vocab"] | None = None
    tree: tuple[Hypothesis, ...] = ()

    @property
    def sentence(self) -> tuple[str, ...]:
        return self.words[:-1] if self.ended else self.words

    @property
    def ended(self) -> bool:
        """Whether the model reached the end itself."""
        return self.words[-1:] == (END,)

    @property
    def probabilities(self) -> Float[np.ndarray, "step"]:
        return np.exp(self.chosen)

    def choices(self, step: int) -> pd.DataFrame:
        drawn = None if self.drawn is None else self.drawn[step]
        words = translation.vocabulary().words
        return choices(words, self.log_probabilities[step], self.words[step], drawn=drawn)

    @property
    def total(self) -> float:
        return float(self.chosen.sum())


@torch.inference_mode()
def write(loaded: LoadedTranslator, strategy: Strategy) -> WrittenTranslation:
    """Translate a sentence by a strategy, with all log-probabilities."""
    known = translation.vocabulary()
    given = tuple(known.encode(strategy.prefix)[0].tolist()) if strategy.prefix else ()
    ids, beam = _found(start_translation(loaded.model, loaded.source), strategy, given)
    # Once more with all words given: one pass, the same numbers for every strategy.
    fed = torch.tensor([[ends()["start"], *ids[:-1]]])
    logits = loaded.model((loaded.source, fed.to(loaded.source.device)))[0]
    drawn = None
    if strategy.way == "sampled":
        drawn = array_of(torch.stack([next_word_distribution(row, strategy.sampling) for row in logits]))
    log_probabilities = array_of(logits.double().log_softmax(dim=-1))
    chosen = log_probabilities[np.arange(len(ids)), list(ids)]
    tree = () if beam is None else (*_stem(strategy.prefix, chosen), *_tree(beam, chosen[: len(given)]))
    return WrittenTranslation(
        words=tuple(known.decode(torch.tensor(ids))),
        log_probabilities=log_probabilities,
        chosen=chosen,
        unknown=loaded.unknown,
        drawn=drawn,
        tree=tree,
    )


def _found(
    decoding: DecodingState, strategy: Strategy, given: tuple[int, ...]
) -> tuple[tuple[int, ...], Beam | None]:
    """Return the given words and the words that follow, and the beam that found them."""
    start, limits = ends()["start"], ends()
    *read, last = (start, *given)
    decoding = read_words(decoding, read)
    limits |= {"start": last, "longest": max(1, limits["longest"] - len(given))}
    if strategy.way == "beam":
        *_, beam = beams(decoding, width=strategy.width, **limits)
        return (*given, *beam.words(beam.best)), beam
    choose = sampler(strategy.sampling, strategy.seed) if strategy.way == "sampled" else likeliest
    steps = decode(decoding, choose, **limits)
    return (*given, *(step.word for step in steps)), None


def _stem(prefix: tuple[str, ...], chosen: Float[np.ndarray, "step"]) -> Iterator[Hypothesis]:
    """Yield the given words: the tree grows from the last of them."""
    totals = np.cumsum(chosen)
    for at, word in enumerate(prefix):
        yield Hypothesis(word, at + 1, 0, 0, float(chosen[at]), float(totals[at]), best=True)


def _tree(beam: Beam, given: Float[np.ndarray, "step"]) -> tuple[Hypothesis, ...]:
    """Return the tree of a search without its root, step by step, the likeliest first."""
    known, path = translation.vocabulary().words, frozenset(beam.path(beam.best))
    rank: dict[int, int] = {0: 0}
    found: list[Hypothesis] = []
    deepest = max(each.depth for each in beam.tree)
    for step in range(1, deepest + 1):
        here = [i for i, each in enumerate(beam.tree) if each.depth == step]
        here.sort(key=lambda i: (not beam.tree[i].kept, -beam.tree[i].total))
        rank |= {number: row for row, number in enumerate(here)}
        for number in here:
            one = beam.tree[number]
            assert one.parent is not None, "only the root has none"
            found.append(
                Hypothesis(
                    word=known[one.word],
                    step=len(given) + step,
                    rank=rank[number] if one.kept else None,
                    parent=rank[one.parent],
                    log_probability=one.log_probability,
                    total=float(given.sum()) + one.total,
                    best=number in path,
                )
            )
    return tuple(found)
