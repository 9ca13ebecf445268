"""Sentences to learn translation from, to choose by and to test with: no pair of nouns is in two of them."""

from bisect import bisect
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from random import Random
from types import MappingProxyType
from typing import Literal, get_args

from core.text import language
from core.text.language import CONSTRUCTIONS, SHARES, Sentence
from core.text.language import forms as english
from core.text.language.lexicon import NOUNS
from core.text.translation.forms import nouns

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

HELD_OUT_SHARE = 12
"""One pair of nouns in so many is for testing only, and one more for validation."""

DISTANCES: Mapping[int, float] = MappingProxyType(dict.fromkeys(range(1, 25), 1.0))
"""Subject and verb are up to 24 words apart, each distance as often: sentences have about 35 words at most.

Nothing else is long. Were short distances more frequent, as where the language itself is learned, one
sentence in fifty would have more than 18 words, and a model that fails at those might only lack practice.
"""

Pair = tuple[str, str]


def split_of(sentence: Sentence) -> Split:
    """What a sentence is for.

    For testing if it mentions one after the other two nouns or names that are kept for that, in either
    order and number, or if it is for testing wherever the language is learned; for validation if it
    mentions two that are kept for that. A sentence with fewer than two nouns goes by a hash of its words.
    """
    found = {kept_for(each) for each in pairs(sentence) or [sentence.words]}
    if "test" in found or language.split_of(sentence) == "test":
        return "test"
    return "validation" if "validation" in found else "train"


def pairs(sentence: Sentence) -> tuple[Pair, ...]:
    """Different nouns and names that are mentioned one after the other, by their lemmas, each pair sorted."""
    lemmas = [_lemmas()[word] for word in sentence.words if word in nouns()]
    return tuple((min(pair), max(pair)) for pair in pairwise(lemmas) if len(set(pair)) == 2)


def kept_for(pair: Sequence[str]) -> Split:
    """What a pair of nouns is kept for, or what a sentence without one is for; "train" is everything else."""
    digest = int.from_bytes(blake2b(" ".join(pair).encode(), digest_size=8).digest(), "big")
    return {0: "test", 1: "validation"}.get(digest % HELD_OUT_SHARE, "train")  # type: ignore[return-value]


def sentences(
    seed: int, *, split: Split = "train", constructions: Collection[str] = CONSTRUCTIONS
) -> Iterator[Sentence]:
    """Sentences without end, of these constructions in the proportions of their shares in every split.

    Raises ValueError for a split that does not exist.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, got {split!r}")
    return _endless(seed, split, [name for name in CONSTRUCTIONS if name in constructions])


def _endless(seed: int, split: Split, names: Sequence[str]) -> Iterator[Sentence]:
    random, totals = Random(seed), tuple(accumulate(SHARES[name] for name in names))
    streams = {name: _of(name, int(random.random() * 2**53), split) for name in names}
    while True:
        yield next(streams[names[bisect(totals, random.random() * totals[-1], 0, len(names) - 1)]])


def _of(construction: str, seed: int, split: Split) -> Iterator[Sentence]:
    """The sentences of a construction that are of a split."""
    drawn_from = language.SPLITS if split == "test" else ("train",)
    streams = [
        language.sentences(seed, split=each, constructions=[construction], distance=DISTANCES)
        for each in drawn_from
    ]
    return (each for row in zip(*streams, strict=True) for each in row if split_of(each) == split)


@cache
def _lemmas() -> dict[str, str]:
    """The lemma of every noun and name, by the form that stands in a sentence."""
    return {form.text: form.lemma for name in NOUNS for form in english.noun_forms(name)}
