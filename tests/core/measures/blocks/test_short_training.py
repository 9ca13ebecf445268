"""A short training is the loop's own, with the same batches and the same start for every norm."""

from dataclasses import replace
from math import nan

import pytest

from core.learning.tasks import NEXT_WORD
from core.learning.training import Training
from core.measures.blocks import norms as module
from core.measures.blocks.norms import RECIPE, Loss, last_losses, short_training
from core.model.config import NORMS, ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer

CONFIG = ModelConfig(vocab_size=1, mask="bidirectional")


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECIPE", replace(RECIPE, steps=3, batch_size=4))


def test_losses_are_those_of_the_training_loop() -> None:
    losses = list(short_training(CONFIG, n_layers=3, seed=5))

    assert [(one.norm, one.step) for one in losses] == [(norm, step) for norm in NORMS for step in (1, 2, 3)]
    vocab_size = len(NEXT_WORD.vocabulary())
    model = Transformer(ModelConfig(vocab_size=vocab_size, d_model=32, n_layers=3, norm="post", tied=True))
    initialise(model, seed=5)
    steps = Training(model, NEXT_WORD, replace(module.RECIPE, seed=5)).steps()
    assert [one.loss for one in losses[3:6]] == pytest.approx([step.loss for step in steps], rel=1e-5)


def test_the_same_seed_gives_the_same_losses_and_another_one_others() -> None:
    first, again, other = (list(short_training(CONFIG, n_layers=2, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_last_steps_of_each_model_are_averaged_and_one_without_a_loss_has_none() -> None:
    steps = range(module.RECIPE.steps - module.LAST - 1, module.RECIPE.steps + 1)
    losses = [Loss("pre", step, float(step == steps[-1])) for step in steps]
    losses += [Loss("post", step, 100.0 if step <= steps[1] else 7.0) for step in steps]
    losses += [Loss("none", step, nan if step == steps[4] else 1.0) for step in steps]
    found = last_losses(losses)
    assert found == pytest.approx({"pre": 1 / module.LAST, "post": 7.0, "none": nan}, nan_ok=True)
