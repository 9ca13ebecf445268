"""Baselines are what somebody really gets who answers without reading."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from core.learning.evaluation.baselines import (
    N_LEARNED,
    baseline,
    chance_accuracy,
    constant_answer_accuracy,
    is_no_better,
)
from core.learning.evaluation.phenomena import Question, correct, evaluation_questions
from core.text.language import vocabulary
from tests.covering import each


def question(*, right: str, wrong: str) -> Question:
    return Question(("the", "oven", "cooked", "bread"), 2, frozenset(right.split()), frozenset(wrong.split()))


class Scoring(nn.Module):
    """A model that gives every word its score in `scores`, whatever it reads."""

    def __init__(self, scores: Tensor) -> None:
        super().__init__()
        self.scores = nn.Parameter(scores)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.scores.expand(*tokens.shape, -1)


def answers_of_a_majority(questions: Sequence[Question], learned_from: Sequence[Question]) -> float:
    """Return the score of a model that scores each word by how often it was right, counted here again."""
    words = vocabulary().words
    counts = [sum(word in one.right for one in learned_from) for word in words]
    return correct(Scoring(torch.tensor(counts).float()), questions).double().mean().item()  # type: ignore[arg-type]


def test_a_constant_answer_has_the_stated_accuracy() -> None:
    phenomenon = "negation"
    questions, learned_from = (
        evaluation_questions(phenomenon),
        evaluation_questions(phenomenon, n=N_LEARNED, split="train"),
    )
    found = constant_answer_accuracy(questions, learned_from=learned_from)
    assert found == pytest.approx(answers_of_a_majority(questions, learned_from))
    assert baseline(phenomenon) == max(found, chance_accuracy(questions))


def test_a_worked_example_of_both() -> None:
    asked = [question(right="warm ready", wrong="cold"), question(right="cold", wrong="warm ready")]
    assert chance_accuracy(asked) == pytest.approx((2 / 3 + 1 / 3) / 2)
    learned = [*asked, question(right="ready", wrong="cold"), question(right="hot", wrong="close")]
    assert constant_answer_accuracy([*asked, asked[0]], learned_from=learned) == pytest.approx(2 / 3)


def test_a_tie_of_two_words_is_not_an_answer() -> None:
    asked = [question(right="is", wrong="are"), question(right="are", wrong="is")]
    assert constant_answer_accuracy(asked, learned_from=asked) == 0


def test_a_name_said_again_is_one_of_the_two_that_the_sentence_has() -> None:
    for one in evaluation_questions("names", n=29):
        assert len(one.choice) == 2
        assert one.right < one.choice <= set(one.words[: one.place])
    assert baseline("names") == 0.5


@each(
    ("accuracy", "level", "n", "expected"),
    [
        (0.633, 0.633, 256, True),
        (0.69, 0.633, 256, True),  # less than two standard errors of 0.030 above
        (0.70, 0.633, 256, False),
        (0.51, 0.5, 100, True),
        (0.51, 0.5, 100_000, False),
        (0.0, 0.5, 10, True),
        (1.0, 1.0, 10, True),
    ],
)
def test_an_accuracy_means_something_above_its_baseline_by_more_than_luck(
    accuracy: float, level: float, n: int, expected: bool
) -> None:
    assert is_no_better(accuracy, level, n=n) is expected
