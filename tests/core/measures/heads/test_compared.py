"""Rollout is the sum over all paths, and heads are matched if one matching is clearly the best."""

from itertools import pairwise, permutations, product

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from core.measures.heads.compared import best_matching, pattern_distances, rollout, steps
from core.model.masks import MASKS
from tests.covering import each


def test_a_distance_is_the_mean_share_of_attention_that_goes_elsewhere() -> None:
    a = np.array([[[1.0, 0.0], [0.5, 0.5]]])
    b = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.25, 0.75]]])
    np.testing.assert_allclose(pattern_distances(a, b), [[0, (1 + 0.25) / 2]])


def test_without_a_clearly_best_matching_there_is_none() -> None:
    assert best_matching(np.zeros((4, 4))) is None
    assert best_matching(np.array([[0.1, 0.2], [0.2, 0.302]])) is None


def test_the_matching_is_the_best_of_all_permutations() -> None:
    distances = np.random.default_rng(5).random((5, 5))
    costs = {each: sum(distances[a, b] for a, b in enumerate(each)) for each in permutations(range(5))}
    assert best_matching(distances) == min(costs, key=costs.__getitem__)


N_LAYERS, N_HEADS, N_WORDS = 3, 2, 4


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


@each("residual", [True, False])
@each("mask", MASKS)
def test_every_cell_is_the_sum_over_its_paths(mask: str, residual: bool) -> None:
    patterns = patterns_of(mask)
    kept = 0.5 if residual else 0.0
    expected = [[by_paths(patterns, q, k, kept=kept) for k in range(N_WORDS)] for q in range(N_WORDS)]

    assert_allclose(rollout(patterns, residual=residual), expected, rtol=1e-12)


def test_a_row_is_divided_by_its_sum_and_a_row_of_nothing_stays_nothing() -> None:
    nothing, little = np.zeros((1, 2, 2, 2)), np.zeros((1, 1, 2, 2))
    little[0, 0] = [[0.2, 0.2], [0, 0.4]]

    assert_array_equal(steps(nothing, residual=False), 0)
    assert_array_equal(steps(nothing)[0], np.eye(2))
    assert_allclose(steps(little, residual=False)[0], [[0.5, 0.5], [0, 1]])
    assert_allclose(steps(little)[0], [[6 / 7, 1 / 7], [0, 1]])
