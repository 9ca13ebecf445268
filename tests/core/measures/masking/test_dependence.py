"""Dependence is the Jacobian, exactly 0 where no path of looks leads, and counted as such."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.measures.masking.painting import Dependence, PaintedMask, dependence
from core.model.config import POSITIONS, ModelConfig
from core.sources import load

WORDS = ("the", "oven", "cooked", "the", "bread")
CONFIG = ModelConfig(vocab_size=1)


@pytest.mark.parametrize("positions", POSITIONS)
def test_under_the_causal_mask_no_output_depends_on_a_later_input_at_all(positions: str) -> None:
    config = replace(CONFIG, positions=positions)
    norms = dependence(load("trained", config, WORDS, 0), PaintedMask()).norms
    assert (np.triu(norms, 1) == 0).all()
    assert (norms[np.tril_indices(5)] > 0).all()


def test_dependence_is_the_norm_of_the_whole_jacobian() -> None:
    mask = PaintedMask(preset="window", amount=1).flip((0, 4)).flip((3, 3))
    config = replace(CONFIG, positions="none", n_heads=2)
    loaded = load("random", config, WORDS, 5)
    allowed = mask.allowed(5)[None, None]

    def states(x: torch.Tensor) -> torch.Tensor:
        for block in loaded.model.blocks:
            x = block(x, allowed=allowed, positions=loaded.model.positions)
        return loaded.model.norm(x)

    jacobian = torch.autograd.functional.jacobian(states, loaded.model.embed(loaded.tokens))[0, :, :, 0]
    expected = jacobian.square().sum((1, 3)).sqrt().numpy()
    found = dependence(load("random", config, WORDS, 5), mask).norms
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(found == 0, expected == 0)


def test_two_layers_of_a_window_reach_twice_as_far() -> None:
    words = tuple(f"w{at}" for at in range(11))
    norms = dependence(load("random", CONFIG, words, 0), PaintedMask(preset="window", amount=2)).norms
    distance = np.abs(np.subtract.outer(np.arange(11), np.arange(11)))
    np.testing.assert_array_equal(norms > 0, distance <= 4)


def test_shares_are_of_each_outputs_own_sum_and_none_for_one_that_depends_on_nothing() -> None:
    norms = np.array([[1.0, 0.0, 3.0], [0.0, 0.0, 0.0], [2.0, 2.0, 1.0]])
    shares = Dependence(norms, np.ones((3, 3), dtype=bool)).shares
    np.testing.assert_allclose(shares, [[0.25, 0, 0.75], [0, 0, 0], [0.4, 0.4, 0.2]])


def test_what_comes_after_and_what_goes_round_the_mask_is_counted() -> None:
    norms = np.array([[1.0, 0.0, 3.0], [5.0, 2.0, 0.0], [2.0, 0.0, 0.0]])
    found = Dependence(norms, np.eye(3, k=2, dtype=bool))
    assert found.zero_of_the_future.tolist() == [True, False, True]
    assert np.argwhere(found.roundabout).tolist() == [[1, 0], [2, 0]]
    assert found.zero.sum() == 4


def test_under_a_window_two_layers_go_round_the_mask_and_one_does_not() -> None:
    mask = PaintedMask(preset="window", amount=1)
    one, two = (dependence(load("random", replace(CONFIG, n_layers=n), WORDS, 0), mask) for n in (1, 2))
    assert not one.roundabout.any()
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.testing.assert_array_equal(two.roundabout, distance == 2)
