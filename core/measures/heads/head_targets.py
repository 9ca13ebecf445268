"""What a head may be looking for in a sentence: for each kind of word, who looks for it and where it is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType

from core.text.language import Sentence

Cells = Iterable[tuple[int, int]]
"""Positions of a query and a key, counted from 0."""


@dataclass(frozen=True)
class Target:
    """A kind of word to look for; `meaning` ends the sentence "the share of attention on …".

    `cells` gives the queries that could look for one, each with the key it is at. Its second argument says
    how far before a word the model's prediction of it stands: 1 for a model of the next word, 0 for
    one that fills in words.
    """

    meaning: str
    cells: Callable[[Sentence, int], Cells]


def _shifted(by: int) -> Callable[[Sentence, int], Cells]:
    def cells(sentence: Sentence, ahead: int) -> Cells:
        n = len(sentence.words)
        return ((query, query + by) for query in range(n) if 0 <= query + by < n)

    return cells


def _first_word(sentence: Sentence, ahead: int) -> Cells:
    return ((query, 0) for query in range(1, len(sentence.words)))


def _last_mark(sentence: Sentence, ahead: int) -> Cells:
    last = len(sentence.words) - 1
    return ((query, last) for query in range(last))


def _mentions(sentence: Sentence, ahead: int) -> Cells:
    words = list(enumerate(sentence.words))
    return ((query, key) for query, word in words for key, other in words if query != key and word == other)


def _subject(sentence: Sentence, ahead: int) -> Cells:
    return _predicted(((a.verb, a.subject) for a in sentence.agreements), ahead)


def _antecedent(sentence: Sentence, ahead: int) -> Cells:
    return _predicted(((r.word, r.antecedent) for r in sentence.pronouns), ahead)


def _earlier_mention(sentence: Sentence, ahead: int) -> Cells:
    return _predicted(((r.word, r.antecedent) for r in sentence.repeats), ahead)


def _predicted(pairs: Iterable[tuple[int, int]], ahead: int) -> Cells:
    """From where the first of a pair is predicted to the second, unless both are the same position.

    There a model of the next word has to know whether `is` or `are` comes; at the verb itself it has been
    told. Where the position asked is the one sought, its weight would not tell that anything was found.
    """
    return ((word - ahead, other) for word, other in pairs if word - ahead not in (other, -1))


TARGETS = MappingProxyType(
    {
        "previous word": Target("the word before", _shifted(-1)),
        "next word": Target("the word after", _shifted(1)),
        "itself": Target("the query word itself", _shifted(0)),
        "first word": Target("the first word, from all others", _first_word),
        "full stop": Target("the mark at the end, from all other words", _last_mark),
        "same word": Target("other mentions of the query word", _mentions),
        "subject": Target("a verb's subject", _subject),
        "antecedent": Target("what a pronoun stands for", _antecedent),
        "earlier mention": Target("an earlier mention of the same noun or name", _earlier_mention),
    }
)
"""Every kind of word by its name."""
