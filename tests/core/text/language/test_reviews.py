"""The label of a review is what its negations and contrasts make of its words, judged by other means."""

import re

from core.text.language import Sentence
from tests.core.text.language.samples import sample, words

POSITIVE = {
    *words("good great moving funny exciting clever charming beautiful fresh tasty delicious perfect"),
    *words("loved liked enjoyed like enjoy recommend"),
}
NEGATIVE = {
    *words("bad boring slow dull weak silly terrible predictable bland stale salty burnt"),
    *words("hated disliked regretted hate dislike regret"),
}


def clauses(review: Sentence) -> list[str]:
    line = " ".join(review.words).removesuffix(" .").removeprefix("although ").replace("but also", "also")
    return re.split(r" but | and | , ", line)


def judged(clause: str) -> int:
    """+1 for praise, −1 for blame: the sign of its words, turned round by each negation."""
    row = words(clause.replace("not only", ""))
    signs = {(word in POSITIVE) - (word in NEGATIVE) for word in row} - {0}
    assert len(signs) == 1, clause
    return signs.pop() * (-1) ** sum(word in ("not", "never") for word in row)


def label(sign: int) -> str:
    return "positive" if sign > 0 else "negative"


def test_the_last_clause_decides() -> None:
    for sentence in sample("review"):
        assert sentence.label == label(judged(clauses(sentence)[-1])), " ".join(sentence.words)
