"""Equal weights on all that may be seen, between pieces and merged into words."""

import numpy as np
from numpy.testing import assert_allclose

from core.measures.equal_weights import equal_weights


def test_equal_weights_are_alike_on_all_that_may_be_seen_and_nothing_where_that_is_nothing() -> None:
    allowed = np.array([[True, False, False], [True, False, True], [False, False, False]])
    assert_allclose(equal_weights(allowed), [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 0]])


def test_a_word_gets_as_many_shares_as_it_has_pieces() -> None:
    free = equal_weights(np.ones((7, 7), dtype=bool), [[0], [1, 2, 3, 4], [5, 6]])
    assert_allclose(free, np.tile([1 / 7, 4 / 7, 2 / 7], (3, 1)))
    causal = equal_weights(np.tri(3, dtype=bool), [[0], [1, 2]])
    assert_allclose(causal, [[1, 0], [(1 / 2 + 1 / 3) / 2, (1 / 2 + 2 / 3) / 2]])
