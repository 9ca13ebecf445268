"""Weights between words: means over the pieces of a query of sums over the pieces of a key."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.measures.merging import equal_weights, merge, merge_allowed

N = 7
GROUPS = ((0,), (1, 2, 3), (4,), (5, 6))


def pattern(*shape: int) -> np.ndarray:
    weights = np.random.default_rng(5).random((*shape, N, N)).astype(np.float32)
    return weights / weights.sum(axis=-1, keepdims=True)


def test_rows_are_means_over_a_query_and_columns_sums_over_a_key() -> None:
    weights = pattern(2, 3)
    merged = merge(weights, GROUPS)
    assert merged.shape == (2, 3, 4, 4)
    for (layer, head, row, column), weight in np.ndenumerate(merged):
        sums = [sum(weights[layer, head, query, key] for key in GROUPS[column]) for query in GROUPS[row]]
        assert weight == pytest.approx(sum(sums) / len(sums), rel=1e-5)


def test_pieces_in_no_group_lose_their_share() -> None:
    weights = pattern()
    left = [1 - weights[list(group), 0].mean() for group in GROUPS[1:]]
    assert_allclose(merge(weights, GROUPS[1:]).sum(axis=-1), left, rtol=1e-5)


def test_a_word_may_attend_to_another_if_one_of_its_pieces_may() -> None:
    allowed = merge_allowed(np.tri(N, dtype=bool), GROUPS)
    assert_array_equal(allowed, np.tri(4, dtype=bool))
    assert allowed.dtype == bool
    only = np.zeros((N, N), dtype=bool)
    only[2, 6] = True
    assert np.argwhere(merge_allowed(only, GROUPS)).tolist() == [[1, 3]]


def test_a_word_without_pieces_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one token"):
        merge(pattern(), [(0,), ()])


def test_equal_weights_are_alike_on_all_that_may_be_seen_and_nothing_where_that_is_nothing() -> None:
    allowed = np.array([[True, False, False], [True, False, True], [False, False, False]])
    assert_allclose(equal_weights(allowed), [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 0]])


def test_a_word_gets_as_many_shares_as_it_has_pieces() -> None:
    free = equal_weights(np.ones((7, 7), dtype=bool), [[0], [1, 2, 3, 4], [5, 6]])
    assert_allclose(free, np.tile([1 / 7, 4 / 7, 2 / 7], (3, 1)))
    causal = equal_weights(np.tri(3, dtype=bool), [[0], [1, 2]])
    assert_allclose(causal, [[1, 0], [(1 / 2 + 1 / 3) / 2, (1 / 2 + 2 / 3) / 2]])
