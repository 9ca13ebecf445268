"""What is asked of real models before they are listed."""

import pytest

from pages.contract.question import Choose, Estimate, solution
from pages.controls.prose import Typed
from pages.models.questions import memory_of, what_a_real_model_has
from tests.pages.asked import Asked
from tests.pages.questions.read import whole


def test_a_parameter_takes_four_bytes() -> None:
    asked = memory_of(Typed("*a*"), 2_000_000, 8_000_000)
    assert solution(asked) == "8.0 MB"
    assert [value for value, _ in asked.mistaken] == [2]
    assert f"{Typed('*a*')}" in asked.text


def test_a_larger_model_has_the_same_attention() -> None:
    asked = whole(what_a_real_model_has())
    assert isinstance(asked, Choose)
    assert solution(asked) == "its sizes and its weights"
    assert [bool(option.why_not) for option in asked.options].count(True) == 2


def test_the_model_asked_for_is_one_of_the_table() -> None:
    page = Asked("models")
    *some, last = page.questions
    assert last == what_a_real_model_has()
    for one in some:
        assert isinstance(one, Estimate)
        assert one.right == pytest.approx(90.9, abs=0.05)
