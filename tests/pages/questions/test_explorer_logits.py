"""What is asked of logits before they are shown."""

from math import exp

import pytest

from pages.contract.question import Estimate, solution
from pages.explorer.questions_of_logits import ratio_of_probabilities, same_added_to_all
from tests.covering import each
from tests.pages.asked import Asked


def test_the_ratio_of_two_probabilities_is_exp_of_the_difference_as_it_is_read() -> None:
    asked = ratio_of_probabilities(12.728, 9.959)
    assert isinstance(asked, Estimate)
    assert asked.right == pytest.approx(exp(12.73 - 9.96))
    assert "exp(2.77)" in asked.because
    assert [value for value, _ in asked.mistaken] == pytest.approx([12.73 / 9.96, 2.77])


def test_only_mistakes_that_can_be_told_apart_are_resolved() -> None:
    near = ratio_of_probabilities(-1.0, -1.6)
    assert near is not None
    assert near.mistaken == ()
    assert "−1.00 and −1.60" in near.text


@each("second", [2.9, 3.0, -10.0, -1e4])
def test_logits_too_near_or_too_far_apart_are_not_asked_for(second: float) -> None:
    assert ratio_of_probabilities(3.0, second) is None


def test_adding_the_same_to_all_logits_changes_nothing() -> None:
    asked = same_added_to_all()
    assert solution(asked) == "nothing"
    assert all(option.why_not for option in asked.options if option.text != "nothing")


def test_random_weights_predict_nothing_to_be_asked_about() -> None:
    assert len(Asked("explorer", view="probabilities").questions) == 2
    assert Asked("explorer", view="probabilities", model="random").questions == []
