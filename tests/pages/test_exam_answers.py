"""The numbers of the exam, right and mistaken ones, calculated without it."""

from math import exp, prod, sqrt

import numpy as np
import pytest
import torch

from pages.contract.question import Arrange, Estimate, Question, Sketch
from pages.contract.static_questions import EXAM
from tests.covering import each


def asked(name: str) -> Question:
    return EXAM[name].asked()


def estimate(name: str) -> Estimate:
    question = asked(name)
    assert isinstance(question, Estimate)
    return question


def mistaken(name: str) -> list[float]:
    return [value for value, _ in estimate(name).mistaken]


def softmax(*scores: float) -> list[float]:
    return [exp(score) / sum(map(exp, scores)) for score in scores]


def test_scores_of_144_dimensions_spread_three_times_as_far_as_of_16() -> None:
    random = np.random.default_rng(0)
    spread = [
        float((random.normal(size=(20_000, d)) * random.normal(size=(20_000, d))).sum(1).std())
        for d in (16, 144)
    ]
    assert spread == pytest.approx([4, 12], rel=0.03)
    assert "here from 4 to 12" in EXAM["a"].because
    scores = random.normal(size=(500, 8))
    weights = [np.exp(k * scores) / np.exp(k * scores).sum(1, keepdims=True) for k in spread]
    largest = [one.max(1).mean() for one in weights]
    gradient = [(one * (1 - one)).max(1).mean() for one in weights]
    assert largest[1] > 0.9 > largest[0], "one key gets nearly all"
    assert gradient[1] < 0.5 * gradient[0]


def test_a_masked_score_leaves_two_halves() -> None:
    drawn = asked("d")
    assert isinstance(drawn, Sketch)
    assert drawn.labels == ("hot", "tea", "now")
    without, zero = (bars for bars, _ in drawn.mistaken)
    assert drawn.right == pytest.approx(softmax(0, 0, float("-inf")))
    assert without == pytest.approx(softmax(0, 0, 3), abs=0.005)
    assert zero == pytest.approx(softmax(0, 0, 0), abs=0.001)


def test_heads_divide_the_weights_of_a_layer() -> None:
    d = int(sqrt(64))
    counts = [
        sum(p.numel() for p in torch.nn.MultiheadAttention(d, heads, bias=False).parameters())
        for heads in (1, 4)
    ]
    assert counts == [estimate("g").right] * 2
    assert mistaken("g") == [4 * 4 * d * d, 4 * d * d / 4]


def test_the_weight_by_hand() -> None:
    query, keys, d = np.array([1, 0]), np.array([[1, 0], [0, 1]]), 2
    dots = keys @ query
    assert softmax(*(dots / sqrt(d)))[0] == pytest.approx(estimate("i").right, abs=0.005)
    assert softmax(*(dots / sqrt(d)))[1] == pytest.approx(0.33, abs=0.005)
    assert mistaken("i") == pytest.approx(
        [softmax(*dots)[0], softmax(*(dots / d))[0], dots[0] / sqrt(d), 1, 0.5], abs=0.005
    )
    for power, said in ((0, "1"), (0.5, "1.65"), (0.71, "2.03"), (1, "2.72")):
        assert f"exp({power}) = {said}" in EXAM["i"].text
        assert exp(power) == pytest.approx(float(said), abs=0.005)


def test_the_gradient_along_a_cell_is_the_product_of_its_gates() -> None:
    gates = (1.0, 0.5, 1.0, 0.5)
    cell = torch.tensor(2.0, requires_grad=True)
    state = cell
    for gate in gates:
        state = gate * state + 0.3  # the input gate's addend does not depend on the cell
    (gradient,) = torch.autograd.grad(state, cell)
    assert float(gradient) == estimate("l").right == prod(gates)
    assert mistaken("l") == [sum(gates) / 4, sum(gates), min(gates), max(gates), 0]


@each("seed", range(1))
def test_the_likeliest_word_is_taken_more_often_the_lower_the_temperature(seed: int) -> None:
    logits = np.random.default_rng(seed).normal(size=20)
    shares = {
        "greedy decoding": 1.0,
        **{f"temperature {t:g}": max(softmax(*(logits / t))) for t in (0.5, 1, 2)},
    }
    question = asked("m")
    assert isinstance(question, Arrange)
    found = [question.items[at] for at in question.right]
    assert found == sorted(shares, key=lambda name: -shares[name])
