"""The largest weight is sought where a query has a choice."""

import numpy as np

from core.measures.heads.sinks import largest_of_a_choice

CAUSAL = np.tri(3, dtype=bool)


def test_a_query_that_sees_one_key_only_does_not_count() -> None:
    pattern = np.array([[1, 0, 0], [0.7, 0.3, 0], [0.1, 0.8, 0.1]])
    cell, has_choice = largest_of_a_choice(pattern, CAUSAL)
    assert cell == (2, 1)
    assert has_choice.tolist() == [False, True, True]


def test_where_no_query_has_a_choice_all_count() -> None:
    cell, has_choice = largest_of_a_choice(np.array([[1.0]]), np.array([[True]]))
    assert (cell, has_choice.tolist()) == ((0, 0), [False])
    blind = np.array([[False, False], [False, True]])
    assert largest_of_a_choice(np.array([[0.0, 0.0], [0.0, 1.0]]), blind)[0] == (1, 1)


def test_the_first_of_equal_weights_is_named_and_a_masked_one_never() -> None:
    assert largest_of_a_choice(np.full((3, 3), 0.5), CAUSAL)[0] == (1, 0)
