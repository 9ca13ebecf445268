"""The programs about masks print what core computes for the same model, sentence and mask."""

import numpy as np

from core.measures.masking.future import BLINDFOLD_OFF, TRAINED, sentence_losses
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.masking import future_program
from core.text.tokenizer import words_of
from tests.programs import printed


def test_the_losses_with_the_mask_and_without_are_printed() -> None:
    config = ModelConfig(vocab_size=1)
    words = words_of("Zuko made his uncle tea")
    one = Subject(words=words, config=config, source="trained")
    model = one.loaded.model
    expected = sentence_losses(words, {TRAINED: model, BLINDFOLD_OFF: model})[:, 1:]

    lines = printed(future_program(one)).splitlines()

    losses = [float(line.split()[-1]) for line in lines if not line.startswith("mask")]
    np.testing.assert_allclose(np.reshape(losses, (2, 4)), expected, atol=6e-4)
