"""What is asked of logits before they are shown."""

from math import exp

import pytest

from pages.contract.question import Choose, Estimate, solution
from pages.explorer.questions_of_logits import ratio_of_probabilities, same_added_to_all, word_expected
from tests.covering import each
from tests.pages.asked import Asked


def test_the_ratio_of_two_probabilities_is_exp_of_the_difference_as_it_is_read() -> None:
    asked = ratio_of_probabilities(12.728, 9.959)
    assert isinstance(asked, Estimate)
    assert asked.right == pytest.approx(exp(12.73 - 9.96))
    assert asked.because == "exp(2.77) = 16."
    assert [value for value, _ in asked.mistaken] == pytest.approx([12.73 / 9.96, 2.77])


def test_only_mistakes_that_can_be_told_apart_are_resolved() -> None:
    near = ratio_of_probabilities(-1.0, -1.6)
    assert near is not None
    assert near.mistaken == ()
    assert "−1.00 and −1.60" in near.text


@each("second", [2.9, 3.0, -10.0, -1e4])
def test_logits_too_near_or_too_far_apart_are_not_asked_for(second: float) -> None:
    assert ratio_of_probabilities(3.0, second) is None


def test_the_likeliest_word_is_asked_for_unless_two_are_about_as_likely() -> None:
    asked = word_expected("after *tea* (1)", {"*is*": 0.6, "*was*": 0.3}, "piece")
    assert isinstance(asked, Choose)
    assert asked.text == "Which piece does the model expect after *tea* (1)?"
    assert (solution(asked), asked.because) == ("*is*", "p = 0.600.")
    assert word_expected("here", {"*is*": 0.4, "*was*": 0.4}) is None
    assert word_expected("here", {}) is None


def test_adding_the_same_to_all_logits_changes_nothing() -> None:
    asked = same_added_to_all()
    assert solution(asked) == "nothing"
    assert all(option.why_not for option in asked.options if option.text != "nothing")


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_view_asks_for_the_word_of_its_answer(mask: str) -> None:
    page = Asked("explorer", view="probabilities", mask=mask, place=3)
    expected = page.questions[0]
    assert isinstance(expected, Choose)
    assert f"{solution(expected)} has the largest of" in page.sheet.answer
    assert [option.text for option in expected.options] == sorted(option.text for option in expected.options)
    assert Asked("explorer", view="probabilities", model="random").questions == []
