"""A head that rests on the first word or on the full stop is found, with the numbers it is found by."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.equal_weights import equal_weights
from core.measures.heads.sinks import attention_sink
from tests.covering import each

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
    assert (found.place, found.n_queries, found.n_narrow, found.n_blind) == ("first word", 3, 1, 0)
    assert_allclose([found.share, found.chance], [(0.9 + 0.6 + 0.7) / 3, (1 / 3 + 1 / 4 + 1 / 5) / 3])


@each("stop", ["!", "?", "…", "。", "！", "？"])
def test_every_mark_that_ends_a_sentence_is_a_full_stop_and_a_comma_is_none(stop: str) -> None:
    for mark, place in ((stop, "full stop"), (",", None)):
        found = attention_sink(mostly_on(4, 0.7, FREE), alike(FREE), (*WORDS[:4], mark))
        assert (found and found.place) == place


@each(
    ("pattern", "allowed"),
    [
        (alike(CAUSAL), CAUSAL),
        (alike(FREE), FREE),
        (mostly_on(2, 0.9, FREE), FREE),  # another word
        (np.eye(N), CAUSAL),  # a full stop that nobody may see
    ],
)
def test_nothing_rests_on_equal_weights_on_another_word_or_on_what_cannot_be_seen(
    pattern: np.ndarray, allowed: np.ndarray
) -> None:
    assert attention_sink(pattern, alike(allowed), WORDS) is None


def test_what_the_full_stop_does_itself_does_not_count() -> None:
    pattern = mostly_on(4, 0.7, FREE)
    pattern[4] = np.eye(N)[1]

    found = attention_sink(pattern, alike(FREE), WORDS)

    assert found is not None
    assert (found.place, found.n_queries, found.n_narrow, found.n_blind) == ("full stop", 4, 0, 0)
    assert_allclose([found.share, found.chance], [0.7, 0.2])


@pytest.mark.parametrize(("share", "rests"), [(0.49, False), (0.5, False), (0.51, True)])
def test_more_than_half_is_rest(share: float, rests: bool) -> None:
    assert (attention_sink(mostly_on(0, share, FREE), alike(FREE), WORDS) is not None) == rests


def test_a_full_stop_in_the_middle_is_seen_by_what_follows() -> None:
    words = ("no", "!", "we", "do", "not", "sing")
    allowed = np.tri(len(words), dtype=bool)

    found = attention_sink(mostly_on(1, 0.8, allowed), alike(allowed), words)

    assert found is not None
    assert (found.place, found.n_queries, found.n_narrow, found.n_blind) == ("full stop", 4, 0, 1)


def test_of_a_word_of_many_pieces_equal_weights_give_the_sink_less() -> None:
    """Five words of eleven pieces, the first of one: equal weights give it 1 / 11 and not 1 / 5."""
    groups, pieces = [[0], [1, 2, 3], [4, 5], [6, 7, 8, 9], [10]], np.ones((11, 11), dtype=bool)

    found = attention_sink(mostly_on(0, 0.7, FREE), equal_weights(pieces, groups), WORDS)

    assert found is not None
    assert_allclose([found.share, found.chance], [0.7, 1 / 11])


@each("n_words", [1, 2, 3, 4])
def test_in_a_short_sentence_there_is_no_habit(n_words: int) -> None:
    """The first word is seen by three words of five that have a choice of more than two."""
    allowed = np.tri(n_words, dtype=bool)
    pattern = np.zeros((n_words, n_words))
    pattern[:, 0] = 1

    assert attention_sink(pattern, alike(allowed), WORDS[:n_words]) is None


def test_what_may_not_be_seen_adds_nothing() -> None:
    """Nonsense above the diagonal, as an edited pattern may have it; the last full stop is seen by none."""
    words = ("no", "!", "we", "do", "not", "sing", ".")
    allowed = np.tri(len(words), dtype=bool)
    pattern = alike(allowed) + np.triu(np.ones(allowed.shape), k=1)

    assert attention_sink(pattern, alike(allowed), words) is None


def test_of_two_places_the_one_with_more_is_named() -> None:
    """Five queries of eight attend to the first word, and all three after the full stop at that."""
    words = ("we", "do", "not", "sing", "at", "home", "!", "they", "do", "so")
    allowed, pattern = np.tri(len(words), dtype=bool), np.zeros((10, 10))
    pattern[:7, 0] = pattern[7:, 6] = 1

    found = attention_sink(pattern, alike(allowed), words)

    assert found is not None
    assert (found.place, found.share, found.n_queries) == ("full stop", 1, 3)


def test_a_special_token_can_be_the_sink_and_the_first_word_is_then_none() -> None:
    words = ("[CLS]", "cats", "sleep", "here", "[SEP]")
    for place in (0, 4):
        found = attention_sink(mostly_on(place, 0.7, FREE), alike(FREE), words, special={0, 4})

        assert found is not None
        assert (found.place, found.at, found.n_queries) == ("special token", place, N - 1)
        assert_allclose([found.share, found.chance], [0.7, 1 / N])
    assert attention_sink(mostly_on(1, 0.7, FREE), alike(FREE), words, special={0, 4}) is None
