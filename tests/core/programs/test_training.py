"""The bare loop trains the same model as ours does."""

from dataclasses import replace

import numpy as np
import pytest

from core.learning.training import Recipe
from core.live import Plan
from core.model.config import ModelConfig
from core.programs import training_program
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

    lines = printed(training_program(plan, layer=1, head=2, last=3), alone=False).splitlines()

    training = plan.begin()
    losses = [step.loss for step in training.steps()]
    np.testing.assert_allclose([float(line.split()[-1]) for line in lines[:3]], losses, atol=2e-3)
    attention = [line.split()[1:] for line in lines[3:]]
    np.testing.assert_allclose(np.array(attention, float), plan.snapshot(training).patterns[1, 2], atol=2e-3)


def test_a_program_that_stops_early_shows_the_attention_after_that_step() -> None:
    plan = Plan(architecture=ModelConfig(vocab_size=1), task_name="next word", recipe=Recipe(steps=5))

    lines = printed(training_program(plan, layer=0, head=1, last=2), alone=False).splitlines()

    training = plan.begin()
    for _ in zip(range(2), training.steps(), strict=False):
        pass
    attention = np.array([line.split()[1:] for line in lines[2:]], float)
    np.testing.assert_allclose(attention, plan.snapshot(training).patterns[0, 1], atol=2e-3)
