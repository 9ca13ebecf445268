"""The programs of the page Scaling print what it shows."""

import numpy as np
import pytest

from core.measures import scaling
from core.measures.reading import read
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.scaling import growth_program, heads_program, row_program
from core.sources import load
from tests.programs import printed_matrix

WORDS = ("the", "oven", "cooked", '"""', "the", "bread", "茶")


def test_the_program_of_a_row_prints_its_weights_twice() -> None:
    rows = printed_matrix(row_program(WORDS, 3, 32, seed=5), 2)
    np.testing.assert_allclose(rows.T, scaling.word_rows(WORDS, 3, 32, seed=5), atol=6e-4)


def test_the_program_of_the_growth_prints_its_table() -> None:
    rows = printed_matrix(growth_program(2), 4)
    table = scaling.growth_table(2)[["dimensions", "spread", "entropy", "gradient"]]
    np.testing.assert_allclose(rows, table, atol=2e-3)


@pytest.mark.parametrize(("source", "positions"), [("trained", "alibi"), ("random", "sinusoidal")])
def test_the_program_of_the_heads_prints_a_word_with_three_divisions(source: str, positions: str) -> None:
    config = ModelConfig(vocab_size=1, positions=positions, n_heads=8)  # type: ignore[arg-type]
    subject = Subject(words=WORDS, config=config, source=source, layer=1, head=6)
    rows = printed_matrix(heads_program(subject, 4), 3)
    reading = read(load(source, config, WORDS, 0))
    np.testing.assert_allclose(rows.T, scaling.head_rows(reading, 1, 6, 4), atol=6e-4)
