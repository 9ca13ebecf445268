"""What one expects of a division by √d is asked with the number found, at every d and for every head."""

import pytest

from pages.contract.question import Choose, Estimate, solution
from pages.controls.prose import Typed
from pages.scaling.questions import (
    equal_scores,
    larger_gradient,
    root_of_a_head,
    spread_of_dot_products,
    spreads_in_order,
    why_divide,
)
from tests.pages.asked import Asked
from tests.pages.questions.read import mistaken, whole

TEA, HIS = Typed("tea"), Typed("his")


def test_a_spread_is_the_root_and_not_the_number_of_products() -> None:
    asked = spread_of_dot_products(64, 7.9)
    assert solution(asked) == "8.00"
    assert mistaken(asked) == [64, 1]
    assert "√64. The dot products drawn here have 7.90." in asked.because
    assert mistaken(spread_of_dot_products(1, 1.1)) == [], "the root of 1 is 1"


def test_the_division_keeps_the_spread() -> None:
    asked = whole(why_divide(64, 7.9, 0.99))
    assert isinstance(asked, Choose)
    assert solution(asked) == "to keep their standard deviation the same at every d"
    assert sum(bool(one.why_not) for one in asked.options) == 3
    assert "it is 7.90 before and 0.99 after" in asked.because


def test_equal_scores_get_equal_weights() -> None:
    asked = equal_scores(16)
    assert solution(asked) == "6.25 %"
    assert mistaken(asked) == [0, 100]


def test_the_larger_gradient_depends_on_d() -> None:
    taken, not_yet = larger_gradient(64, 0.165, 0.304), larger_gradient(4, 0.4, 0.3)
    assert solution(whole(taken)) == "q·k / √d"
    assert solution(whole(not_yet)) == "q·k"
    assert isinstance(taken, Choose)
    assert [bool(one.why_not) for one in taken.options] == [True, False]
    assert larger_gradient(8, 0.304, 0.3) is None


def test_a_head_divides_by_the_root_of_its_own_width() -> None:
    asked = whole(root_of_a_head(4, 48))
    assert solution(asked) == "√12 = 3.46"
    assert isinstance(asked, Choose)
    assert {one.text for one in asked.options} == {"√12 = 3.46", "√48 = 6.93", "√4 = 2.00"}
    assert root_of_a_head(1, 48) is None
    assert [one.text[:2] for one in whole(root_of_a_head(8, 64)).options].count("√8") == 1, "the root of both"


def test_spreads_are_put_in_order() -> None:
    asked = whole(spreads_in_order({"q·k": 8.0, "by d": 1.0, "by d/k": 2.0}))
    assert solution(asked) == "q·k, by d/k, by d"
    assert asked.because == "8.00 (q·k), 2.00 (by d/k), 1.00 (by d)."
    assert spreads_in_order({"q·k": 8.0, "by d": 1.0, "by d/k": 1.0}) is None
    assert spreads_in_order({}) is None


@pytest.mark.parametrize("d", [2, 64, 1024])
def test_numbers_asked_for_are_those_said(d: int) -> None:
    asked = Asked("scaling", d=d)
    spread = asked.questions[0]
    assert isinstance(spread, Estimate)
    drawn = spread.because.split()[-1].rstrip(".")
    assert f"have a standard deviation of {drawn};" in asked.prose


@pytest.mark.parametrize("d", [2, 16, 64])
def test_gradients_asked_for_are_those_said(d: int) -> None:
    asked = Asked("scaling", view="softmax", d=d)
    larger = [solution(one) for one in asked.questions if "gradient of the softmax larger" in one.text]
    assert larger in ([], ["q·k / √d"] if "a small change of a score" in asked.prose else ["q·k"])
    assert d != 64 or larger
