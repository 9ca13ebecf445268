"""Slopes of linear bias by hand, and what it makes of the weights where nothing else decides."""

import math
from itertools import pairwise

import pytest

from core.measures.positions import schemes as linear
from tests.covering import each


@each("n_heads", [1, 2, 4, 8])
def test_the_slopes_are_those_of_alibi(n_heads: int) -> None:
    assert linear.slopes(n_heads) == [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]


def test_a_bias_alone_gives_each_word_back_a_fixed_share_of_the_one_before_it() -> None:
    weights = linear.alone(7, 0.5)
    assert weights.sum() == pytest.approx(1)
    assert weights[0] == weights.max()
    for nearer, further in pairwise(weights):
        assert further / nearer == pytest.approx(math.exp(-0.5))
