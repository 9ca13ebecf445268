"""The programs of the page Scaling print what it shows."""

import numpy as np

from core.measures import scaling
from core.programs.scaling import growth_program, row_program
from tests.programs import printed_matrix

WORDS = ("the", "oven", "cooked", '"""', "the", "bread", "茶")


def test_the_program_of_a_row_prints_its_weights_twice() -> None:
    rows = printed_matrix(row_program(WORDS, 3, 32, seed=5), 2)
    np.testing.assert_allclose(rows.T, scaling.word_rows(WORDS, 3, 32, seed=5), atol=6e-4)


def test_the_program_of_the_growth_prints_its_table() -> None:
    rows = printed_matrix(growth_program(2), 4)
    table = scaling.growth_table(2)[["dimensions", "spread", "entropy", "gradient"]]
    np.testing.assert_allclose(rows, table, atol=2e-3)
