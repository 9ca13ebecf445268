"""The one translation of a sentence of our language, with the alignment of the words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.text.language import Sentence
from core.text.translation.clauses import Clause, Outline, Phrase, outline
from core.text.translation.spelling import Spelled, Speller

Alignment = frozenset[tuple[int, int]]
"""Pairs of positions, in the source and in the translation, counted from 0."""


@dataclass(frozen=True)
class Translation:
    """The words of a translation, with the source word that each comes from.

    Every word on either side has at least one link. A word that becomes two has two links, and so has a word
    that comes from two.
    """

    words: tuple[str, ...]
    alignment: Alignment


@lru_cache(maxsize=1024)
def translate(sentence: Sentence) -> Translation:
    """Return the one translation of a sentence; measures ask several times for the same sentences."""
    spelled = tuple(_Writer(Speller(sentence)).sentence(outline(sentence.words)))
    return Translation(
        words=tuple(word for word, _ in spelled),
        alignment=frozenset(
            (position, i) for i, (_, positions) in enumerate(spelled) for position in positions
        ),
    )


@dataclass(frozen=True)
class _Writer:
    """A writer that puts clauses and phrases in their order."""

    speller: Speller

    def sentence(self, sentence: Outline) -> Iterator[Spelled]:
        """Yield the clauses, then the lead before the first subject and its comma, then the last mark."""
        for clause in sentence.clauses:
            yield from self._clause(clause)
        if sentence.lead is not None and sentence.comma is not None:
            yield self.speller.small_word(sentence.comma)
            yield from self._part(sentence.lead)
        yield self.speller.small_word(sentence.mark)

    def _clause(self, clause: Clause) -> Iterator[Spelled]:
        """Yield a clause with the verb first if it is a main clause.

        In another clause the verb is last, but before a clause about its last noun.
        """
        yield from (self.speller.small_word(position) for position in clause.opening)
        verb = tuple(self.speller.verb(clause.verb, infinitive=clause.kind == "infinitive"))
        if clause.kind == "main":
            yield from (*verb, *self._parts(clause.subject), *self._parts(clause.rest))
            return
        end = next((i for i, part in enumerate(clause.rest) if isinstance(part, Clause)), len(clause.rest))
        yield from (*self._parts(clause.subject), *self._parts(clause.rest[:end]), *verb)
        yield from self._parts(clause.rest[end:])

    def _parts(self, parts: Iterable[Phrase | Clause]) -> Iterator[Spelled]:
        for part in parts:
            yield from self._part(part)

    def _part(self, part: Phrase | Clause) -> Iterator[Spelled]:
        return self.speller.phrase(part) if isinstance(part, Phrase) else self._clause(part)
