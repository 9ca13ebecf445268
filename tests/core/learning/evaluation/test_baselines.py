"""Baselines are what somebody really gets who answers without reading."""

import pytest

from core.learning.evaluation import phenomena as module
from core.learning.evaluation.phenomena import (
    Question,
    baseline,
    chance_accuracy,
    constant_answer_accuracy,
    evaluation_questions,
    is_no_better,
)
from tests.covering import each


def question(*, right: str, wrong: str) -> Question:
    return Question(("the", "oven", "cooked", "bread"), 2, frozenset(right.split()), frozenset(wrong.split()))


def test_a_worked_example_of_both() -> None:
    asked = [question(right="warm ready", wrong="cold"), question(right="cold", wrong="warm ready")]
    assert chance_accuracy(asked) == pytest.approx((2 / 3 + 1 / 3) / 2)
    learned = [*asked, question(right="ready", wrong="cold"), question(right="hot", wrong="close")]
    assert constant_answer_accuracy([*asked, asked[0]], learned_from=learned) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("learned", "expected"), [("warm", 1.0), ("cold", 0.5)])
def test_the_baseline_is_the_better_of_chance_and_a_constant_answer_of_training(
    learned: str, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = {"test": question(right="warm", wrong="cold"), "train": question(right=learned, wrong="ready")}
    monkeypatch.setattr(module, "evaluation_questions", lambda name, split="test", **_: [sides[split]])
    assert baseline.__wrapped__("negation") == expected


def test_a_tie_of_two_words_is_not_an_answer() -> None:
    asked = [question(right="is", wrong="are"), question(right="are", wrong="is")]
    assert constant_answer_accuracy(asked, learned_from=asked) == 0


def test_a_name_said_again_is_one_of_the_two_that_the_sentence_has() -> None:
    for one in evaluation_questions("names", n=7):
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
