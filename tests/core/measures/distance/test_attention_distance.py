"""Mean attention distance, by hand."""

import numpy as np

from core.measures.distance.attention_distance import mean_attention_distance


def test_the_mean_attention_distance_weighs_each_word_looked_at() -> None:
    pattern = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])
    assert mean_attention_distance(pattern) == (0 + 0.5 + 0.75) / 3
