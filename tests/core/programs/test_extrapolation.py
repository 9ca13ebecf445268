"""The programs of what lies beyond training measure what the page shows."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from core.analysis.positions import extrapolation as beyond
from core.config import POSITIONS, ModelConfig
from core.programs.extrapolation import losses_program, verbs_program
from tests.programs import printed

CONFIG = ModelConfig(vocab_size=1, n_heads=2, mask="bidirectional", norm="post")


@pytest.mark.parametrize(
    ("write", "measure", "column"),
    [
        (losses_program, beyond.losses, "loss"),
        pytest.param(
            *(verbs_program, beyond.verbs, "accuracy"),
            marks=pytest.mark.long("the program that asks every scheme for verbs up to 240 words away"),
        ),
    ],
)
def test_every_scheme_has_its_numbers(
    write: Callable[[ModelConfig], str], measure: Callable[[ModelConfig], pd.DataFrame], column: str
) -> None:
    lines = [line.split() for line in printed(write(CONFIG), alone=False).splitlines()]

    table = measure(CONFIG)
    assert [name for name, *_ in lines] == list(POSITIONS)
    for name, *numbers in lines:
        expected = table[table["positions"] == name][column]
        np.testing.assert_allclose(np.array(numbers, float), expected, atol=2e-3)
