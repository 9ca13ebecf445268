"""Programs about gradients print what the page shows, by ways of their own."""

import numpy as np

from core.analysis.gradients.reach import reach
from core.config import ModelConfig
from core.programs.vanishing import reach_program
from tests.programs import printed_matrix

WORDS = ("the", "key", "that", "the", "gardeners", "sold", "is", "xyzzy")


def test_how_far_words_reach_is_printed_to_six_digits() -> None:
    config = ModelConfig(vocab_size=1, positions="alibi", n_heads=2)
    rows = printed_matrix(reach_program(WORDS, config, seed=5, furthest=12), 13, alone=False)
    found = reach(WORDS, config, seed=5, furthest=12).norms
    expected = [
        found[name, stage] for name in ("Transformer", "LSTM", "RNN") for stage in ("initial", "trained")
    ]
    np.testing.assert_allclose(rows, expected, rtol=2e-5)
