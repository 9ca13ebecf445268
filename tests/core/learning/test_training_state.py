"""A training that was interrupted goes on exactly as if nothing had happened."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.learning.tasks import NEXT_WORD
from core.learning.training import Model, Recipe, Training, TrainingStep
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.recurrent import RecurrentConfig, RecurrentLanguageModel
from tests.covering import each

RECIPE = Recipe(steps=4, batch_size=3, warm_up=2, seed=5)
VOCAB = len(NEXT_WORD.vocabulary())


def transformer(*, seed: int = 1, tied: bool = True) -> Model:
    return built(
        Transformer(ModelConfig(vocab_size=VOCAB, d_model=14, n_heads=2, positions="learned", tied=tied)),
        seed,
    )


def lstm(*, seed: int = 1) -> Model:
    return built(RecurrentLanguageModel(RecurrentConfig(vocab_size=VOCAB, d_model=11, n_layers=2)), seed)


def built(model: Model, seed: int) -> Model:
    initialise(model, seed=seed)
    return model


def training(model: Model) -> Training:
    return Training(model, NEXT_WORD, RECIPE)


def taken(one: Training, n_steps: int) -> list[tuple[float, ...]]:
    """Return the next steps, as everything but their speed."""
    remaining = one.steps()
    return [_numbers(next(remaining)) for _ in range(n_steps)]


def _numbers(step: TrainingStep) -> tuple[float, ...]:
    return step.step, step.loss, step.accuracy, step.gradient_norm, step.learning_rate


def same_state(one: Training, other: Training) -> None:
    torch.testing.assert_close(one.state(), other.state(), rtol=0, atol=0)


@each(("build", "n_before"), [(transformer, 0), (lstm, 2)])
def test_interrupted_and_resumed_is_the_same_as_uninterrupted(
    build: Callable[..., Model], n_before: int, tmp_path: Path
) -> None:
    whole = training(build())
    steps = taken(whole, 4)

    first = training(build())
    before = taken(first, n_before)
    save_file(first.state(), tmp_path / "state.safetensors")
    second = training(build(seed=2))  # its initial state is gone
    second.resume(load_file(tmp_path / "state.safetensors"))

    assert before + taken(second, 4 - n_before) == steps
    same_state(second, whole)
    assert list(second.steps()) == []
    assert taken(training(build(seed=2)), 1) != steps[:1]


def test_a_state_is_a_copy_on_both_ways() -> None:
    one = training(transformer())
    taken(one, 2)
    kept = one.state()
    before = {name: value.clone() for name, value in kept.items()}

    taken(one, 1)
    torch.testing.assert_close(kept, before, rtol=0, atol=0)

    other = training(transformer())
    other.resume(kept)
    taken(other, 2)
    torch.testing.assert_close(kept, before, rtol=0, atol=0)


def test_the_state_of_another_model_is_refused_by_name() -> None:
    one = training(transformer())
    before = one.state()
    with pytest.raises(ValueError, match=r"no state of such a model: .*unembed\.weight"):
        one.resume(training(transformer(tied=False)).state())
    with pytest.raises(ValueError, match="no state of such a model: step"):
        one.resume({name: value for name, value in before.items() if name != "step"})
    torch.testing.assert_close(one.state(), before, rtol=0, atol=0)
