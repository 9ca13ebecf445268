"""Pairs of nouns about which no consequence in training is, with either of them as its agent.

Sentences of other kinds may have both. Who did what to whom among them and what came of it cannot be
remembered: a right answer needs the order of the words.
"""

from functools import cache

from core.text.language.clauses import CONSEQUENCES
from core.text.language.forms import noun_forms
from core.text.language.lexicon import NOUNS
from core.text.language.sentence import Sentence

Pair = frozenset[str]


def is_held_out(sentence: Sentence) -> bool:
    """Whether the agent and the patient of a consequence are a pair kept for testing."""
    return pair_of(sentence) in held_out_pairs()


def pair_of(sentence: Sentence) -> Pair:
    """The agent and the patient of a consequence, whichever is which, in whatever number they stand."""
    assert sentence.roles is not None, "consequences have roles"
    return frozenset(_lemmas()[sentence.words[at]] for at in (sentence.roles.agent, sentence.roles.patient))


def nouns_in(sentence: Sentence) -> frozenset[str]:
    """The lemmas of all nouns and names of a sentence."""
    return frozenset(_lemmas()[word] for word in sentence.words if word in _lemmas())


@cache
def held_out_pairs() -> frozenset[Pair]:
    """Neighbours in the lists of the lexicon, the last and the first among them; each king and his queen."""
    rings = {noun: NOUNS[noun].split() for noun, *_ in CONSEQUENCES}
    neighbours = {
        frozenset(pair) for ring in rings.values() for pair in zip(ring, [*ring[1:], ring[0]], strict=True)
    }
    couples = zip(NOUNS["king"].split(), NOUNS["queen"].split(), strict=True)
    return frozenset(neighbours | {frozenset(couple) for couple in couples})


@cache
def _lemmas() -> dict[str, str]:
    """The lemma of every noun, by the form that stands in a sentence."""
    return {form.text: form.lemma for name in NOUNS for form in noun_forms(name)}
