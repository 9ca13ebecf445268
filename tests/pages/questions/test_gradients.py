"""What the views of Gradients ask first, on numbers made up for it and on those of the sheets."""

import math
from typing import Any

import pytest

from pages.contract.question import Arrange, Choose, Estimate, solution
from pages.gradients import questions as asks
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


def test_half_a_gradient_is_lost_only_where_it_vanishes() -> None:
    asked = asks.half_lost("the RNN", 0.5)
    assert asked is not None
    assert (asked.right, asked.near) == (1.0, 0.5)
    slow = asks.half_lost("the RNN", 0.5 ** (1 / 20))
    assert slow is not None
    assert (round(slow.right, 6), round(slow.near, 6)) == (20, 5)
    assert [asks.half_lost("the RNN", factor) for factor in (0.995, 1.2, math.nan, 0.0)] == [None] * 4


@each(
    ("factor", "largest", "right", "why_not"),
    [
        (0.6, 2.0, "one that vanishes", "only allows an explosion"),
        (0.6, 0.9, "one that vanishes", "cannot exceed"),
        (1.2, 2.0, "one that explodes", None),
        (1.001, 2.0, "one that keeps its size", "only allows an explosion"),
    ],
)
def test_a_product_ends_as_its_factor_says(
    factor: float, largest: float, right: str, why_not: str | None
) -> None:
    asked = asks.what_becomes(factor, largest, 100)
    assert asked is not None
    assert solution(asked) == right
    why = {option.text: option.why_not for option in asked.options}
    assert (why_not or "") in why["one that explodes"]
    assert bool(why["one that explodes"]) == (why_not is not None)


def test_a_product_that_nobody_knows_is_not_asked_for() -> None:
    assert asks.what_becomes(math.nan, 2.0, 100) is None
    assert asks.what_becomes(0.6, math.inf, 100) is None
    assert asks.what_becomes(0.6, 2.0, 1) is None


def test_gates_multiply() -> None:
    asked = asks.gates_in_a_row(3)
    assert asked is not None
    assert asked.right == pytest.approx(72.9)
    assert [value for value, _ in asked.mistaken] == [90]
    assert asks.gates_in_a_row(1) is None


def test_the_best_unit_is_asked_for_beside_the_mean() -> None:
    asked = asks.best_unit(3, 0.9, 0.2)
    assert asked is not None
    assert (asked.right, [value for value, _ in asked.mistaken]) == (90, [20])
    alike = asks.best_unit(1, 0.9, 0.88)
    assert alike is not None
    assert "Over 1 word the" in alike.text
    assert alike.mistaken == ()
    assert asks.best_unit(0, 0.9, 0.2) is None
    assert asks.best_unit(3, math.nan, 0.2) is None


def test_clipping_leaves_shares_as_they_are() -> None:
    asked = asks.share_after_clipping(10, 0.9, 0.2)
    assert asked is not None
    assert asked.right == pytest.approx(90)
    assert asked.mistaken[0][0] == pytest.approx(18)
    assert asks.share_after_clipping(10, 0.9, 1.0) is None
    assert asks.share_after_clipping(10, math.nan, 0.2) is None
    hardly = asks.share_after_clipping(10, 0.9, 0.0009)
    assert hardly is not None
    assert "multiplies it by 9·10⁻⁴" in hardly.text
    little = asks.share_after_clipping(10, 0.04, 0.2)
    assert little is not None
    assert little.mistaken == ()


def test_what_is_left_of_the_furthest_word_is_that_of_the_sheet() -> None:
    page = Asked(PAGE, positions="learned")
    order, half = page.questions
    assert isinstance(order, Arrange)
    assert solution(order) == "attention, the LSTM, the RNN"
    assert order.because.partition(" in attention")[0] in page.sheet.answer
    assert isinstance(half, Estimate)
    (told,) = (line for line in page.prose.splitlines() if line.startswith("- **RNN**"))
    assert f"half is lost every {solution(half)};" in told


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ({}, "vanishes"),
        ({"recurrence": "random", "scale_of_weights": "2"}, "explodes"),
        ({"recurrence": "orthogonal"}, "vanishes"),
    ],
)
def test_what_becomes_of_the_product_is_the_verdict_of_the_sheet(link: dict[str, Any], verdict: str) -> None:
    page = Asked(PAGE, view="Jacobians", **link)
    (asked,) = page.questions
    assert isinstance(asked, Choose)
    assert solution(asked) == f"one that {verdict}"
    assert f"The gradient {verdict}:" in page.sheet.answer


def test_where_rounding_decides_nothing_is_asked() -> None:
    page = Asked(PAGE, view="Jacobians", scale_of_weights="3", reach=200)
    assert "Rounding errors decide" in page.sheet.answer
    assert page.questions == []


def test_the_best_unit_and_far_words_are_those_of_their_sheets() -> None:
    gates = Asked(PAGE, view="gates")
    assert f"and {solution(gates.questions[1])} in unit" in gates.sheet.answer
    assert len(Asked(PAGE, view="gates", text="tea").questions) == 0
    clipping = Asked(PAGE, view="clipping")
    assert f"{solution(clipping.questions[1])} of the first gradient before clipping" in clipping.prose
