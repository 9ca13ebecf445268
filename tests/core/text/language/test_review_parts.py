"""Reviews have the parts, the label and the held-out kinds that a reader finds, judged by other means."""

import re

from core.text.language import Sentence
from core.text.language.review_parts import NEVER_NEGATED, OPINIONS, held_out_kinds, parts_of
from core.text.language.reviews import ADJECTIVES
from tests.core.text.language.samples import sample, words
from tests.covering import each

NEGATED = re.compile(r"\b(?:not(?! only)|never)\b")


def test_every_review_has_the_clauses_that_a_reader_finds() -> None:
    for review in sample("review"):
        line = " ".join(review.words)
        expected = re.split(r" but (?!also)| and | , ", line)
        parts = parts_of(review.words)
        assert [" ".join(review.words[c.start : c.end]) for c in parts.clauses] == expected
        for clause, text in zip(parts.clauses, expected, strict=True):
            assert (clause.negation is not None) == bool(NEGATED.search(text)), text
            assert (clause.intensifier is not None) == bool(re.search(r"\b(very|really)\b", text)), text
            assert clause.opinions, text


@each(
    ("text", "deciding", "contrast"),
    [
        ("the acting was good but the story was boring .", "boring", "but"),
        ("although the story was boring , i loved the acting .", "loved", "although"),
        ("the film was not only clever but also funny .", "funny", None),
    ],
)
def test_the_last_opinion_decides(text: str, deciding: str, contrast: str | None) -> None:
    parts = parts_of(words(text))
    assert parts.deciding is not None
    assert (parts.words[parts.deciding], parts.contrast) == (deciding, contrast)


@each("text", [",", "although", "not", "but also", "and although ,"])
def test_joints_without_clauses_are_no_reviews_and_no_error(text: str) -> None:
    assert parts_of(words(text)).deciding is None
    assert held_out_kinds(words(text)) == ()


def test_opinions_have_the_sign_of_their_list() -> None:
    praise, blame = ADJECTIVES
    assert {word for word in praise if OPINIONS[word] == 1} == praise
    assert {word for word in blame if OPINIONS[word] == -1} == blame
    assert (OPINIONS["loved"], OPINIONS["regret"]) == (1, -1)
    assert {word: OPINIONS[word] for word in sorted(NEVER_NEGATED)} == {
        "burnt": -1, "clever": 1, "dull": -1, "fresh": 1
    }  # fmt: skip


@each(
    ("text", "kinds"),
    [
        ("although the film was good , the plot was not funny .", ("although + negation",)),
        ("the film was slow but the plot was really good .", ("but + intensifier",)),
        ("the film was not only dull but also really bad .", ()),
        ("the film was never dull .", ("adjective never negated",)),
        ("the film was not bad and the plot was dull .", ()),
        (
            "although i liked it , the soup was not fresh .",
            ("although + negation", "adjective never negated"),
        ),
    ],
)
def test_held_out_reviews_agree_with_their_names(text: str, kinds: tuple[str, ...]) -> None:
    assert held_out_kinds(words(text)) == kinds


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
