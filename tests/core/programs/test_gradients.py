"""The program of depth prints the gradients of the page, also where single precision would not."""

import numpy as np

from core.measures.blocks.gradients import DEPTHS, gradients_at_start
from core.model.config import ModelConfig
from core.programs.gradients import gradients_program
from core.sources.random_weights import fresh
from tests.programs import printed_matrix

WORDS = ("the", "oven", "cooked", "the", "bread", "so")


def test_the_deepest_models_gradients_are_printed_to_four_digits() -> None:
    config, depth = ModelConfig(vocab_size=1, positions="rotary", n_heads=2), DEPTHS[-1]
    rows = printed_matrix(gradients_program(WORDS, config, n_layers=depth, seed=7), depth)
    found = gradients_at_start(lambda one: fresh(one, WORDS, 7), config, n_layers=depth)
    np.testing.assert_allclose(rows, [one.blocks for one in found.values()], rtol=6e-4)
