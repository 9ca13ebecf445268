"""Linear bias in both forms by hand, and what it makes of the weights where nothing else decides."""

import math
from itertools import pairwise

import pytest

from core.measures.positions import alibi as linear
from tests.covering import each


def test_the_form_of_the_note_has_slope_1_and_ends_at_minus_n_minus_1_minus_i() -> None:
    bias = linear.bias(5, linear.NOTE_SLOPE)
    for i in range(5):
        assert bias[i].tolist() == [-abs(i - j) for j in range(5)]
        assert bias[i, -1] == -(5 - 1 - i)


@each("n_heads", [1, 2, 4, 8])
def test_the_slopes_are_those_of_alibi(n_heads: int) -> None:
    assert linear.slopes(n_heads) == [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]


def test_the_bias_of_a_head_is_the_distance_times_its_slope() -> None:
    assert linear.bias(3, 0.25).tolist() == [[0, -0.25, -0.5], [-0.25, 0, -0.25], [-0.5, -0.25, 0]]


def test_a_bias_alone_gives_each_word_back_a_fixed_share_of_the_one_before_it() -> None:
    weights = linear.alone(7, 0.5)
    assert weights.sum() == pytest.approx(1)
    assert weights[0] == weights.max()
    for nearer, further in pairwise(weights):
        assert further / nearer == pytest.approx(math.exp(-0.5))
