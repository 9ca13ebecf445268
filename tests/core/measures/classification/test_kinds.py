"""What training had is what the grammar makes, less what was held out."""

from itertools import islice

import pytest

from core.learning.tasks.classification import reviews, surrounded
from core.measures.classification.reviews import is_made_by_grammar, training_had
from core.text.language.review_parts import HELD_OUT
from tests.covering import each

N = 23


def test_training_had_what_it_is_trained_on_and_what_it_is_tested_on_as_seen() -> None:
    for split in ("train", "test"):
        for review in islice(reviews(3, split=split), N):
            assert training_had(review.words), review.words
    for text in islice(surrounded(5), 7):
        assert training_had(text.words), text.words


@pytest.mark.parametrize("kind", HELD_OUT)
def test_what_is_held_out_is_of_the_grammar_but_not_of_training(kind: str) -> None:
    for review in islice(reviews(3, split="test", held_out=kind), N):
        assert is_made_by_grammar(review.words)
        assert not training_had(review.words)


@each(
    ("text", "is_made"),
    [
        ("the film was very good .", True),
        ("The film was very good .", True),
        ("the film was not very good .", False),
        ("the acting was good but the story was boring .", True),
        ("the acting was good but the story was not boring .", False),
        ("although the acting was good , the story was great .", False),
        ("good", False),
        ("the film was good", False),
        ("the film was telepathic .", False),
        ("the dinner was great . the chef ate the cakes .", True),
        ("the chef ate the cakes . the dinner was great . the dogs run on the square .", True),
        ("the chef ate the cakes . the dinner was great . the dogs run", False),
        ("the dinner was great . the film was good .", False),
        ("the chef ate the cakes .", False),
        ("", False),
    ],
)
def test_one_review_among_neutral_sentences_is_what_the_grammar_makes(text: str, is_made: bool) -> None:
    assert is_made_by_grammar(text.split()) == training_had(text.split()) == is_made
