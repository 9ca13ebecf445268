"""Sentences for learning, choosing and testing translation; no pair of nouns is in two splits."""

from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from random import Random
from typing import Literal, get_args

from core.text import language
from core.text.language import CONSTRUCTIONS, SHARES, Sentence
from core.text.language import forms as english
from core.text.language.lexicon import NOUNS
from core.text.translation.forms import nouns

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

HELD_OUT_SHARE = 12
"""One pair of nouns in this many is for testing only, and one more for validation."""

DISTANCES: Mapping[int, float] = dict.fromkeys(range(1, 25), 1.0)
"""Distances from subject to verb, up to 24 words, equally likely; sentences have up to 35 words or so.

Nothing else is long. If short distances were more frequent, as in learning the language itself, one sentence
in fifty would have more than 18 words, and a model that fails on those might only lack practice.
"""

Pair = tuple[str, str]


def split_of(sentence: Sentence) -> Split:
    """Return the split of a sentence.

    It is for testing if two nouns or names kept for testing follow each other in it, in either order and
    number, or if the language split keeps it for testing. It is for validation if two kept for that follow
    each other. A sentence with fewer than two nouns goes by a hash of its words.
    """
    found = {kept_for(each) for each in pairs(sentence) or [sentence.words]}
    if "test" in found or language.split_of(sentence) == "test":
        return "test"
    return "validation" if "validation" in found else "train"


def pairs(sentence: Sentence) -> tuple[Pair, ...]:
    """Return the pairs of successive different nouns and names, by their lemmas, each pair sorted."""
    lemmas = [_lemmas()[word] for word in sentence.words if word in nouns()]
    return tuple((min(pair), max(pair)) for pair in pairwise(lemmas) if len(set(pair)) == 2)


def kept_for(pair: Sequence[str]) -> Split:
    """Return the split that a pair of nouns, or a sentence without one, is kept for; "train" by default."""
    digest = int.from_bytes(blake2b(" ".join(pair).encode(), digest_size=8).digest(), "big")
    return {0: "test", 1: "validation"}.get(digest % HELD_OUT_SHARE, "train")  # type: ignore[return-value]


def sentences(
    seed: int, *, split: Split = "train", constructions: Collection[str] = CONSTRUCTIONS
) -> Iterator[Sentence]:
    """Yield sentences without end, of these constructions in the proportions of their shares."""
    return _endless(seed, split, [name for name in CONSTRUCTIONS if name in constructions])


def _endless(seed: int, split: Split, names: Sequence[str]) -> Iterator[Sentence]:
    random, totals = Random(seed), tuple(accumulate(SHARES[name] for name in names))
    streams = {name: _of(name, int(random.random() * 2**53), split) for name in names}
    while True:
        yield next(streams[names[bisect(totals, random.random() * totals[-1], 0, len(names) - 1)]])


def _of(construction: str, seed: int, split: Split) -> Iterator[Sentence]:
    """Yield the sentences of a construction that are in a split."""
    drawn_from = language.SPLITS if split == "test" else ("train",)
    streams = [
        language.sentences(seed, split=each, constructions=[construction], distance=DISTANCES)
        for each in drawn_from
    ]
    return (each for row in zip(*streams, strict=True) for each in row if split_of(each) == split)


@cache
def _lemmas() -> dict[str, str]:
    """Return the lemma of every noun and name, by its form in a sentence."""
    return {form.text: form.lemma for name in NOUNS for form in english.noun_forms(name)}


def with_a_neighbour(tested: Iterable[Sentence], learned: Iterable[Sentence]) -> list[bool]:
    """Return, for each tested sentence, whether a learned one of the same length differs in at most one word.

    The time grows with the number of words in both together.
    """
    known = {gap for sentence in learned for gap in _with_a_gap(sentence.words)}
    return [any(gap in known for gap in _with_a_gap(sentence.words)) for sentence in tested]


def _with_a_gap(words: tuple[str, ...]) -> Iterator[int]:
    """Yield a hash for each way to leave one word out and keep its place; neighbours share one."""
    return (hash((*words[:i], None, *words[i + 1 :])) for i in range(len(words)))
