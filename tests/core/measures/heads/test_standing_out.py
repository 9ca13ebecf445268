"""The head that stands out: every query attends to one key, and no special token counts."""

import numpy as np
import pytest

from core.measures.equal_weights import equal_weights
from core.measures.heads.sinks import StandingOut, largest_shares, standing_out

N_LAYERS, N_HEADS, N = 2, 3, 5


def spread() -> np.ndarray:
    return np.full((N_LAYERS, N_HEADS, N, N), 1 / N)


def found_in(patterns: np.ndarray, **aside: set[int]) -> StandingOut | None:
    return standing_out(largest_shares(patterns, **aside), 1 / N)


def test_the_head_whose_queries_each_attend_to_one_key_stands_out() -> None:
    patterns = spread()
    patterns[0, 1, :, 2] = 0.5  # a larger weight than elsewhere, and the same key for all
    patterns[1, 2] = np.roll(np.eye(N), 1, axis=1) * 0.9
    assert found_in(patterns) == (1, 2, 0.9)


def test_a_head_that_leaves_its_attention_with_special_tokens_does_not_stand_out() -> None:
    patterns = spread()
    patterns[0, 2] = 0
    patterns[0, 2, :, 4] = 1.0
    patterns[1, 0, 1:3, 2] = 0.7
    found = found_in(patterns, special={0, 4})
    assert found is not None
    assert found[:2] == (1, 0)
    np.testing.assert_allclose(found.share, (0.7 + 0.7 + 1 / N) / 3)
    assert found_in(patterns) == (0, 2, 1.0)


def test_of_a_single_word_between_special_tokens_no_head_stands_out() -> None:
    assert found_in(spread(), special={0, 1, 3, 4}) is None


def test_where_all_heads_are_as_equal_weights_none_stands_out() -> None:
    assert found_in(spread()) is None


def test_under_the_causal_mask_a_head_is_compared_with_equal_weights_under_it() -> None:
    """The first of five queries gives one key all, so equal weights have a mean of (1 + … + 1/5) / 5."""
    equal = equal_weights(np.tri(N, dtype=bool))
    by_equal = float(largest_shares(equal))
    assert by_equal == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5)
    patterns = np.tile(equal, (N_LAYERS, N_HEADS, 1, 1))
    assert standing_out(largest_shares(patterns), by_equal) is None
    patterns[1, 1, 2:] = 0
    patterns[1, 1, 2:, 0] = 1.0
    found = standing_out(largest_shares(patterns), by_equal)
    assert found is not None
    assert found[:2] == (1, 1)


@pytest.mark.parametrize(("share", "stands_out"), [(0.39, False), (0.41, True)])
def test_a_quarter_of_the_way_from_equal_weights_to_all_is_clearly_above(
    share: float, stands_out: bool
) -> None:
    shares = np.full((N_LAYERS, N_HEADS), 0.2)
    shares[0, 1] = share
    assert (standing_out(shares, 1 / N) is not None) is stands_out
