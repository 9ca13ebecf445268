"""What a hall has answered is counted, compared with values worked out by hand."""

import pytest

from rooms.distributions import (
    distribution,
    histogram,
    mean_and_spread,
    mean_distance,
    most_given_orders,
    option_counts,
    pairs_in_wrong_order,
    total_variation,
)
from tests.rooms.questions import ARRANGE, CHOOSE, ESTIMATE, SKETCH, WHOLE


def test_options_are_counted_also_those_that_nobody_chose() -> None:
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


def test_numbers_are_binned_between_the_smallest_and_the_largest_given() -> None:
    shown = distribution(ESTIMATE, [20, 39, 60])
    assert shown["edges"][0] == 20
    assert shown["edges"][-1] == pytest.approx(60)
    assert shown["counts"] == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert shown["near"] == 1, "39 is not farther than 2 from 40"
    # Distances are 20, 1, 20.
    assert shown["nearness"]["counts"] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert shown["nearness"]["edges"][-1] == pytest.approx(20)


def test_numbers_that_are_all_right_have_a_histogram_too() -> None:
    shown = distribution(ESTIMATE, [40, 40])
    assert (sum(shown["counts"]), shown["near"]) == (2, 2)
    assert shown["nearness"]["counts"][0] == 2
    assert distribution(ESTIMATE, [])["near"] == 0


def test_a_few_who_answer_anything_do_not_squeeze_the_others_into_one_bin() -> None:
    shown = distribution({**ESTIMATE, "bounds": [0, 1e9]}, [*range(30, 49), 1e9])
    assert (shown["edges"][0], shown["edges"][-1]) == (31, pytest.approx(48))
    assert shown["counts"][-1] == 3, "47, 48 and the billion"
    assert sum(shown["counts"]) == 20
    assert shown["nearness"]["edges"][-1] == pytest.approx(9)
    assert sum(shown["nearness"]["counts"]) == 20


def test_orders_are_counted_and_the_right_one_is_there_though_nobody_gave_it() -> None:
    given = [[0, 1, 2], [0, 1, 2], [1, 0, 2]]
    assert most_given_orders(given, [2, 0, 1]) == [
        {"order": [0, 1, 2], "count": 2},
        {"order": [1, 0, 2], "count": 1},
        {"order": [2, 0, 1], "count": 0},
    ]
    assert most_given_orders([], [1, 0]) == [{"order": [1, 0], "count": 0}]


def test_of_many_orders_the_most_given_are_shown_with_the_right_one() -> None:
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


def test_of_drawn_rows_each_bar_has_its_mean_and_its_spread() -> None:
    found = mean_and_spread([[0.2, 0.8, 0.0], [0.6, 0.4, 0.0]], 3)
    assert found["mean"] == pytest.approx([0.4, 0.6, 0.0])
    assert found["spread"] == pytest.approx([0.2, 0.2, 0.0])
    assert mean_and_spread([], 2) == {"mean": [0, 0], "spread": [0, 0]}


def test_of_shares_the_part_that_belongs_elsewhere_is_counted() -> None:
    assert total_variation([1, 0, 0], [0.5, 0.3, 0.2]) == pytest.approx(0.5)
    assert total_variation([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]) == 0
    shown = distribution(SKETCH, [[0.5, 0.3, 0.2], [0.95, 0.05, 0.0]])
    assert shown["mean"] == pytest.approx([0.725, 0.175, 0.1])
    assert shown["nearness"]["edges"][-1] == pytest.approx(1)
    # 0 and (0.45 + 0.25 + 0.2) / 2 = 0.45.
    assert shown["nearness"]["counts"] == [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_of_other_bars_the_mean_distance_is_counted() -> None:
    assert mean_distance([2, 7, 6], [2, 7, 3]) == 1
    shown = distribution(WHOLE, [[2, 7, 3], [2, 7, 6], [5, 10, 0]])
    assert shown["nearness"]["edges"][-1] == pytest.approx(3)
    assert shown["nearness"]["counts"] == [1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
