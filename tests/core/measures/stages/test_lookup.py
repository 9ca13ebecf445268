"""Soft look-up: one value when cold, the mean when hot, the softmax of the note in between."""

import numpy as np
import pytest
import torch

from core.measures.stages import HARD, UNIFORM, look_up
from core.measures.stages.lookup import TIE

STREAM = np.random.RandomState(5)
SCORES = STREAM.standard_normal(7).astype(np.float32)
VALUES = STREAM.standard_normal((7, 3)).astype(np.float32)
ALLOWED = np.array([True, True, False, True, True, True, False])


def test_at_temperature_one_it_is_attention() -> None:
    found = look_up(SCORES, VALUES, ALLOWED, temperature=1)
    masked = torch.from_numpy(np.where(ALLOWED, SCORES, -np.inf))
    np.testing.assert_allclose(found.weights, masked.softmax(-1).numpy(), atol=1e-6)
    np.testing.assert_allclose(found.output, found.weights @ VALUES, atol=1e-6)


def test_at_another_temperature_the_scores_are_divided_by_it() -> None:
    found = look_up(SCORES, VALUES, ALLOWED, temperature=0.3)
    masked = torch.from_numpy(np.where(ALLOWED, SCORES / 0.3, -np.inf))
    np.testing.assert_allclose(found.weights, masked.softmax(-1).numpy(), atol=1e-6)


@pytest.mark.parametrize(("limit", "near"), [(HARD, 1e-4), (UNIFORM, 1e7)])
def test_both_ends_are_the_limits_of_what_is_near_them(limit: float, near: float) -> None:
    at_limit, close = (look_up(SCORES, VALUES, ALLOWED, temperature=one) for one in (limit, near))
    np.testing.assert_allclose(at_limit.output, close.output, atol=1e-6)


def test_cold_it_gives_the_value_of_the_best_key_in_sight_and_hot_the_mean() -> None:
    best = max(np.flatnonzero(ALLOWED), key=lambda at: SCORES[at])
    cold, hot = (look_up(SCORES, VALUES, ALLOWED, temperature=one) for one in (HARD, UNIFORM))
    assert cold.best_keys == (best,)
    np.testing.assert_array_equal(cold.output, VALUES[best].astype(float))
    np.testing.assert_allclose(hot.output, VALUES[ALLOWED].mean(axis=0), atol=1e-6)
    assert (cold.from_best, cold.entropy) == (0, 0)
    assert hot.from_mean == pytest.approx(0, abs=1e-12)
    assert hot.entropy == pytest.approx(np.log2(5))
    assert cold.from_mean == pytest.approx(hot.from_best)
    assert (hot.n_seen, hot.weights[2], hot.weights[6]) == (5, 0, 0)


def test_keys_that_match_alike_share_the_look_up() -> None:
    scores, values = np.array([2.0, 1.0, 2.0]), np.array([[1.0], [5.0], [4.0]])
    found = look_up(scores, values, np.ones(3, dtype=bool), temperature=HARD)
    assert found.best_keys == (0, 2)
    assert (found.output.item(), found.best.item()) == (2.5, 2.5)


def test_keys_that_match_alike_but_for_rounding_share_the_look_up_too() -> None:
    scores = np.array([2.0, 1.0, 2.0 - TIE / 2])
    found = look_up(scores, np.eye(3), np.ones(3, dtype=bool), temperature=HARD)
    assert found.weights.tolist() == [0.5, 0, 0.5]


def test_large_scores_do_not_overflow() -> None:
    found = look_up(np.array([5000.0, -5000.0]), np.eye(2), np.ones(2, dtype=bool), temperature=0.1)
    np.testing.assert_array_equal(found.weights, [1, 0])


@pytest.mark.parametrize("temperature", [-0.1, float("nan")])
def test_a_temperature_below_zero_is_refused(temperature: float) -> None:
    with pytest.raises(ValueError, match="a temperature is at least 0"):
        look_up(SCORES, VALUES, ALLOWED, temperature=temperature)


def test_a_query_that_sees_nothing_has_nothing_to_look_up() -> None:
    with pytest.raises(ValueError, match="no key"):
        look_up(SCORES, VALUES, np.zeros(7, dtype=bool), temperature=1)
