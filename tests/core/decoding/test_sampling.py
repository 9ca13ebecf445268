"""Words drawn by chance come as often as their probabilities say, within what temperature, k and p leave."""

import pytest
import torch

from core.decoding import Sampling, candidate_words, next_word_distribution, sample_by_inverse_cdf
from tests.covering import each

LOGITS = torch.tensor([0.3, -1.2, 2.1, 0.9, 0.9, -3.0, 1.7])


def test_logits_are_divided_by_the_temperature() -> None:
    expected = (LOGITS.double() / 0.3).exp() / (LOGITS.double() / 0.3).exp().sum()
    torch.testing.assert_close(next_word_distribution(LOGITS, Sampling(temperature=0.3)), expected)
    assert next_word_distribution(LOGITS, Sampling(temperature=1e-3)).argmax() == 2
    assert next_word_distribution(LOGITS, Sampling(temperature=1e-3)).max() > 0.999
    assert next_word_distribution(LOGITS, Sampling(temperature=1e4)).max() < 1 / 7 + 1e-3


@each(("top_k", "left"), [(1, {2}), (3, {2, 3, 6}), (99, set(range(7)))])
def test_top_k_leaves_the_likeliest_words_and_of_equals_the_first(top_k: int, left: set[int]) -> None:
    probabilities = next_word_distribution(LOGITS, Sampling(top_k=top_k))
    assert set(probabilities.nonzero().flatten().tolist()) == left
    assert probabilities.sum().item() == pytest.approx(1)


@each(
    ("top_p", "left"),
    [(0.01, {2}), (0.5, {2}), (0.51, {1, 2}), (0.8, {1, 2}), (0.81, {0, 1, 2}), (1.0, {0, 1, 2, 3})],
)
def test_top_p_leaves_the_fewest_words_whose_probability_reaches_it(top_p: float, left: set[int]) -> None:
    probabilities = torch.tensor([0.15, 0.3, 0.5, 0.05], dtype=torch.float64)
    found = candidate_words(probabilities, Sampling(top_p=top_p))
    assert set(found.nonzero().flatten().tolist()) == left


def test_of_many_equal_words_the_first_in_the_vocabulary_are_left() -> None:
    equal = torch.full((997,), 1 / 997, dtype=torch.float64)
    for sampling in (Sampling(top_k=5), Sampling(top_p=4.5 / 997)):
        assert candidate_words(equal, sampling).nonzero().flatten().tolist() == [0, 1, 2, 3, 4]


def test_top_p_applies_to_probabilities_after_the_temperature() -> None:
    logits = torch.tensor([0.5, 0.3, 0.2]).log()  # 66 % of the first at 0.5, and 42 % at 2
    cold, warm = (next_word_distribution(logits, Sampling(temperature=at, top_p=0.6)) for at in (0.5, 2.0))
    assert [len(one.nonzero()) for one in (cold, warm)] == [1, 2]


def test_a_draw_is_the_word_where_the_total_exceeds_the_chance() -> None:
    probabilities = torch.tensor([0.0, 0.25, 0.0, 0.75, 0.0], dtype=torch.float64)
    chances = {0.0: 1, 0.2499: 1, 0.25: 3, 0.9999999: 3, 1.0: 3}
    assert {chance: sample_by_inverse_cdf(probabilities, chance) for chance in chances} == chances


@each(
    ("options", "message"),
    [
        ({"temperature": 0.0}, "temperature must be above 0 and finite, got 0.0"),
        ({"temperature": float("inf")}, "temperature must be above 0 and finite, got inf"),
        ({"temperature": float("nan")}, "temperature must be above 0 and finite, got nan"),
        ({"top_k": 0}, "top_k must be at least 1, got 0"),
        ({"top_p": 0.0}, "top_p must be above 0 and at most 1, got 0.0"),
        ({"top_p": 1.5}, "top_p must be above 0 and at most 1, got 1.5"),
    ],
)
def test_bounds_that_leave_nothing_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sampling(**options)  # type: ignore[arg-type]
