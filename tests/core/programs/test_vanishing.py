"""Programs about gradients print what the page shows, by ways of their own."""

import numpy as np

from core.learning.collection import take
from core.measures.distance.long_range import rivals
from core.measures.gradients.distance import norms_of, reach
from core.model.config import ModelConfig
from core.programs.vanishing import reach_program
from tests.programs import printed_matrix

WORDS = ("the", "key", "that", "the", "gardeners", "sold", "is", "xyzzy")


def test_how_far_words_reach_is_printed_to_six_digits() -> None:
    config = ModelConfig(vocab_size=1, positions="alibi", n_heads=2)
    rows = printed_matrix(reach_program(WORDS, config, seed=5, furthest=12), 13, alone=False)
    models = {network: take(name) for network, name in rivals("agreement", config).items()}
    found = reach(WORDS, models, seed=5, furthest=12, measure=norms_of).norms
    expected = [
        found[name, stage] for name in ("Transformer", "LSTM", "RNN") for stage in ("initial", "trained")
    ]
    np.testing.assert_allclose(rows, expected, rtol=2e-5)
