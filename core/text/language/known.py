"""The words that trained models know, by kind, and the nearest known words to an unknown one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from types import MappingProxyType

from core.text.language.forms import noun_forms
from core.text.language.lexicon import FEMININE_NAMES, MASCULINE_NAMES, NOUNS, PRONOUNS, VERBS, WORDS
from core.text.language.reviews import ADJECTIVES
from core.text.language.vocabulary import SPECIAL, fold, vocabulary

NEAR_ENOUGH = 0.76
"""Least similarity of two words by difflib's ratio: twice the shared letters over all their letters."""

SHORTEST_BEGINNING = 2
"""Least number of letters that count as the beginning of a word."""

ADJECTIVE_CLASSES = ("busy", "heavy", "calm", "old", "big", "late", "good", "chinese")
VERB_CLASSES = (
    *("made", "gave", "went", "met", "talked", "lost", "cooked", "chased", "fed", "told"),
    *("go", "cram"),
)
"""Classes of `WORDS` in the lexicon by the kind of their words; the rest are adverbs and prepositions."""

OTHERS = "other words and signs"

DETERMINERS = "the a his her its our their"
PREPOSITIONS = "at behind beside for in into near of on to under"


@cache
def words_by_kind() -> Mapping[str, tuple[str, ...]]:
    """Return every word of the vocabulary that can be typed, once, under its first kind."""
    speakers, cases = ("i", "we"), (case for genders in PRONOUNS.values() for case in genders.values())
    pronouns = [form for case in cases for form in case.split("/")]
    pronouns += [form.text for name in speakers for form in noun_forms(name)]
    verbs = [form for entries in VERBS.values() for entry in entries.split() for form in entry.split("/")]
    kinds: dict[str, Iterable[str]] = {
        "names": f"{FEMININE_NAMES} {MASCULINE_NAMES}".split(),
        "pronouns": pronouns,
        "nouns": [form.text for name in NOUNS if name not in speakers for form in noun_forms(name)],
        "verbs": [*verbs, *(word for name in VERB_CLASSES for word in WORDS[name].split())],
        "adjectives": frozenset().union(*ADJECTIVES, *(WORDS[name].split() for name in ADJECTIVE_CLASSES)),
    }
    left, found = dict.fromkeys(word for word in vocabulary().words if word not in SPECIAL), {}
    for kind, words in kinds.items():
        own = frozenset(words)
        found[kind] = tuple(word for word in left if word in own)
        left = {word: None for word in left if word not in own}
    return MappingProxyType(found | {OTHERS: tuple(left)})


def kinds_expected(words: Sequence[str], at: int) -> tuple[str, ...]:
    """Return the kinds of words that can follow the word before a position; empty for no guess."""
    before = fold(words[at - 1]) if at else ""
    if before in DETERMINERS.split():
        return ("nouns", "adjectives")
    if before in PREPOSITIONS.split():
        return ("nouns", "names")
    return _AFTER.get(kind_of(before), ()) if at else _FIRST


@lru_cache(maxsize=1024)
def kind_of(word: str) -> str:
    """Return the kind of a known word; empty for an unknown one."""
    return next((kind for kind, words in words_by_kind().items() if word in words), "")


def nearest(word: str, n: int = 2, kinds: Collection[str] | None = None) -> tuple[str, ...]:
    """Return up to `n` known words to propose for an unknown one: completions first, then similar spellings.

    Only words of these `kinds`, if given. An initial capital is kept. Empty if no known word is near.
    """
    folded, known = fold(word), [each for each in vocabulary().words if each.isalpha()]
    if kinds is not None:
        known = [each for each in known if kind_of(each) in kinds]
    begun = [each for each in known if len(folded) >= SHORTEST_BEGINNING and each.startswith(folded)]
    alike = get_close_matches(folded, known, n=n, cutoff=NEAR_ENOUGH)
    found = tuple(dict.fromkeys([*sorted(begun, key=len), *alike]))[:n]
    return tuple(map(str.capitalize, found)) if word[:1].isupper() else found


_FIRST = ("names", "pronouns", "nouns", OTHERS)
_AFTER: Mapping[str, tuple[str, ...]] = {
    "names": ("verbs",),
    "nouns": ("verbs",),
    "pronouns": ("verbs",),
    "adjectives": ("nouns",),
    "verbs": ("names", "nouns", "adjectives"),
}
"""The kinds of words that can follow a word of each kind."""
