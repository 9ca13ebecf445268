"""The gradient of the last block: worked out again by finite differences, falling with depth for pre-norm."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from core.measures.blocks.norms import DEPTHS, expected_of_pre, last_block_gradients
from core.model.config import NORMS, ModelConfig, Norm
from core.sources import LoadedModel
from core.sources.random_weights import fresh

WORDS = ("the", "oven", "cooked", "the", "bread", "so")
CONFIG = ModelConfig(vocab_size=1, d_model=8, n_heads=2)


def made(config: ModelConfig) -> LoadedModel:
    return fresh(config, WORDS, 5)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("mlp", [True, False])
def test_the_norm_is_that_of_finite_differences(norm: Norm, mlp: bool) -> None:
    config = replace(CONFIG, mlp=mlp)
    (found,) = last_block_gradients(made, config, norms=[norm], depths=[3])[norm]

    new = made(replace(config, norm=norm, n_layers=3))
    model, tokens, step = new.model.double(), new.tokens, 1e-6
    block = model.blocks[-1]
    weight = (block.mlp.contract if mlp else block.attention.output).weight  # type: ignore[union-attr]
    squares = 0.0
    with torch.no_grad():
        for at in np.ndindex(*weight.shape):  # type: ignore[arg-type]
            losses = []
            for sign in (1, -1):
                weight[at] += sign * step  # type: ignore[index, operator]
                losses.append(cross_entropy(model(tokens)[0, :-1], tokens[0, 1:]).item())
                weight[at] -= sign * step  # type: ignore[index, operator]
            squares += ((losses[0] - losses[1]) / (2 * step)) ** 2
    assert found == pytest.approx(squares**0.5, rel=1e-4)


@pytest.mark.long("several seeds: a law that holds for one of them by chance")
def test_over_some_seeds_it_falls_as_the_root_with_pre_norm_and_stays_with_post_norm() -> None:
    config = ModelConfig(vocab_size=1)
    found = [last_block_gradients(lambda c, s=seed: fresh(c, WORDS, s), config) for seed in range(3)]  # type: ignore[misc]
    pre, post = (np.exp(np.mean([np.log(one[norm]) for one in found], axis=0)) for norm in ("pre", "post"))  # type: ignore[index]
    np.testing.assert_allclose(pre / pre[0], expected_of_pre(DEPTHS, 1.0), atol=0.25)
    assert pre[-1] / pre[0] < 0.4 < 0.6 < post[-1] / post[0]


def test_without_a_norm_the_gradient_explodes_with_depth_and_with_one_it_does_not() -> None:
    config = ModelConfig(vocab_size=1)
    found = last_block_gradients(lambda one: fresh(one, WORDS, 0), config, norms=NORMS, depths=[2, 24])
    assert found["none"][1] > 1000 * found["none"][0]
    assert all(found[norm][1] < 10 * found[norm][0] for norm in ("pre", "post"))


@pytest.mark.parametrize("words", [["one"], ["one", "one"]])
def test_a_sentence_without_two_different_words_asks_nothing(words: list[str]) -> None:
    with pytest.raises(ValueError, match="two different words"):
        last_block_gradients(lambda one: fresh(one, words, 0), CONFIG)
