"""Rollout: two layers by hand, every path counted one by one, and what must stay true of any product."""

from itertools import pairwise, product

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from core.measures.heads.compared import mean_over_heads, rollout, steps
from core.model.masks import MASKS
from tests.covering import each

N_LAYERS, N_HEADS, N_WORDS = 3, 2, 5


def patterns_of(mask: str, *, n_layers: int = N_LAYERS) -> np.ndarray:
    weights = np.random.default_rng(7).exponential(size=(n_layers, N_HEADS, N_WORDS, N_WORDS))
    weights *= MASKS[mask].allowed(N_WORDS)[0, 0].numpy()
    return weights / weights.sum(axis=-1, keepdims=True)


def by_paths(patterns: np.ndarray, query: int, key: int, *, kept: float = 0.5) -> float:
    """The sum over all ways down from `query`, one word for each layer; a way is as good as its product."""
    total = 0.0
    for way in product(range(N_WORDS), repeat=len(patterns) - 1):
        places = (query, *way, key)
        share = 1.0
        for layer, (above, below) in zip(reversed(patterns), pairwise(places), strict=True):
            attention = sum(head[above, below] for head in layer) / len(layer)
            share *= (1 - kept) * attention + kept * (above == below)
        total += share
    return total


def test_two_layers_by_hand() -> None:
    first = [[[1, 0], [0.2, 0.8]], [[1, 0], [0.6, 0.4]]]
    second = [[[1, 0], [1, 0]], [[1, 0], [0, 1]]]
    # The mean over heads is (0.4, 0.6), then (0.5, 0.5); with the word itself (0.2, 0.8), then (0.25, 0.75).
    expected = [[1, 0], [0.25 + 0.75 * 0.2, 0.75 * 0.8]]

    assert_allclose(rollout(np.array([first, second])), expected)


@each("residual", [True, False])
@each("mask", MASKS)
def test_every_cell_is_the_sum_over_its_paths(mask: str, residual: bool) -> None:
    patterns = patterns_of(mask)
    kept = 0.5 if residual else 0.0
    expected = [[by_paths(patterns, q, k, kept=kept) for k in range(N_WORDS)] for q in range(N_WORDS)]

    assert_allclose(rollout(patterns, residual=residual), expected, rtol=1e-12)


def test_the_last_layer_comes_first_from_the_query() -> None:
    """Word 1 attends to word 0 in the last layer only, and word 0 at word 2 in the first only."""
    first, last = np.eye(3), np.eye(3)
    first[0], last[1] = [0, 0, 1], [1, 0, 0]

    assert rollout(np.array([[first], [last]]))[1, 2] == 0.25
    assert rollout(np.array([[last], [first]]))[1, 2] == 0


def test_the_mean_is_over_the_heads_of_each_layer() -> None:
    patterns = patterns_of("bidirectional")
    expected = [[sum(head[q] for head in layer) / N_HEADS for q in range(N_WORDS)] for layer in patterns]

    assert_allclose(mean_over_heads(patterns), expected)


def test_a_row_is_divided_by_its_sum_and_a_row_of_nothing_stays_nothing() -> None:
    nothing, little = np.zeros((1, 2, 2, 2)), np.zeros((1, 1, 2, 2))
    little[0, 0] = [[0.2, 0.2], [0, 0.4]]

    assert_array_equal(steps(nothing, residual=False), 0)
    assert_array_equal(steps(nothing)[0], np.eye(2))
    assert_allclose(steps(little, residual=False)[0], [[0.5, 0.5], [0, 1]])
    assert_allclose(steps(little)[0], [[6 / 7, 1 / 7], [0, 1]])
