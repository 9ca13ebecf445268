"""Whether training had a kind of text: what the grammar makes, and what was held out of it."""

from collections.abc import Iterator, Sequence

from core.learning.tasks.classification import NEUTRAL
from core.text.language.parsing import readings
from core.text.language.review_parts import STOP, held_out_kinds

REVIEW = "review"


def is_made_by_grammar(words: Sequence[str]) -> bool:
    """Whether these words are one review, alone or among neutral sentences, each with its full stop."""
    found = [_constructions(sentence) for sentence in _sentences(words)]
    others = [constructions for constructions in found if REVIEW not in constructions]
    return len(found) - len(others) == 1 and all(not each.isdisjoint(NEUTRAL) for each in others)


def training_had(words: Sequence[str]) -> bool:
    """Whether training had texts of this kind: of the grammar, and of no kind that was held out."""
    return is_made_by_grammar(words) and not held_out_kinds(words)


def _constructions(sentence: Sequence[str]) -> frozenset[str]:
    return frozenset(reading.construction for reading in readings(sentence))


def _sentences(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words up to each full stop and with it; what follows the last one is a sentence too."""
    start = 0
    for at, word in enumerate(words):
        if word == STOP:
            yield words[start : at + 1]
            start = at + 1
    if start < len(words):
        yield words[start:]
