"""Weights between words: means over the pieces of a query of sums over those of a key."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.measures.merging import merge, merge_allowed

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


def test_rows_still_sum_to_one_while_every_piece_is_in_a_group() -> None:
    assert_allclose(merge(pattern(), GROUPS).sum(axis=-1), 1, rtol=1e-5)


def test_what_is_in_no_group_takes_its_share_with_it() -> None:
    weights = pattern()
    left = [1 - weights[list(group), 0].mean() for group in GROUPS[1:]]
    assert_allclose(merge(weights, GROUPS[1:]).sum(axis=-1), left, rtol=1e-5)


def test_groups_of_one_change_nothing() -> None:
    weights = pattern(2)
    assert_array_equal(merge(weights, [(at,) for at in range(N)]), weights)


def test_a_word_may_attend_to_another_where_one_of_its_pieces_may() -> None:
    allowed = merge_allowed(np.tri(N, dtype=bool), GROUPS)
    assert_array_equal(allowed, np.tri(4, dtype=bool))
    assert allowed.dtype == bool
    only = np.zeros((N, N), dtype=bool)
    only[2, 6] = True
    assert np.argwhere(merge_allowed(only, GROUPS)).tolist() == [[1, 3]]


def test_a_word_without_pieces_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one piece"):
        merge(pattern(), [(0,), ()])
