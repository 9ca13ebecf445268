"""What the views of Gradients ask first, on numbers made up for it and on those of the sheets."""

import math
from typing import Any

import pytest

from core.measures.gradients.reach import Exponential
from pages.contract.question import Arrange, Choose, solution
from pages.gradients import questions as asks
from pages.gradients.back import Verdict
from tests.covering import each
from tests.pages.asked import Asked

PAGE = "gradients"


@each(
    ("norms", "right"),
    [
        ({"attention": 0.5, "the LSTM": 1e-5, "the RNN": 1e-15}, "attention, the LSTM, the RNN"),
        ({"attention": 1e-6, "the LSTM": 1e-2, "the RNN": 1e-15}, "the LSTM, attention, the RNN"),
        ({"attention": 0.5, "the LSTM": 0.0, "the RNN": 1e-15}, None),
        ({"attention": math.nan, "the LSTM": 1e-5, "the RNN": 1e-15}, None),
        ({"attention": 0.5, "the LSTM": 1e-15, "the RNN": 2e-15}, None),
    ],
)
def test_networks_are_ordered_by_the_magnitude_of_what_is_left(
    norms: dict[str, float], right: str | None
) -> None:
    asked = asks.furthest_reach(norms, 100)
    assert (asked and solution(asked)) == right


FIT = Exponential(0.6, 0.9)


@each(
    ("verdict", "ends", "largest", "why_not"),
    [
        ("vanishes", 0.01, 2.0, "only allows an explosion"),
        ("vanishes", 0.01, 0.9, "cannot exceed"),
        ("explodes", 1e6, 2.0, None),
    ],
)
def test_a_product_ends_as_it_was_measured(
    verdict: Verdict, ends: float, largest: float, why_not: str | None
) -> None:
    asked = asks.what_becomes(verdict, ends, FIT, largest, 100)
    assert asked is not None
    assert solution(asked) == f"one that {verdict}"
    why = {option.text: option.why_not for option in asked.options}
    assert (why_not or "") in why["one that explodes"]
    assert bool(why["one that explodes"]) == (why_not is not None)


def test_a_product_of_which_two_answers_are_defensible_is_not_asked_for() -> None:
    assert asks.what_becomes("vanishes", 0.2, FIT, 2.0, 100) is None
    assert asks.what_becomes("explodes", 7.0, FIT, 2.0, 100) is None
    assert asks.what_becomes("vanishes", 0.01, FIT, math.inf, 100) is None
    assert asks.what_becomes("vanishes", 0.01, FIT, 2.0, 1) is None


def test_gates_multiply() -> None:
    asked = asks.gates_in_a_row(3)
    assert asked is not None
    assert asked.right == pytest.approx(72.9)
    assert [value for value, _ in asked.mistaken] == [90]
    assert asks.gates_in_a_row(1) is None


def test_what_is_left_of_the_furthest_word_is_that_of_the_sheet() -> None:
    page = Asked(PAGE, positions="learned")
    (order,) = page.questions
    assert isinstance(order, Arrange)
    assert solution(order) == "attention, the LSTM, the RNN"
    assert order.because.removeprefix("By at most ").partition(" in attention")[0] in page.sheet.answer


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ({}, "vanishes"),
        ({"recurrence": "random", "scale_of_weights": "3"}, "explodes"),
        ({"recurrence": "orthogonal"}, "vanishes"),
    ],
)
def test_what_becomes_of_the_product_is_the_verdict_of_the_sheet(link: dict[str, Any], verdict: str) -> None:
    page = Asked(PAGE, view="Jacobians", **link)
    (asked,) = page.questions
    assert isinstance(asked, Choose)
    assert solution(asked) == f"one that {verdict}"
    assert f"The gradient {verdict}:" in page.sheet.answer


def test_without_an_exponential_that_fits_nothing_is_asked() -> None:
    page = Asked(PAGE, view="Jacobians", scale_of_weights="2")
    assert "The norm of the product follows no exponential: it begins at 1" in page.sheet.answer
    assert page.questions == []


def test_where_rounding_decides_nothing_is_asked() -> None:
    page = Asked(PAGE, view="Jacobians", scale_of_weights="3", reach=200)
    assert "Rounding errors decide" in page.sheet.answer
    assert page.questions == []


def test_gates_of_one_word_are_not_asked_about() -> None:
    (gates,) = Asked(PAGE, view="gates").questions
    assert solution(gates) == "23 %"
    assert Asked(PAGE, view="gates", text="tea").questions == []
