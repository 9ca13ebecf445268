"""The program of the short training trains the same three models."""

from dataclasses import replace

import numpy as np
import pytest

from core.measures.blocks import norms as training
from core.measures.blocks.norms import RECIPE, short_training
from core.model.config import NORMS, ModelConfig
from core.programs import norms
from core.programs.norms import norms_program
from tests.programs import printed

STEPS = 11
"""Enough to see that every step is the same one."""


@pytest.mark.usefixtures("one_thread")
def test_the_losses_are_those_of_every_step_of_every_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (norms, training):
        monkeypatch.setattr(module, "RECIPE", replace(RECIPE, steps=STEPS))
    config = ModelConfig(vocab_size=1, n_heads=2, positions="rotary", residual=False)

    lines = printed(norms_program(config, n_layers=1, seed=3), alone=False).splitlines()

    losses = {norm: [] for norm in NORMS}
    for step in short_training(config, n_layers=1, seed=3):
        losses[step.norm].append(step.loss)
    for at, norm in enumerate(NORMS):
        name, *steps = lines[at * (STEPS + 1) : (at + 1) * (STEPS + 1)]
        assert len(steps) == STEPS
        assert name == norm
        np.testing.assert_allclose([float(line.split()[-1]) for line in steps], losses[norm], atol=2e-3)
