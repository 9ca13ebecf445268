"""Heads of two models are matched by what they attend to, and only if one matching is clearly the best."""

import re
from itertools import combinations, permutations

import numpy as np
import pytest
import torch

from core.learning.collection import take
from core.measures.heads.compared import best_matching, pattern_distances
from core.model.initialisation import initialise
from core.model.models import Transformer

PROJECTION = re.compile(r"\.attention\.(query|key|value)\.")


def test_a_distance_is_the_mean_share_of_attention_that_goes_elsewhere() -> None:
    a = np.array([[[1.0, 0.0], [0.5, 0.5]]])
    b = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.25, 0.75]]])
    np.testing.assert_allclose(pattern_distances(a, b), [[0, (1 + 0.25) / 2]])


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_heads_in_another_order_are_found_again(order: tuple[int, ...]) -> None:
    heads = torch.rand(3, 5, 5, generator=torch.Generator().manual_seed(7)).softmax(dim=-1).numpy()
    assert best_matching(pattern_distances(heads[list(order)], heads)) == order


def test_without_a_clearly_best_matching_there_is_none() -> None:
    assert best_matching(np.zeros((4, 4))) is None
    assert best_matching(np.array([[0.1, 0.2], [0.2, 0.302]])) is None


def test_the_matching_is_the_best_of_all_permutations() -> None:
    distances = np.random.default_rng(5).random((5, 5))
    costs = {each: sum(distances[a, b] for a, b in enumerate(each)) for each in permutations(range(5))}
    assert best_matching(distances) == min(costs, key=costs.__getitem__)


def test_trainings_of_one_shape_begin_with_the_same_queries_keys_and_values() -> None:
    """The page says so of two trainings with as many heads."""
    started = []
    for name in ("causal-rotary-4-pre", "bidirectional-learned-4-post", "causal-none-4-none"):
        model = Transformer(take(name).config)
        initialise(model, seed=0)
        started.append({key: value for key, value in model.state_dict().items() if PROJECTION.search(key)})
    assert all(len(one) == len(started[0]) > 0 for one in started)
    for one, other in combinations(started, 2):
        assert all(torch.equal(one[name], other[name]) for name in one)
