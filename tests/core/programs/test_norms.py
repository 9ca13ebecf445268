"""The program of the short training trains the same three models."""

import numpy as np
import pytest

from core.analysis.blocks.short_training import RECIPE, short_training
from core.config import NORMS, ModelConfig
from core.programs.norms import norms_program
from tests.programs import printed


@pytest.mark.usefixtures("one_thread")
def test_the_losses_are_those_of_every_step_of_every_model() -> None:
    config = ModelConfig(vocab_size=1, n_heads=2, positions="rotary", residual=False)

    lines = printed(norms_program(config, n_layers=1, seed=3), alone=False).splitlines()

    losses = {norm: [] for norm in NORMS}
    for step in short_training(config, n_layers=1, seed=3):
        losses[step.norm].append(step.loss)
    for at, norm in enumerate(NORMS):
        name, *steps = lines[at * (RECIPE.steps + 1) : (at + 1) * (RECIPE.steps + 1)]
        assert name == norm
        np.testing.assert_allclose([float(line.split()[-1]) for line in steps], losses[norm], atol=2e-3)
