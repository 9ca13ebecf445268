"""The programs of what lies beyond training measure what the page shows."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import pytest

from core.learning.collection import take
from core.measures.positions import extrapolation as beyond
from core.model.config import POSITIONS, ModelConfig
from core.programs import extrapolation as programs
from core.programs.extrapolation import losses_program, verbs_program
from tests.programs import printed

CONFIG = ModelConfig(vocab_size=1, n_heads=2, mask="bidirectional", norm="post")

DISTANCES = beyond.DISTANCES[:2]
"""The further, the longer are the sentences, and of none is anything else asked."""


def nearest_verbs(config: ModelConfig) -> pd.DataFrame:
    table = beyond.verbs(config, take)
    return table[table["distance"].isin(DISTANCES)]


@pytest.mark.parametrize(
    ("write", "measure", "column"),
    [
        (losses_program, partial(beyond.losses, load=take), "loss"),
        pytest.param(
            *(verbs_program, nearest_verbs, "accuracy"),
            marks=pytest.mark.long("the program that asks every scheme for verbs far from their subjects"),
        ),
    ],
)
def test_every_scheme_has_its_numbers(
    write: Callable[[ModelConfig], str],
    measure: Callable[[ModelConfig], pd.DataFrame],
    column: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(programs, "DISTANCES", DISTANCES)
    lines = [line.split() for line in printed(write(CONFIG), alone=False).splitlines()]

    table = measure(CONFIG)
    assert [name for name, *_ in lines] == list(POSITIONS)
    for name, *numbers in lines:
        expected = table[table["positions"] == name][column]
        np.testing.assert_allclose(np.array(numbers, float), expected, atol=2e-3)
