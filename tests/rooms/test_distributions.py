"""The answers of a hall are counted; expected values are computed by hand."""

from typing import Any

import pytest

from rooms.distributions import (
    N_BINS,
    distribution,
    histogram,
    mean_and_spread,
    mean_distance,
    most_given_orders,
    option_counts,
    pairs_in_wrong_order,
    total_variation,
)
from tests.covering import each
from tests.rooms.questions import ARRANGE, CHOOSE, ESTIMATE, NEARNESS, SKETCH, WHOLE


def test_options_are_counted_also_unchosen_ones() -> None:
    assert option_counts(3, [2, 0, 2, 2]) == [1, 0, 3]
    assert distribution(CHOOSE, [1, 1, 0]) == {"counts": [1, 2, 0]}
    assert distribution(CHOOSE, []) == {"counts": [0, 0, 0]}


def test_a_value_on_an_edge_counts_above_it_and_the_largest_in_the_last_bin() -> None:
    assert histogram([0, 1, 1.5, 2, 4], 0, 4, 4) == {"edges": [0, 1, 2, 3, 4], "counts": [1, 2, 1, 1]}


def test_a_value_on_an_edge_that_floats_do_not_hit_counts_above_it_too() -> None:
    # 0.3 // 0.1 is 2, and 0.6 // 0.1 is 5.
    counts = histogram([at / 10 for at in range(10)], 0.0, 1.0)["counts"]
    assert sum(counts) == 10
    assert max(counts) <= 2
    assert histogram([1.0, 0.0], 0.0, 1.0)["counts"] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]


def test_one_value_alone_has_a_bin() -> None:
    assert sum(histogram([5, 5], 5, 5)["counts"]) == 2


MANY = [20.0, 25.0, 30.0, 33.0, 35.0, 37.9, 38.0, 39.0, 42.0, 42.1, 55.0, 60.0]


def marked(shown: dict[str, Any]) -> tuple[float, float, int]:
    """Return the edges of the bar of the right answer, and its count."""
    at = shown["marked"]
    return shown["edges"][at], shown["edges"][at + 1], shown["counts"][at]


def test_a_few_different_numbers_have_a_bar_each_and_near_ones_are_marked() -> None:
    shown = distribution(ESTIMATE, [20, 39, 39, 42, 1e9])
    assert shown["values"] == [20, 39, 40, 42, 1e9]
    assert shown["counts"] == [1, 2, 0, 1, 1]
    assert shown["right"] == [False, True, True, True, False]
    assert distribution(ESTIMATE, []) == {"values": [40], "counts": [0], "right": [True]}


@each(("more", "answers", "near"), NEARNESS)
def test_an_answer_counts_if_it_is_near_but_never_twice_the_right_number(
    more: dict[str, Any], answers: list[float], near: list[float]
) -> None:
    shown = distribution({**ESTIMATE, **more}, answers)
    marks = dict(zip(shown["values"], shown["right"], strict=True))
    assert [value for value in answers if marks[value]] == near


def test_the_bar_of_the_right_number_counts_exactly_the_near_answers() -> None:
    shown = distribution(ESTIMATE, MANY)
    assert marked(shown) == (38, 42, 3), "not farther than 2 from 40"
    assert sum(shown["counts"]) == len(MANY)
    assert shown["edges"] == sorted(shown["edges"])
    assert (shown["below"], shown["above"]) == (0, 0)
    assert len(shown["counts"]) <= N_BINS + 1


def test_a_number_that_is_near_by_a_rounding_error_counts_in_the_bar() -> None:
    question = {**ESTIMATE, "right": 0.3, "near": 0.1, "bounds": [0, 1], "decimals": 1}
    others = [at / 100 for at in range(50, 70)]
    assert marked(distribution(question, [0.1 + 0.1, 0.2 + 0.2, 0.30000000000000004, *others]))[2] == 3


def test_without_a_tolerance_the_bar_counts_answers_that_round_to_the_right_number() -> None:
    shown = distribution({**ESTIMATE, "near": 0.0}, [40, 40.4, 41, *range(10, 20)])
    assert marked(shown) == (39.5, 40.5, 2)


def test_no_bar_reaches_beyond_the_bounds_of_a_question() -> None:
    shown = distribution({**ESTIMATE, "right": 3.0, "near": 0.5}, [0.0, 1.0, *range(2, 90, 5)])
    assert shown["edges"][0] == 0
    assert shown["edges"] == sorted(shown["edges"])


