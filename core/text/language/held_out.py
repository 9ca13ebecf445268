"""Pairs of nouns that no consequence in training is about, in either order.

Sentences of other kinds may have both nouns. Roles and effects among them cannot be remembered: a right
answer needs the order of the words.
"""

from functools import cache

from core.text.language.clauses import CONSEQUENCES
from core.text.language.forms import noun_forms
from core.text.language.lexicon import NOUNS
from core.text.language.sentence import Sentence

Pair = frozenset[str]


def is_held_out(sentence: Sentence) -> bool:
    """Return whether the agent and the patient of a consequence are a pair kept for testing."""
    return pair_of(sentence) in held_out_pairs()


def pair_of(sentence: Sentence) -> Pair:
    """Return the agent and the patient of a consequence as lemmas, without their order or number."""
    assert sentence.roles is not None, "consequences have roles"
    return frozenset(_lemmas()[sentence.words[at]] for at in (sentence.roles.agent, sentence.roles.patient))


def nouns_in(sentence: Sentence) -> frozenset[str]:
    """Return the lemmas of all nouns and names of a sentence."""
    return frozenset(_lemmas()[word] for word in sentence.words if word in _lemmas())


@cache
def held_out_pairs() -> frozenset[Pair]:
    """Return neighbours in the lists of the lexicon, with the last and the first; each king and his queen."""
    rings = {noun: NOUNS[noun].split() for noun, *_ in CONSEQUENCES}
    neighbours = {
        frozenset(pair) for ring in rings.values() for pair in zip(ring, [*ring[1:], ring[0]], strict=True)
    }
    couples = zip(NOUNS["king"].split(), NOUNS["queen"].split(), strict=True)
    return frozenset(neighbours | {frozenset(couple) for couple in couples})


@cache
def _lemmas() -> dict[str, str]:
    """Return the lemma of every noun, by its form in a sentence."""
    return {form.text: form.lemma for name in NOUNS for form in noun_forms(name)}
