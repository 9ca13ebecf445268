"""Words of the second language from phrases and verbs, with the source positions each translates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.text.language import Sentence
from core.text.translation import lexicon
from core.text.translation.clauses import NEGATIONS, RAN_OUT_OF, Phrase
from core.text.translation.forms import VERB_ENDINGS, Agreement, adjectives, agreeing, ended, nouns, verbs

Spelled = tuple[str, tuple[int, ...]]
"""A word of the translation, and the source positions that it translates."""

ONES = Agreement("masculine", "plural")
"""Default agreement without a noun: masculine plural."""


@dataclass(frozen=True)
class Speller:
    """A speller of the parts of one sentence; a word may agree with one elsewhere in it."""

    sentence: Sentence

    def small_word(self, position: int) -> Spelled:
        """Return a word that has one form."""
        return lexicon.SMALL_WORDS[self._word(position)], (position,)

    def phrase(self, phrase: Phrase) -> Iterator[Spelled]:
        """Yield a noun with its companions; possessives and adjectives stand after it."""
        yield from self._before_noun(phrase)
        if phrase.modifiers and self._word(phrase.modifiers[0]) == "at":
            yield lexicon.AT_HOME, phrase.modifiers
            return
        modifiers = [self._modifier(position, phrase) for position in phrase.modifiers]
        if phrase.noun is None:
            yield from modifiers
        elif self._word(phrase.noun) == "ones":
            # "The good ones" is one word: the adjective stands for the noun.
            *others, (adjective, positions) = modifiers
            yield from (*others, (adjective, (*positions, phrase.noun)))
        else:
            yield from (self._noun(phrase.noun), *self._possessive(phrase), *modifiers)

    def verb(self, positions: Sequence[int], *, infinitive: bool = False) -> Iterator[Spelled]:
        """Yield a verb, its negation before it."""
        rest = [position for position in positions if self._word(position) not in NEGATIONS]
        yield from (self.small_word(position) for position in positions if position not in rest)
        words = [self._word(position) for position in rest]
        if words == ["can't"]:
            yield from ((part, (rest[0],)) for part in lexicon.CANNOT)
        elif words[0] in lexicon.COPULAS:
            yield lexicon.COPULAS[words[0]], (rest[0],)
        elif infinitive:
            yield verbs()[words[-1]].stem + VERB_ENDINGS["infinitive"], tuple(rest)
        elif words[0] == "did":
            yield lexicon.AUXILIARY, (rest[0],)
            yield verbs()[words[1]].stem + VERB_ENDINGS["past"], (rest[1],)
        else:
            yield from self._finite(rest, words)

    def _finite(self, positions: Sequence[int], words: Sequence[str]) -> Iterator[Spelled]:
        """Yield a finite verb: the past is two words; "is eating" is one."""
        main = verbs()[words[0] if tuple(words) == RAN_OUT_OF else words[-1]]
        if main.form == "past":
            yield lexicon.AUXILIARY, tuple(positions)
        form = verbs()[words[0]].form if main.form == "ing" else main.form
        yield main.stem + VERB_ENDINGS[form], tuple(positions)

    def _before_noun(self, phrase: Phrase) -> Iterator[Spelled]:
        """Yield a preposition and an article; with `the` they are one word."""
        preposition, positions = self._preposition(phrase)
        if phrase.article is None:
            if preposition:
                yield preposition, positions
            return
        article = agreeing(self._word(phrase.article), self._agreement(phrase.noun))
        if self._word(phrase.article) == "the":
            yield preposition + article, (*(() if self._is_recipient(phrase) else positions), phrase.article)
            return
        if preposition:
            yield preposition, positions
        yield article, (phrase.article,)

    def _preposition(self, phrase: Phrase) -> Spelled:
        """Return the source's preposition, or the mark of a recipient; an empty word without either."""
        if phrase.preposition is not None:
            return lexicon.PREPOSITIONS[self._word(phrase.preposition)], (phrase.preposition,)
        if self._is_recipient(phrase) and phrase.noun is not None:
            return lexicon.MARK_OF_RECIPIENT, (phrase.noun,)
        return "", ()

    def _is_recipient(self, phrase: Phrase) -> bool:
        roles = self.sentence.roles
        is_it = roles is not None and roles.recipient is not None and roles.recipient == phrase.noun
        return is_it and phrase.preposition is None

    def _noun(self, position: int) -> Spelled:
        word = self._word(position)
        if word in nouns():
            return nouns()[word].text, (position,)
        if word in lexicon.AGREEING:
            return agreeing(word, self._agreement(position)), (position,)
        return self.small_word(position)

    def _possessive(self, phrase: Phrase) -> Iterator[Spelled]:
        if phrase.possessive is not None:
            stem = lexicon.POSSESSIVES[self._word(phrase.possessive)]
            yield ended(stem, self._agreement(phrase.noun)), (phrase.possessive,)

    def _modifier(self, position: int, phrase: Phrase) -> Spelled:
        word = self._word(position)
        if word not in adjectives():
            return self.small_word(position)
        of = phrase.subject if phrase.noun is None else phrase.noun
        return ended(adjectives()[word], self._agreement(of)), (position,)

    def _agreement(self, position: int | None) -> Agreement:
        """Return the gender and number of a noun, or of the noun that a pronoun stands for."""
        assert position is not None, "an article or an adjective belongs to something"
        word = self._word(position)
        if word == "ones":
            return ONES
        return nouns()[word].agreement if word in nouns() else self._agreement(self._antecedents[position])

    @cached_property
    def _antecedents(self) -> Mapping[int, int]:
        return {reference.word: reference.antecedent for reference in self.sentence.pronouns}

    def _word(self, position: int) -> str:
        return self.sentence.words[position]
