"""Mean weight of a word against the effect of hiding it, over a hundred beginnings of sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from jaxtyping import Bool

from core.measures.hiding import Hiding, heaviest_and_strongest, hide_each, hide_each_in, rank_correlation
from core.sources import LoadedModel
from core.text.language import sentences

N, SHORTEST, LONGEST = 100, 8, 20
"""Numbers of beginnings, and of their words in the small language: few ranks agree by chance."""

LARGE = 0.2
"""Least probability that moves in an example: a smaller change shows little."""

FAR = 2
"""Least ratio of the largest change to the change of the heaviest word, in an example of disagreement."""

AT_ONCE = 256
"""Number of copies of sentences that a model of the small language reads together."""

DECIMALS = 5


@dataclass(frozen=True)
class WeightEffectComparison:
    """A sentence with its `heaviest` word (largest mean weight) and `strongest` word (largest change).

    The correlation is Spearman's, over all words except the predicting word; None if it is undefined. `later`
    also leaves out the first word, to which many heads attend in any text; None if no other word is left.
    """

    text: str
    correlation: float | None
    heaviest: int
    strongest: int
    of_heaviest: float
    of_strongest: float
    later: "WeightEffectComparison | None" = None

    @property
    def agrees(self) -> bool:
        return self.heaviest == self.strongest


@dataclass(frozen=True)
class Spread:
    """Quartiles of the correlations, and numbers of sentences.

    In `n_agreeing` of all `n` sentences the heaviest word is the strongest, and in `n_first` the heaviest
    word is the first.
    """

    quartiles: tuple[float, float, float]
    n_agreeing: int
    n_first: int
    n: int


@cache
def beginnings() -> tuple[str, ...]:
    """Return distinct sentences of the small language without their last word; none was trained on.

    The model has to choose a word there; after a whole sentence, a mark would follow.
    """
    found: dict[str, None] = {}
    drawn = sentences(0, split="test")
    while len(found) < N:
        *words, _, mark = next(drawn).words
        if mark in ".?!" and SHORTEST <= len(words) <= LONGEST:
            found.setdefault(" ".join(words))
    return tuple(found)


def compare(text: str, found: Hiding) -> WeightEffectComparison:
    """Compare the mean weights of all words with the changes of the prediction without each of them."""
    if not found.others.any():
        return WeightEffectComparison(text, None, found.position, found.position, 0.0, 0.0)
    later = found.others & (np.array(found.keys) != 0)
    return replace(
        _compare(text, found, found.others), later=_compare(text, found, later) if later.any() else None
    )


def _compare(text: str, found: Hiding, among: Bool[np.ndarray, "key"]) -> WeightEffectComparison:
    """Compare weights and changes of the words `among`, which has at least one."""
    weights, changes = found.mean_weights[among], found.changes[among]
    heaviest, strongest = heaviest_and_strongest(weights, changes)
    places = np.array(found.keys)[among]
    correlation = rank_correlation(weights, changes)
    return WeightEffectComparison(
        text,
        None if correlation is None else round(correlation, DECIMALS),
        int(places[heaviest]),
        int(places[strongest]),
        round(float(changes[heaviest]), DECIMALS),
        round(float(changes[strongest]), DECIMALS),
    )


def compare_at_last(text: str, loaded: LoadedModel, *, window: int | None = None) -> WeightEffectComparison:
    """Compare weights and changes for the prediction at the last word: the next, or the last one masked."""
    return compare(text, hide_each(loaded, position=len(loaded.words) - 1, window=window))


def over_beginnings(
    read: Callable[[tuple[str, ...]], LoadedModel], *, window: int | None = None
) -> tuple[WeightEffectComparison, ...]:
    """Compare weights and changes in every beginning; equally long ones go through the model together."""
    by_length: dict[int, list[str]] = {}
    for text in beginnings():
        by_length.setdefault(len(text.split()), []).append(text)
    found: dict[str, WeightEffectComparison] = {}
    for n, texts in by_length.items():
        alike = [read(tuple(text.split())) for text in texts]
        each = hide_each_in(alike, position=n - 1, window=window, at_once=AT_ONCE)
        found |= {text: compare(text, one) for text, one in zip(texts, each, strict=True)}
    return tuple(found[text] for text in beginnings())


def spread(compared: Sequence[WeightEffectComparison]) -> Spread | None:
    """Return median and quartiles of the correlations; None if no sentence has any."""
    found = [one.correlation for one in compared if one.correlation is not None]
    if not found:
        return None
    low, middle, high = map(float, np.percentile(found, (25, 50, 75)))
    n_first = sum(one.heaviest == 0 for one in compared)
    return Spread((low, middle, high), sum(one.agrees for one in compared), n_first, len(compared))


def without_first(compared: Sequence[WeightEffectComparison]) -> tuple[WeightEffectComparison, ...]:
    """Return the comparisons that leave out the first word of each sentence."""
    return tuple(one.later for one in compared if one.later is not None)


def examples(
    compared: Sequence[WeightEffectComparison],
) -> tuple[WeightEffectComparison | None, WeightEffectComparison | None]:
    """Return a sentence in which weight and effect agree, and one in which they do not.

    In the first the ranks agree most. In the second they agree no better than the median, and the strongest
    word's effect exceeds the heaviest word's most. In both, hiding one word changes the prediction clearly;
    either is None if there is no such sentence.
    """
    found = spread(compared)
    if found is None:
        return None, None
    clear = [(one, one.correlation) for one in compared if one.of_strongest >= LARGE]
    agreeing = [(ranks, one) for one, ranks in clear if ranks is not None and one.agrees]
    others = [
        (one.of_strongest - one.of_heaviest, one)
        for one, ranks in clear
        if ranks is not None and ranks <= found.quartiles[1] and one.of_strongest >= FAR * one.of_heaviest
    ]
    first, second = (max(some, key=lambda one: one[0], default=None) for some in (agreeing, others))
    return first and first[1], second and second[1]
