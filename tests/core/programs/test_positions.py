"""The programs of the position schemes print what the page shows."""

import numpy as np

from core.measures.heads.rollout import mean_over_heads
from core.measures.positions import alibi as linear
from core.measures.positions import sinusoidal as sinusoids
from core.measures.positions.rotary import meeting
from core.measures.reading import read
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.positions import (
    alibi_program,
    learned_program,
    rotary_program,
    sinusoidal_program,
    weights_program,
)
from core.sources import load
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


def test_the_rotary_scores_printed_are_those_of_the_page() -> None:
    config = ModelConfig(vocab_size=1, positions="rotary", n_heads=2)
    subject = Subject(words=WORDS, config=config, source="trained", layer=1, head=1)
    rows = printed_matrix(rotary_program(subject, 5, 1, 17), 17)
    shown = meeting(read(load("trained", config, WORDS, 0)), 1, 1, 5, 1).scores(17)
    np.testing.assert_allclose(rows, shown, atol=1e-3)


def test_the_mean_over_heads_printed_is_that_of_the_page() -> None:
    config = ModelConfig(vocab_size=1, positions="alibi", norm="post")
    subject = Subject(words=WORDS, config=config, source="random", seed=7, layer=1)
    rows = printed_matrix(weights_program(subject, mean=True), N)
    patterns = read(load("random", config, WORDS, 7)).patterns()
    np.testing.assert_allclose(rows, mean_over_heads(patterns)[1], atol=6e-4)
