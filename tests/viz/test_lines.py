"""The lines that are drawn are the fewest that hold the mass asked for."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.lines import describe_lines, strongest

MASSES = [0.01, 0.5, 0.9, 1.0]


def fewest(weights: NDArray[np.floating], mass: float) -> int:
    """Return how many keys hold the mass, tried out over every set of keys."""
    exact = weights.astype(np.float64)
    return next(
        n
        for n in range(len(exact) + 1)
        if max((sum(exact[list(keys)]) for keys in combinations(range(len(exact)), n)), default=0)
        >= (mass - 1e-6) * exact.sum()
    )


def kept(lines: pd.DataFrame, query: int) -> pd.DataFrame:
    return lines[lines["query"] == query]


@each("mass", MASSES)
def test_each_query_keeps_the_fewest_keys_that_hold_the_mass(mass: float) -> None:
    pattern = np.random.default_rng(5).dirichlet(np.full(7, 0.5), size=11).astype(np.float32)
    lines = strongest(pattern, mass=mass)
    for query, weights in enumerate(pattern):
        mine = kept(lines, query)
        n = fewest(weights, mass) if mass < 1 else np.count_nonzero(weights)
        assert len(mine) == n
        np.testing.assert_array_equal(mine["weight"], np.sort(weights)[::-1][:n])
        np.testing.assert_array_equal(weights[mine["key"]], mine["weight"])


def test_of_equal_keys_the_earlier_ones_are_kept() -> None:
    lines = strongest(np.tile([[1.0, 3.0, 2.0]], 100) / 600, mass=1)
    assert list(lines["key"]) == [*range(1, 300, 3), *range(2, 300, 3), *range(0, 300, 3)]


def test_a_mass_that_some_keys_hold_exactly_needs_no_more_of_them() -> None:
    pattern = np.array([[0.1, 0.4, 0.5], [0.7, 0.2, 0.1]], dtype=np.float32)
    assert [len(kept(strongest(pattern, mass=0.9), query)) for query in (0, 1)] == [2, 2]
    assert [len(kept(strongest(pattern, mass=0.91), query)) for query in (0, 1)] == [3, 3]


def test_a_query_that_sees_nothing_has_no_line() -> None:
    pattern = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for mass in MASSES:
        lines = strongest(pattern, mass=mass)
        assert lines.to_numpy().tolist() == [[1, 1, 1]]


def test_the_mass_is_a_share_of_a_querys_weights() -> None:
    assert list(strongest(np.array([[0.05, 0.03, 0.02]]), mass=0.5)["key"]) == [0]


@each("mass", [0, -0.1, 1.01, float("nan")])
def test_a_mass_that_is_no_share_is_an_error_that_names_it(mass: float) -> None:
    with pytest.raises(ValueError, match=f"mass must be above 0 and at most 1, got {mass}"):
        strongest(np.eye(2), mass=mass)


def test_a_description_can_count_to_one_and_to_none() -> None:
    assert describe_lines(strongest(np.eye(1), mass=1), ["so"], title="A").startswith(
        "A: 1 line between 1 word. The thickest runs from query so to key so, weight 1.00."
    )
    nothing = strongest(np.zeros((2, 2)), mass=1)
    assert describe_lines(nothing, ["so", "is"], title="A") == "A: 0 lines between 2 words."
