"""Two layers of attention are one, by the sums of the note's eq 14 written out, and not with ReLU between."""

import numpy as np
import pytest
import torch

from core.measures.blocks.parts import SAME, largest_difference, two_layers
from core.model.config import ModelConfig
from core.model.trace import Trace
from core.sources import load
from tests.covering import each

WORDS = ["the", "oven", "cooked", "the", "bread"]
CONFIG = ModelConfig(vocab_size=1, d_model=14, n_heads=7, d_mlp=17, n_layers=3)


@pytest.mark.parametrize("head", [0, 6])
def test_the_result_is_the_double_sum_of_the_note(head: int) -> None:
    both = two_layers(load("random", CONFIG, WORDS, 1), head=head)
    n = len(WORDS)
    expected = [
        sum(
            both.a2[i, j] * (both.a1[j, k] * both.x[k] @ both.v1) @ both.v2
            for j in range(n)
            for k in range(n)
        )
        for i in range(n)
    ]
    np.testing.assert_allclose(both.in_turn(), expected, atol=1e-12)
    np.testing.assert_allclose(both.at_once(), expected, atol=1e-5)
    assert largest_difference(both.in_turn(), both.at_once()) < SAME


@each("source", ["trained", "random"])
@each("norm", ["pre", "post"])
@each("mask", ["causal", "bidirectional"])
def test_with_relu_between_or_taken_apart_it_is_another_result(source: str, norm: str, mask: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, mask=mask)  # type: ignore[arg-type]
    both = two_layers(load(source, config, WORDS, 0), head=2)
    in_turn = both.in_turn()
    assert largest_difference(in_turn, both.at_once()) < SAME
    assert largest_difference(in_turn, both.with_relu()) > 0.01
    assert largest_difference(in_turn, both.factorised()) > 0.01


def test_the_product_of_the_weights_is_weights() -> None:
    both = two_layers(load("random", CONFIG, WORDS, 1), head=3)
    np.testing.assert_allclose(both.weights.sum(axis=1), 1)
    assert (both.weights >= 0).all()
    assert np.triu(both.weights, 1).max() == 0, "two causal layers are a causal one"


def test_weights_and_maps_are_those_of_the_model() -> None:
    config = ModelConfig(vocab_size=1, d_model=14, n_heads=7, norm="none", mlp=False, bias=False)
    loaded, trace = load("random", config, WORDS, 3), Trace()
    loaded.model(loaded.tokens, trace=trace)
    heads = [two_layers(load("random", config, WORDS, 3), head=head) for head in range(7)]
    out = sum(one.a1 @ one.x @ one.v1 for one in heads)
    np.testing.assert_allclose(out, trace["blocks.0.attention.out"][0].numpy(), atol=1e-5)
    second = sum(one.a2 @ trace["blocks.0.out"][0].double().numpy() @ one.v2 for one in heads)
    np.testing.assert_allclose(second, trace["blocks.1.attention.out"][0].numpy(), atol=1e-5)
    torch.testing.assert_close(torch.tensor(heads[0].x).float(), trace["positions"][0])


def test_one_layer_cannot_be_two() -> None:
    with pytest.raises(ValueError, match="two layers at least, got 1"):
        two_layers(load("random", ModelConfig(vocab_size=1, n_layers=1), WORDS, 0), head=0)
