"""What one expects of several heads is asked with the right answer, and not at all where none is right."""

import pytest

from pages.contract.question import Estimate, solution
from pages.heads.questions import (
    accuracy_on_task,
    kinds_in_order,
    parameters_of_heads,
    products_for_all_heads,
    rank_of_scores,
    what_a_head_sees,
    what_two_heads_attend_to,
)
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import reasons, whole

NAN = float("nan")


@each(
    ("first", "second", "is_asked"),
    [
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.1, "Zuko": 0.75}, True),
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.1, "Zuko": 0.65}, False),
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.9, "Zuko": 0.1}, False),
        ({"Maria": 0.5, "Zuko": 0.5}, {"Maria": 0.5, "Zuko": 0.5}, False),
    ],
)
def test_two_heads_are_asked_about_if_each_clearly_takes_another_name(
    first: dict[str, float], second: dict[str, float], is_asked: bool
) -> None:
    asked = what_two_heads_attend_to([first, second])
    assert (asked is not None) == is_asked
    assert asked is None or "One gives *Maria* 80 %, the other *Zuko* 75 %" in asked.because


@pytest.mark.parametrize(
    ("last", "right"), [(0.51, "about the same"), (0.6, "clearly larger"), (0.4, "clearly smaller")]
)
def test_more_heads_may_or_may_not_be_better(last: float, right: str) -> None:
    asked = whole(accuracy_on_task("next word", {1: 0.5, 2: 0.9, 8: last}))
    assert solution(asked) == right
    assert right not in [name for name, why in reasons(asked).items() if why]
    assert asked.because == f"It goes from 50 % to {100 * last:.0f} %."


@each("shares", [{1: 0.5, 8: 0.53}, {1: 0.5}, {}, {1: NAN, 8: 0.5}])
def test_a_change_that_is_neither_is_not_asked(shares: dict[int, float]) -> None:
    assert accuracy_on_task("next word", shares) is None


def test_eight_heads_have_as_many_parameters_as_one() -> None:
    asked = whole(parameters_of_heads({1: 16_384, 2: 16_384, 8: 16_384}, 64))
    assert solution(asked) == "neither"
    assert "d/k = 8 dimensions, and 8 · 8 = 64" in reasons(asked)["the layer with 8 heads"]
    assert "16,384" in asked.because
    assert parameters_of_heads({1: 16_384, 8: 20_000}, 64) is None
    assert parameters_of_heads({2: 5, 8: 5}, 64) is None
    assert parameters_of_heads({1: 5}, 64) is None


def test_kinds_are_put_in_order_unless_they_are_one() -> None:
    asked = whole(kinds_in_order({"standard": 16, "narrow": 7, "wide": 65}, 4))
    assert [item.split(":")[0] for item in solution(asked).split(", ")] == ["wide", "standard", "narrow"]
    assert asked.because == "65 (wide), 16 (standard), 7 (narrow)."
    assert kinds_in_order({"standard": 16, "narrow": 16, "wide": 16}, 1) is None


def test_a_head_sees_every_word() -> None:
    asked = whole(what_a_head_sees(11, 4, 12))
    assert solution(asked) == "every word, in 12 dimensions"
    assert reasons(asked)["a part of the words, in all 48 dimensions"]
    assert "48 / 4 = 12" in asked.because
    assert what_a_head_sees(11, 1, 48) is None
    assert what_a_head_sees(1, 4, 12) is None


def test_one_product_gives_all_heads() -> None:
    assert products_for_all_heads("queries", 4).mistaken[0][0] == 4
    assert products_for_all_heads("keys", 1).mistaken == ()
    assert "1 head. How many" in products_for_all_heads("keys", 1).text


def test_the_rank_is_that_of_a_head() -> None:
    asked = rank_of_scores("QKᵀ", 48, 8, 48, 6)
    assert solution(asked) == "6"
    assert [value for value, _ in asked.mistaken] == [48]
    assert asked.because.endswith("48 / 8 = 6 dimensions: its rank is at most the smaller of 6 and 48.")
    assert rank_of_scores("QKᵀ", 48, 1, 48, 48).mistaken == ()


def test_the_accuracy_asked_about_is_the_one_said() -> None:
    asked = Asked("heads", view="one and many", mask="causal")
    (task,) = asked.questions
    _, last = task.because.removesuffix(".").split(" to ")
    assert last in asked.prose
    assert Asked("heads", view="one and many", model="random").questions == []


@pytest.mark.parametrize(("heads", "n_asked"), [(1, 1), (4, 2)])
def test_parameters_asked_for_are_those_said(heads: int, n_asked: int) -> None:
    asked = Asked("heads", view="three kinds", heads=heads)
    assert len(asked.questions) == n_asked
    assert solution(asked.questions[0]) == "neither"
    assert "Standard heads have 16,384 parameters" in asked.prose
    assert "16,384" in asked.questions[0].because


@pytest.mark.parametrize(
    "link", [{}, {"ranked": "xQKᵀxᵀ"}, {"among": "heads of this model", "heads": 2}, {"text": "tea met tea"}]
)
def test_the_rank_asked_for_is_the_one_said(link: dict[str, str | int]) -> None:
    asked = Asked("heads", view="rank", **link)
    (rank,) = asked.questions
    assert isinstance(rank, Estimate)
    assert f"{rank.right:.0f} with 8 heads" in asked.prose or f"{rank.right:.0f} in each" in asked.prose


def test_the_reshape_asked_about_is_the_one_drawn() -> None:
    asked = Asked("heads", view="reshape", heads=2, vectors="k")
    assert solution(asked.questions[0]) == "every word, in 24 dimensions"
    assert "the keys of all heads" in asked.questions[1].text
