"""Soft lookup at every temperature, and scores without matrices, with one, and with two."""

from typing import Any

import numpy as np
import pytest
import torch

from core.measures.stages.lookup import (
    HARD,
    NONE,
    THREE,
    TIED,
    UNIFORM,
    asymmetry,
    compare,
    is_symmetric,
    least_symmetric_pair,
    look_up,
    one_sided_pair,
)
from core.measures.stages.walk import small, walk
from core.model.config import POSITIONS, ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from tests.covering import each

STREAM = np.random.RandomState(5)
SCORES = STREAM.standard_normal(7).astype(np.float32)
VALUES = STREAM.standard_normal((7, 3)).astype(np.float32)
ALLOWED = np.array([True, True, False, True, True, True, False])


@each("temperature", [1, 0.3])
def test_it_is_attention_with_scores_divided_by_the_temperature(temperature: float) -> None:
    found = look_up(SCORES, VALUES, ALLOWED, temperature=temperature)
    masked = torch.from_numpy(np.where(ALLOWED, SCORES / temperature, -np.inf))
    np.testing.assert_allclose(found.weights, masked.softmax(-1).numpy(), atol=1e-6)
    np.testing.assert_allclose(found.output, found.weights @ VALUES, atol=1e-6)


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


def test_large_scores_do_not_overflow() -> None:
    found = look_up(np.array([5000.0, -5000.0]), np.eye(2), np.ones(2, dtype=bool), temperature=0.1)
    np.testing.assert_array_equal(found.weights, [1, 0])


@each("temperature", [-0.1, float("nan")])
def test_a_temperature_below_zero_is_refused(temperature: float) -> None:
    with pytest.raises(ValueError, match="a temperature is at least 0"):
        look_up(SCORES, VALUES, ALLOWED, temperature=temperature)


def test_a_query_that_sees_nothing_has_nothing_to_look_up() -> None:
    with pytest.raises(ValueError, match="no key"):
        look_up(SCORES, VALUES, np.zeros(7, dtype=bool), temperature=1)


STREET = words_of("the cat walks on the street")


def test_without_matrices_it_is_the_softmax_of_x_with_itself() -> None:
    x, q = np.random.RandomState(3).standard_normal((2, 5, 7))
    found = compare(x, q, q, matrices=NONE, scale=9.0)
    torch_x = torch.from_numpy(x)
    np.testing.assert_allclose(found.pattern, (torch_x @ torch_x.T).softmax(-1).numpy(), atol=1e-12)


@each("seed", range(3))
def test_vectors_of_length_one_attend_to_themselves_or_to_a_repeat(seed: int) -> None:
    found = walk(load("random", small(ModelConfig(vocab_size=1, positions="none")), STREET, seed))
    compared = compare(found.x, found.q, found.k, matrices=NONE, unit_length=True)
    assert compared.attends_to_itself.all()
    np.testing.assert_allclose(np.diagonal(compared.scores), 1)
    assert compared.pattern[0, 4] == pytest.approx(compared.pattern[0, 0]), "both are the"
    alone = np.delete(compared.pattern[0], [0, 4])
    assert (alone < compared.pattern[0, 0]).all()


def test_a_word_with_a_zero_query_attends_to_none_more_than_to_others() -> None:
    q = np.array([[0.0, 0.0], [2.0, 1.0], [1.0, 2.0]])
    found = compare(q, q, q, matrices=TIED)
    assert found.is_undecided.tolist() == [True, False, False]
    assert found.attends_to_itself.tolist() == [False, True, True]


@each(
    ("pattern", "pair"),
    [
        (np.eye(3), None),
        (np.full((2, 2), 0.5), None),
        ([[0.2, 0.8], [0.8, 0.2]], None),
        ([[0.2, 0.7, 0.1], [0.3, 0.4, 0.3], [0.9, 0.1, 0.0]], (2, 0)),
    ],
)
def test_a_one_sided_pair_is_a_largest_weight_that_is_not_given_back(
    pattern: Any, pair: tuple[int, int] | None
) -> None:
    assert one_sided_pair(np.asarray(pattern, dtype=float)) == pair


@each("positions", POSITIONS)
@each("head", [0, 1])
def test_scores_are_symmetric_if_and_only_if_keys_are_made_like_queries(positions: str, head: int) -> None:
    config = small(ModelConfig(vocab_size=1, positions=positions))  # type: ignore[arg-type]
    found = walk(load("random", config, STREET, 0), head=head)
    three, tied = (
        compare(found.x, found.q, found.k, matrices=one, scale=found.scale) for one in (THREE, TIED)
    )
    assert asymmetry(three.scores) > 0.1
    assert asymmetry(tied.scores) < 1e-12
    assert asymmetry(tied.pattern) > 0.01
    np.testing.assert_allclose(three.scores, found.q @ found.k.T / 2, atol=1e-5)
    np.testing.assert_allclose(tied.pattern, torch.from_numpy(tied.scores).softmax(-1).numpy(), atol=1e-12)


def test_the_largest_difference_across_the_diagonal_has_its_pair() -> None:
    scores = np.array([[1.0, 2.0, 0.0], [2.5, 1.0, -1.0], [0.0, 3.0, 9.0]])
    assert asymmetry(scores) == 4.0
    assert least_symmetric_pair(scores) == (2, 1)


@each(("off", "is_so"), [(1e-7, True), (1e-3, False)])
def test_rounding_does_not_make_scores_asymmetric(off: float, is_so: bool) -> None:
    assert is_symmetric(np.array([[1.0, 2.0 + off], [2.0, 1.0]])) == is_so
