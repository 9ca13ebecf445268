"""Helpers of the tests of the language: a large sample, and an independent reading of the lexicon."""

from collections.abc import Sequence
from functools import cache
from itertools import islice

from core.text.language import CONSTRUCTIONS, Sentence, parsing, sentences
from core.text.language.lexicon import (
    FEMININE,
    FEMININE_KIN,
    FEMININE_NAMES,
    MASCULINE,
    MASCULINE_KIN,
    MASCULINE_NAMES,
    NOUNS,
    PEOPLE,
    VERBS,
)

SEEDS = range(2)


@cache
def sample(construction: str) -> tuple[Sentence, ...]:
    """Return two hundred sentences of a construction: a hundred of each of two seeds."""
    return tuple(
        sentence for seed in SEEDS for sentence in islice(sentences(seed, constructions=[construction]), 100)
    )


@cache
def every() -> tuple[Sentence, ...]:
    """Return two hundred sentences of each construction."""
    return tuple(sentence for construction in CONSTRUCTIONS for sentence in sample(construction))


def words(text: str) -> list[str]:
    return text.split()


def _halves(entries: str) -> list[tuple[str, str]]:
    return [(singular, plural) for singular, _, plural in (entry.partition("/") for entry in entries.split())]


NOUN_PAIRS = [pair for entries in NOUNS.values() for pair in _halves(entries)]
NUMBER = {
    **{singular: "singular" for singular, _ in NOUN_PAIRS if singular},
    **{plural: "plural" for _, plural in NOUN_PAIRS if plural},
    **dict.fromkeys(["he", "she", "it"], "singular"),
    "they": "plural",
}
"""The number of every noun and of the pronouns that can be subjects."""

SINGULAR_VERBS = {"is", "was"} | {entry.split("/")[0] for verbs in VERBS.values() for entry in verbs.split()}
PLURAL_VERBS = {"are", "were"} | {entry.split("/")[1] for verbs in VERBS.values() for entry in verbs.split()}

MEN = {word for word, _ in _halves(f"{MASCULINE} {MASCULINE_NAMES} {MASCULINE_KIN}")}
WOMEN = {word for word, _ in _halves(f"{FEMININE} {FEMININE_NAMES} {FEMININE_KIN}")}
EITHER = {word for word, _ in _halves(PEOPLE)}
NAMES = {*MASCULINE_NAMES.split(), *FEMININE_NAMES.split()}


def genders(noun: str) -> set[str]:
    """Return the genders that a singular noun may have; a chef has both."""
    if noun in EITHER:
        return {"masculine", "feminine"}
    return {"masculine"} if noun in MEN else {"feminine"} if noun in WOMEN else {"neuter"}


def next_words(beginning: Sequence[str]) -> tuple[str, ...]:
    """Return the words that may follow the beginning of a sentence, sorted; none after its end."""
    reader = parsing._Reader(beginning)
    if any(True for _ in reader.sentences()):
        return ()
    assert reader.furthest == len(beginning), reader.complaint()
    return tuple(sorted(reader.expected))
