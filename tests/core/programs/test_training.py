"""The bare loop trains the same model as ours does."""

from dataclasses import replace

import numpy as np
import pytest

from core.config import ModelConfig
from core.live import Plan
from core.programs import training_program
from core.training import Recipe
from tests.programs import printed


@pytest.mark.parametrize(
    ("task", "mask", "positions"),
    [("next word", "causal", "rotary"), ("masked word", "bidirectional", "learned")],
)
def test_the_bare_loop_comes_to_the_same_losses_and_attention(task: str, mask: str, positions: str) -> None:
    architecture = replace(ModelConfig(vocab_size=1), mask=mask, positions=positions)
    plan = Plan(
        architecture=architecture, task_name=task, recipe=Recipe(steps=3, batch_size=5, seed=7, clip=0.3)
    )

    lines = printed(training_program(plan, layer=1, head=2), alone=False).splitlines()

    training = plan.begin()
    losses = [step.loss for step in training.steps()]
    np.testing.assert_allclose([float(line.split()[-1]) for line in lines[:3]], losses, atol=2e-3)
    attention = [line.split()[1:] for line in lines[3:]]
    np.testing.assert_allclose(np.array(attention, float), plan.snapshot(training).patterns[1, 2], atol=2e-3)