def test_many_answers_without_a_right_one_are_binned() -> None:
    shown = distribution({**ESTIMATE, "right": None}, MANY)
    assert sum(shown["counts"]) == len(MANY)
    assert "marked" not in shown


@each("joker", [1e9, -1e9])
@each("right", [40.0, None])
def test_one_outlier_does_not_change_the_other_bars(joker: float, right: float | None) -> None:
    question = {**ESTIMATE, "right": right, "bounds": [-1e9, 1e9]}
    without, shown = distribution(question, MANY), distribution(question, [*MANY, joker])
    assert shown["edges"] == without["edges"]
    assert shown["counts"] == without["counts"]
    assert (shown["below"], shown["above"]) == ((1, 0) if joker < 0 else (0, 1)), "and is counted"


def test_a_frequent_mistake_is_no_outlier() -> None:
    shown = distribution(ESTIMATE, [*MANY, *[1600.0] * 6])
    assert (sum(shown["counts"]), shown["above"]) == (len(MANY) + 6, 0)


def test_a_question_without_a_right_answer_shows_only_counts() -> None:
    assert distribution({**ARRANGE, "right": None}, [[0, 1, 2]]) == {
        "orders": [{"order": [0, 1, 2], "count": 1}]
    }
    shown = distribution({**SKETCH, "right": None}, [[0.5, 0.3, 0.2]])
    assert shown["mean"] == pytest.approx([0.5, 0.3, 0.2])
    assert "nearness" not in shown
    assert distribution({**CHOOSE, "right": None}, [0, 0, 1]) == {"counts": [2, 1, 0]}


def test_orders_are_counted_and_the_right_one_is_always_included() -> None:
    given = [[0, 1, 2], [0, 1, 2], [1, 0, 2]]
    assert most_given_orders(given, [2, 0, 1]) == [
        {"order": [0, 1, 2], "count": 2},
        {"order": [1, 0, 2], "count": 1},
        {"order": [2, 0, 1], "count": 0},
    ]
    assert most_given_orders([], [1, 0]) == [{"order": [1, 0], "count": 0}]


def test_only_the_most_frequent_orders_and_the_right_one_are_shown() -> None:
    rows = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3], [0, 2, 3, 1], [0, 3, 1, 2], [0, 3, 2, 1]]
    shown = most_given_orders(rows, [3, 2, 1, 0])
    assert len(shown) == 5
    assert shown[-1] == {"order": [3, 2, 1, 0], "count": 0}


def test_pairs_in_the_wrong_order_are_counted() -> None:
    assert pairs_in_wrong_order([2, 0, 1], [2, 0, 1]) == 0
    assert pairs_in_wrong_order([0, 2, 1], [2, 0, 1]) == 1
    assert pairs_in_wrong_order([1, 0, 2], [2, 0, 1]) == 3
    nearness = distribution(ARRANGE, [[2, 0, 1], [0, 2, 1], [1, 0, 2]])["nearness"]
    assert nearness == {"pairs": [0, 1, 2, 3], "counts": [1, 1, 0, 1]}


def test_each_bar_of_drawn_rows_has_its_mean_and_its_spread() -> None:
    found = mean_and_spread([[0.2, 0.8, 0.0], [0.6, 0.4, 0.0]], 3)
    assert found["mean"] == pytest.approx([0.4, 0.6, 0.0])
    assert found["spread"] == pytest.approx([0.2, 0.2, 0.0])
    assert mean_and_spread([], 2) == {"mean": [0, 0], "spread": [0, 0]}


def test_the_distance_of_shares_is_the_total_variation() -> None:
    assert total_variation([1, 0, 0], [0.5, 0.3, 0.2]) == pytest.approx(0.5)
    assert total_variation([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]) == 0
    shown = distribution(SKETCH, [[0.5, 0.3, 0.2], [0.95, 0.05, 0.0]])
    assert shown["mean"] == pytest.approx([0.725, 0.175, 0.1])
    assert shown["nearness"]["edges"][-1] == pytest.approx(1)
    # 0 and (0.45 + 0.25 + 0.2) / 2 = 0.45.
    assert shown["nearness"]["counts"] == [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_the_distance_of_other_bars_is_the_mean_distance() -> None:
    assert mean_distance([2, 7, 6], [2, 7, 3]) == 1
    shown = distribution(WHOLE, [[2, 7, 3], [2, 7, 6], [5, 10, 0]])
    assert shown["nearness"]["edges"][-1] == pytest.approx(3)
    assert shown["nearness"]["counts"] == [1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
