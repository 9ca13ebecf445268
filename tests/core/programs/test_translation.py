"""The programs about translation print what core computes for the same model and sentence."""

import numpy as np
import pytest

from core.decoding import Sampling
from core.learning.collection.translators import recurrent_pair, transformer_pair
from core.measures.translation.writing import Strategy, write
from core.programs.translation import (
    writing_program,
)
from core.sources.translators import load_translator
from tests.programs import printed

WORDS = ["the", "key", "that", "the", "gardeners", "sold", "is", "heavy", "."]
LSTM, TRANSFORMER = recurrent_pair("lstm", "dot"), transformer_pair(4, 2)


@pytest.mark.parametrize(
    "strategy",
    [
        Strategy(),
        Strategy(way="sampled", sampling=Sampling(temperature=2.0, top_k=10, top_p=0.9), seed=3),
        Strategy(way="beam", width=3),
        Strategy(prefix=("este", "la")),
        Strategy(way="beam", width=2, prefix=("este", "la")),
    ],
    ids=lambda strategy: f"{strategy.way} {' '.join(strategy.prefix)}",
)
def test_a_translation_is_printed_word_by_word(strategy: Strategy) -> None:
    found = write(load_translator(LSTM, WORDS), strategy)
    lines = [
        line.split() for line in printed(writing_program(LSTM, WORDS, strategy), alone=False).splitlines()
    ]
    n = len(strategy.prefix)
    assert tuple(word for word, _ in lines) == found.words[n:]
    expected_numbers = np.cumsum(found.chosen[n:]) if strategy.way == "beam" else np.exp(found.chosen[n:])
    np.testing.assert_allclose([float(number) for _, number in lines], expected_numbers, atol=6e-4)
