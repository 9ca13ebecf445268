"""Large weights: the largest one, heads that stand out, sinks, and earlier mentions."""

from typing import Any

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


@each(
    ("pattern", "allowed", "largest", "choices"),
    [
        ([[1, 0, 0], [0.7, 0.3, 0], [0.1, 0.8, 0.1]], THREE, (2, 1), [False, True, True]),
        ([[1.0]], [[True]], (0, 0), [False]),  # all queries count if none has a choice
        ([[0.0, 0.0], [0.0, 1.0]], [[False, False], [False, True]], (1, 1), [False, False]),
        (np.full((3, 3), 0.5), THREE, (1, 0), [False, True, True]),  # the first of equals, no masked one
    ],
)
def test_the_largest_weight_is_one_of_a_query_that_has_a_choice(
    pattern: Any, allowed: Any, largest: tuple[int, int], choices: list[bool]
) -> None:
    cell, has_choice = largest_of_a_choice(np.array(pattern), np.array(allowed))
    assert (cell, has_choice.tolist()) == (largest, choices)


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
        (mostly_on(0, 0.5, FREE), FREE),  # no more than half
        (np.eye(4)[[0] * 4], np.tri(4, dtype=bool)),  # two queries with a choice of more than two
    ],
)
def test_nothing_rests_on_equal_weights_another_word_or_what_few_queries_see(
    pattern: np.ndarray, allowed: np.ndarray
) -> None:
    assert attention_sink(pattern, alike(allowed), WORDS[: len(pattern)]) is None


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
    for share, stands_out in ((0.39, False), (0.41, True)):  # a quarter of the way from equal weights to all
        shares = np.full((N_LAYERS, N_HEADS), 0.2)
        shares[0, 1] = share
        assert (most_focused_head(shares, 1 / N_KEYS) is not None) is stands_out


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
