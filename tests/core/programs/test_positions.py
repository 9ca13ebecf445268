"""The programs of the position schemes print what the page shows."""

import numpy as np

from core.measures.positions import alibi as linear
from core.measures.positions import sinusoidal as sinusoids
from core.model.config import ModelConfig
from core.programs.positions import (
    alibi_program,
    learned_program,
    sinusoidal_program,
)
from core.text.tokenizer import words_of
from pages.positions.learned import table_of
from tests.programs import printed_matrix

WORDS = words_of("the oven cooked 'the' \"bread\" so zzyzx")
N = len(WORDS)


def test_the_sinusoids_printed_are_those_of_the_page() -> None:
    rows = printed_matrix(sinusoidal_program(11, 14), 14)
    np.testing.assert_allclose(rows, sinusoids.matrix(11, 14), atol=6e-4)


def test_the_biases_printed_are_those_of_the_page_and_what_is_masked_is_minus_infinity() -> None:
    config = ModelConfig(vocab_size=1, n_heads=8, mask="causal")
    rows = printed_matrix(alibi_program(WORDS, config, 2), N)
    for form, slope in ((rows[:N], 1.0), (rows[N:], 1 / 8)):
        masked = np.where(linear.allowed("causal", N), linear.bias(N, slope), -np.inf)
        np.testing.assert_allclose(form, masked, atol=6e-4)


def test_the_table_printed_is_that_of_the_checkpoint() -> None:
    config = ModelConfig(vocab_size=1, mask="bidirectional", n_heads=2)
    rows = printed_matrix(learned_program(config, 13), 48)
    np.testing.assert_allclose(rows, table_of(config).after[:13], atol=6e-4)
