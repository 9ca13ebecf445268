"""Large weights: the largest one, heads that stand out, sinks, and earlier mentions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.heads.sinks import (
    MostFocusedHead,
    NextWordMention,
    attention_sink,
    find_next_word_mention,
    largest_of_a_choice,
    largest_shares,
    most_focused_head,
)
from core.measures.merging import equal_weights
from tests.covering import each

THREE = np.tri(3, dtype=bool)


def test_a_query_that_sees_one_key_only_does_not_count() -> None:
    pattern = np.array([[1, 0, 0], [0.7, 0.3, 0], [0.1, 0.8, 0.1]])
    cell, has_choice = largest_of_a_choice(pattern, THREE)
    assert cell == (2, 1)
    assert has_choice.tolist() == [False, True, True]


def test_all_queries_count_if_none_has_a_choice() -> None:
    cell, has_choice = largest_of_a_choice(np.array([[1.0]]), np.array([[True]]))
    assert (cell, has_choice.tolist()) == ((0, 0), [False])
    blind = np.array([[False, False], [False, True]])
    assert largest_of_a_choice(np.array([[0.0, 0.0], [0.0, 1.0]]), blind)[0] == (1, 1)


def test_the_first_of_equal_weights_is_named_and_a_masked_one_never() -> None:
    assert largest_of_a_choice(np.full((3, 3), 0.5), THREE)[0] == (1, 0)


WORDS = ("the", "cats", "sleep", "here", ".")
N = len(WORDS)
CAUSAL, FREE = np.tri(N, dtype=bool), np.ones((N, N), dtype=bool)


def alike(allowed: np.ndarray) -> np.ndarray:
    return allowed / allowed.sum(axis=1, keepdims=True)


def mostly_on(key: int, share: float, allowed: np.ndarray) -> np.ndarray:
    """`share` of every row on one key, the rest alike on the others."""
    others = allowed.copy()
    others[:, key] = False
    rest = others / np.maximum(others.sum(axis=1, keepdims=True), 1)
    pattern = (1 - share) * rest
    pattern[:, key] = share
    return pattern


def test_rest_on_the_first_word_by_hand() -> None:
    pattern = np.zeros((N, N))
    pattern[:, 0] = [1, 0.1, 0.9, 0.6, 0.7]
    pattern[np.arange(1, N), np.arange(1, N)] = [0.9, 0.1, 0.4, 0.3]

    found = attention_sink(pattern, alike(CAUSAL), WORDS)

    # the first word sees nothing else, and of two words one has half by chance
    assert found is not None
    assert (found.place, found.n_queries) == ("first word", 3)
    assert_allclose([found.share, found.chance], [(0.9 + 0.6 + 0.7) / 3, (1 / 3 + 1 / 4 + 1 / 5) / 3])


@each("stop", ["!", "?", "…", "。", "！", "？"])
def test_every_mark_that_ends_a_sentence_counts_as_a_full_stop_and_a_comma_does_not(stop: str) -> None:
    for mark, place in ((stop, "full stop"), (",", None)):
        found = attention_sink(mostly_on(4, 0.7, FREE), alike(FREE), (*WORDS[:4], mark))
        assert (found and found.place) == place


@each(
    ("pattern", "allowed"),
    [
        (alike(CAUSAL), CAUSAL),
        (alike(FREE), FREE),
        (mostly_on(2, 0.9, FREE), FREE),  # another word
        (np.eye(N), CAUSAL),  # a full stop that no query may see
    ],
)
def test_nothing_rests_on_equal_weights_on_another_word_or_on_what_cannot_be_seen(
    pattern: np.ndarray, allowed: np.ndarray
) -> None:
    assert attention_sink(pattern, alike(allowed), WORDS) is None


@each(("share", "rests"), [(0.5, False), (0.51, True)])
def test_more_than_half_is_rest(share: float, rests: bool) -> None:
    assert (attention_sink(mostly_on(0, share, FREE), alike(FREE), WORDS) is not None) == rests


@each("n_words", [1, 2, 3, 4])
def test_a_short_sentence_has_no_sink(n_words: int) -> None:
    """The first word is seen by three words of five that have a choice of more than two."""
    allowed = np.tri(n_words, dtype=bool)
    pattern = np.zeros((n_words, n_words))
    pattern[:, 0] = 1

    assert attention_sink(pattern, alike(allowed), WORDS[:n_words]) is None


def test_a_special_token_can_be_the_sink_and_at_position_0_it_is_no_first_word() -> None:
    words = ("[CLS]", "cats", "sleep", "here", "[SEP]")
    for place in (0, 4):
        found = attention_sink(mostly_on(place, 0.7, FREE), alike(FREE), words, special={0, 4})

        assert found is not None
        assert (found.place, found.at, found.n_queries) == ("special token", place, N - 1)
        assert_allclose([found.share, found.chance], [0.7, 1 / N])
    assert attention_sink(mostly_on(1, 0.7, FREE), alike(FREE), words, special={0, 4}) is None


N_LAYERS, N_HEADS, N_KEYS = 2, 3, 5


def spread() -> np.ndarray:
    return np.full((N_LAYERS, N_HEADS, N_KEYS, N_KEYS), 1 / N_KEYS)


def found_in(patterns: np.ndarray, **aside: set[int]) -> MostFocusedHead | None:
    return most_focused_head(largest_shares(patterns, **aside), 1 / N_KEYS)


def test_the_head_whose_queries_each_attend_to_one_key_stands_out() -> None:
    patterns = spread()
    patterns[0, 1, :, 2] = 0.5  # a larger weight than elsewhere, and the same key for all
    patterns[1, 2] = np.roll(np.eye(N_KEYS), 1, axis=1) * 0.9
    assert found_in(patterns) == (1, 2, 0.9)


def test_a_head_that_leaves_its_attention_with_special_tokens_does_not_stand_out() -> None:
    patterns = spread()
    patterns[0, 2] = 0
    patterns[0, 2, :, 4] = 1.0
    patterns[1, 0, 1:3, 2] = 0.7
    found = found_in(patterns, special={0, 4})
    assert found is not None
    assert found[:2] == (1, 0)
    np.testing.assert_allclose(found.share, (0.7 + 0.7 + 1 / N_KEYS) / 3)
    assert found_in(patterns) == (0, 2, 1.0)


def test_under_the_causal_mask_a_head_is_compared_with_equal_weights_under_it() -> None:
    """The first of five queries gives one key all, so equal weights have a mean of (1 + … + 1/5) / 5."""
    equal = equal_weights(np.tri(N_KEYS, dtype=bool))
    by_equal = float(largest_shares(equal))
    assert by_equal == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5)
    patterns = np.tile(equal, (N_LAYERS, N_HEADS, 1, 1))
    assert most_focused_head(largest_shares(patterns), by_equal) is None
    patterns[1, 1, 2:] = 0
    patterns[1, 1, 2:, 0] = 1.0
    found = most_focused_head(largest_shares(patterns), by_equal)
    assert found is not None
    assert found[:2] == (1, 1)


@each(("share", "stands_out"), [(0.39, False), (0.41, True)])
def test_a_quarter_of_the_way_from_equal_weights_to_all_is_clearly_above(
    share: float, stands_out: bool
) -> None:
    shares = np.full((N_LAYERS, N_HEADS), 0.2)
    shares[0, 1] = share
    assert (most_focused_head(shares, 1 / N_KEYS) is not None) is stands_out


MENTIONS = ("ben", "met", "Ana", "and", "ana", "slept")
EQUAL = np.tril(np.ones((6, 6))) / np.arange(1, 7)[:, None]


def test_the_weight_is_from_the_word_before_the_second_mention_to_the_first() -> None:
    pattern = EQUAL.copy()
    assert find_next_word_mention(pattern, EQUAL, MENTIONS) is None, "no more than equal weights"
    pattern[3, 2] = 0.75
    assert find_next_word_mention(pattern, EQUAL, MENTIONS) == NextWordMention(3, 2, 0.75, 0.25)
    pattern[3, 2], pattern[4, 2] = 0.25, 0.9
    assert find_next_word_mention(pattern, EQUAL, MENTIONS) is None, (
        "at the second mention it is visible already"
    )
    assert find_next_word_mention(np.ones((6, 6)), EQUAL, ("a", "b", "c", "d", "e", "f")) is None
    assert find_next_word_mention(np.ones((2, 2)), EQUAL[:2, :2], ("a", "a")) is None, "the same place"
