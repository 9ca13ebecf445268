"""A sentence of our language cut into clauses and phrases, for reordering."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.text.translation import lexicon
from core.text.translation.forms import adjectives, nouns, verbs

Kind = Literal["main", "subordinate", "infinitive"]

SPEAKERS_AND_PRONOUNS = frozenset({"i", "you", "we", "he", "him", "she", "her", "it", "they", "them"})
DEGREES = frozenset({"very", "really"})
NEGATIONS = frozenset({"not", "never"})
PLACES = frozenset({"upstairs", "outside", "nearby"})
JOINTS: dict[str, Kind] = {
    "and": "main",
    "but": "main",
    "so": "main",
    ",": "main",
    "because": "subordinate",
    "when": "subordinate",
    "although": "subordinate",
}
"""Words that join clauses, and the kind of the clause after each."""

RAN_OUT_OF = ("ran", "out", "of")


@dataclass(frozen=True)
class Phrase:
    """Words that stay together, by position: a noun with its companions, or a phrase without a noun.

    `subject` is the noun that adjectives agree with if none is beside them.
    """

    preposition: int | None = None
    article: int | None = None
    possessive: int | None = None
    modifiers: tuple[int, ...] = ()
    noun: int | None = None
    subject: int | None = None


@dataclass(frozen=True)
class Clause:
    """A verb with its subject before it and its other parts after it, all by position.

    `opening` is what the clause begins with: who, because, and … An infinitive has no subject.
    """

    kind: Kind
    opening: tuple[int, ...] = ()
    subject: tuple["Phrase | Clause", ...] = ()
    verb: tuple[int, ...] = ()
    rest: tuple["Phrase | Clause", ...] = ()


@dataclass(frozen=True)
class Outline:
    """A whole sentence: the lead before its first subject, a comma, its clauses, and the last mark."""

    lead: Phrase | Clause | None
    comma: int | None
    clauses: tuple[Clause, ...]
    mark: int


def outline(words: Sequence[str]) -> Outline:
    """Return the clauses of a sentence of the language; other texts raise errors of several kinds."""
    return _Reader(words).sentence()


@dataclass
class _Reader:
    """A reader from the first word to the last; the words after `at` decide its next step."""

    words: Sequence[str]
    at: int = 0
    _subjects: list[int] = field(default_factory=list)

    def sentence(self) -> Outline:
        lead, comma = self._lead()
        clauses = [self._first()]
        while self._word() in JOINTS:
            clauses.append(self._clause(JOINTS[self._word()], self._take()))
        assert self.at == len(self.words) - 1, f"not read: {' '.join(self.words[self.at :])}"
        return Outline(lead, comma, tuple(clauses), self.at)

    def _lead(self) -> tuple[Phrase | Clause | None, int | None]:
        word = self._word()
        if word in lexicon.PREPOSITIONS:
            lead: Phrase | Clause = self._phrase()
        elif word in ("when", "although"):
            lead = self._clause("subordinate", self._take())
        else:
            return None, None
        return lead, self._take()[0]

    def _first(self) -> Clause:
        """Read the first clause: a statement or a question."""
        opening: tuple[int, ...] = ()
        while self._word() in ("so", "and", "why"):
            opening += self._take()
        return self._question(opening) if opening else self._clause("main", opening)

    def _question(self, opening: tuple[int, ...]) -> Clause:
        """Read a question such as "Why is X not doing Y", whose verb has two parts with X between them."""
        verb = self._take()
        subject = (self._phrase(),)
        verb += self._take(1 + (self._word() in NEGATIONS))
        return Clause("subordinate", opening, subject, verb, tuple(self._rest(verb)))

    def _clause(self, kind: Kind, opening: tuple[int, ...]) -> Clause:
        """Read a clause; one without a subject takes the subject around it for its adjectives."""
        subject = () if self._is_verb() else tuple(self._subject())
        if subject:
            self._subjects.append(_head(subject))
        verb = self._verb()
        rest = tuple(self._rest(verb))
        if subject:
            self._subjects.pop()
        return Clause(kind, opening, subject, verb, rest)

    def _subject(self) -> Iterator[Phrase | Clause]:
        yield self._phrase()
        while not self._is_verb():
            if self._word() == "and":
                yield Phrase(modifiers=self._take())
            yield from self._part()

    def _verb(self) -> tuple[int, ...]:
        """Read the words of the verb, and its negation."""
        if tuple(self.words[self.at : self.at + 3]) == RAN_OUT_OF:
            return self._take(3)
        if self._word() == "did":
            return self._take(3)
        negated = self._word(1) in NEGATIONS and self._word(2) != "only"
        return self._take(1 + negated)

    def _rest(self, verb: tuple[int, ...]) -> Iterator[Phrase | Clause]:
        """Yield the parts after a verb. After some verbs another one follows as an infinitive."""
        takes_bare = self.words[verb[0]] in ("let", "can't")
        while True:
            if self._word() == "to" and self._is_verb(1):
                yield self._infinitive(self._take(2))
            elif takes_bare and self._is_verb():
                yield self._infinitive(self._take())
            elif self._begins_part():
                yield from self._part()
            else:
                return

    def _infinitive(self, verb: tuple[int, ...]) -> Clause:
        return Clause("infinitive", verb=verb, rest=tuple(self._rest(verb)))

    def _part(self) -> Iterator[Phrase | Clause]:
        if self._word() in ("who", "that"):
            yield from self._relative()
        else:
            yield self._phrase()

    def _relative(self) -> Iterator[Clause]:
        """Yield clauses that belong to a noun, joined by commas and `and`, or the clause after `told`."""
        yield self._clause("subordinate", self._take())
        while self._word() in (",", "and") and self._is_verb(1):
            yield self._clause("subordinate", self._take())

    def _begins_part(self) -> bool:
        return self._word() in (*lexicon.PREPOSITIONS, "who", "that", "at", *NEGATIONS) or self._begins_noun()

    def _begins_noun(self) -> bool:
        word = self._word()
        known = (PLACES, DEGREES, SPEAKERS_AND_PRONOUNS, lexicon.POSSESSIVES, nouns(), adjectives())
        return word in ("the", "a") or any(word in some for some in known)

    def _phrase(self) -> Phrase:
        """Read a phrase: perhaps a preposition, then a noun with its companions; a place; or a predicate."""
        if self._word() in PLACES:
            return Phrase(modifiers=self._take())
        if self._word() == "at":
            return Phrase(modifiers=self._take(2))
        preposition = self._one_of(lexicon.PREPOSITIONS)
        article = self._one_of(("the", "a"))
        possessive = None if self._word(1) not in nouns() else self._one_of(lexicon.POSSESSIVES)
        modifiers: tuple[int, ...] = ()
        while self._modifies():
            modifiers += self._take()
        noun = self._take()[0] if self._is_head() else None
        subject = self._subjects[-1] if noun is None else None
        assert modifiers or noun is not None, f"no phrase begins at word {self.at}: {self._word()}"
        return Phrase(preposition, article, possessive, modifiers, noun, subject)

    def _one_of(self, words: Container[str]) -> int | None:
        """Take the next word if it is one of these, and return its position."""
        return self._take()[0] if self._word() in words else None

    def _modifies(self) -> bool:
        if self._word() in ("not", "but"):
            return self._word(1) in ("only", "also")
        return self._word() in ("only", "also", *DEGREES) or self._word() in adjectives()

    def _is_head(self) -> bool:
        word = self._word()
        return word in nouns() or word in SPEAKERS_AND_PRONOUNS or word == "ones"

    def _is_verb(self, ahead: int = 0) -> bool:
        word = self._word(ahead)
        return word in verbs() or word in lexicon.COPULAS or word in ("did", "can't", "is")

    def _word(self, ahead: int = 0) -> str:
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def _take(self, n: int = 1) -> tuple[int, ...]:
        self.at += n
        return tuple(range(self.at - n, self.at))


def _head(subject: Sequence[Phrase | Clause]) -> int:
    """Return the head noun of a subject."""
    first = subject[0]
    assert isinstance(first, Phrase), "a subject begins with a phrase"
    assert first.noun is not None, "a subject has a noun"
    return first.noun
