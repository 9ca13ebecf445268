"""Cheating: what a model that sees the next word learns, and losses with the mask on and off."""

import numpy as np
import pytest

from core.learning.checkpoints import load as load_checkpoint
from core.learning.collection import load_listed_member, path_of
from core.measures.masking import future
from core.measures.masking.future import (
    BLINDFOLD_OFF,
    BLINDFOLDED,
    CHEAT,
    SETTINGS,
    TRAINED,
    MaskComparison,
    sentence_losses,
    settings,
)
from core.measures.prediction import predict
from core.model.config import ModelConfig
from core.sources import load

CONFIG = ModelConfig(vocab_size=1)
NAME = "causal-sinusoidal-4-pre"
WORDS = ("Maria", "met", "Zuko", "near", "the", "zzyzx", "and", "Zuko", "praised", "Maria", ".")
UNKNOWN = 5


@pytest.fixture(scope="module")
def learned() -> MaskComparison:
    """Shipped results, because learning them again takes seconds."""
    return future.load_or_learn(lambda: load_checkpoint(path_of(CHEAT)))


def test_the_losses_of_the_trained_model_agree_with_its_prediction(learned: MaskComparison) -> None:
    losses = sentence_losses(WORDS, settings(load_listed_member(NAME), learned))
    expected = predict(load("trained", CONFIG, WORDS, 0)).losses()
    np.testing.assert_allclose(losses[0], expected, atol=1e-4)
    assert np.isnan(losses[:, [0, UNKNOWN]]).all()
    assert not np.isnan(np.delete(losses, [0, UNKNOWN], axis=1)).any()


def test_the_future_is_seen_only_without_the_mask(learned: MaskComparison) -> None:
    changed = (*WORDS[:-2], "Zuko", ".")
    models = settings(load_listed_member(NAME), learned)
    before, after = sentence_losses(WORDS, models), sentence_losses(changed, models)
    same = [
        np.array_equal(one[:8], other[:8], equal_nan=True) for one, other in zip(before, after, strict=True)
    ]
    assert dict(zip(SETTINGS, same, strict=True)) == {
        TRAINED: True,
        BLINDFOLD_OFF: False,
        CHEAT: False,
        BLINDFOLDED: True,
    }
