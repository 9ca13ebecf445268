"""The label of a review is what its negations and contrasts make of its words, judged by other means."""

import re

from core.text.language import Sentence, parse
from tests.core.text.language.samples import sample, words
from tests.covering import each

POSITIVE = {
    *words("good great moving funny exciting clever charming beautiful fresh tasty delicious perfect"),
    *words("loved liked enjoyed like enjoy recommend"),
}
NEGATIVE = {
    *words("bad boring slow dull weak silly terrible predictable bland stale salty burnt"),
    *words("hated disliked regretted hate dislike regret"),
}

BY_HAND = {
    "the film was good .": "positive",
    "the film was not good .": "negative",
    "the film was never boring .": "positive",
    "the movie was not only funny but also moving .": "positive",
    "the movie was not only dull but also silly .": "negative",
    "the acting was good but the story was boring .": "negative",
    "the acting was not good but the story was never boring .": "positive",
    "although the cakes were stale , the soup was delicious .": "positive",
    "although the soup was not bland , the cakes were burnt .": "negative",
    "i loved the film .": "positive",
    "i did not enjoy the film .": "negative",
    "i did not regret the dinner and the sauce was very tasty .": "positive",
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


@each(("text", "expected"), BY_HAND.items())
def test_reviews_are_judged_as_a_reader_would(text: str, expected: str) -> None:
    sentence = parse(words(text))
    assert (sentence.construction, sentence.label) == ("review", expected)


def test_the_last_clause_decides() -> None:
    for sentence in sample("review"):
        assert sentence.label == label(judged(clauses(sentence)[-1])), " ".join(sentence.words)
