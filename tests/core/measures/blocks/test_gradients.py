"""Gradients before training are those of torch's own layers, for every placement of the norm."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core.measures.blocks.gradients import DEPTHS, gradients_at_start
from core.model.config import NORMS, ModelConfig, Norm
from core.model.norm import layer_norm
from core.sources import load
from core.sources.random_weights import fresh
from tests.core.references import torchs_block

WORDS = ["the", "oven", "cooked", "the", "bread", "so"]
CONFIG = ModelConfig(vocab_size=1, d_model=22, n_heads=11, d_mlp=17, positions="learned")
DEPTH, SEED = 3, 7


@pytest.mark.parametrize("depth", [DEPTH, DEPTHS[-1]])
@pytest.mark.parametrize("norm", NORMS)
def test_the_gradient_of_every_block_is_that_of_torchs_layers_in_double_precision(
    norm: Norm, depth: int
) -> None:
    found = gradients_at_start(lambda one: fresh(one, WORDS, SEED), CONFIG, n_layers=depth, norms=[norm])[
        norm
    ]

    # A fresh block has gains 1 and biases 0, so one with norms lends its matrices to all three.
    own = replace(CONFIG, n_layers=depth, norm="post" if norm == "post" else "pre")
    loaded = load("random", own, WORDS, SEED)
    model = deepcopy(loaded.model).double()
    layers = [torchs_block(block, own).double().train() for block in model.blocks]
    if norm == "none":
        for layer in layers:
            layer.norm1, layer.norm2 = nn.Identity(), nn.Identity()
    x = model.positions.embed(model.embed(loaded.tokens))
    hidden = torch.ones(len(WORDS), len(WORDS), dtype=torch.bool).triu(1)
    for layer in layers:
        x = layer(x, src_mask=hidden)
    states = layer_norm(x) if norm == "pre" else x
    logits = states[0] @ model.unembed.weight.T
    loss = nn.functional.cross_entropy(logits[:-1], loaded.tokens[0, 1:])
    loss.backward()

    assert found.loss == pytest.approx(loss.item(), rel=1e-9)
    lengths = [
        torch.cat([p.grad.flatten() for p in layer.parameters() if p.ndim == 2]).norm().item()
        for layer in layers
    ]
    # Without a norm 24 blocks multiply a rounding error by 10¹¹: torch's layers add up in another order.
    np.testing.assert_allclose(found.blocks, lengths, rtol=1e-3 if (norm, depth) == ("none", 24) else 1e-7)


def test_without_a_norm_the_gradient_explodes_with_depth_and_with_one_it_does_not() -> None:
    config = ModelConfig(vocab_size=1)
    largest = {
        depth: {
            norm: found.blocks.max()
            for norm, found in gradients_at_start(
                lambda one: fresh(one, WORDS, 0), config, n_layers=depth
            ).items()
        }
        for depth in DEPTHS[::2]
    }
    shallow, _, deep = largest.values()
    assert deep["none"] > 10_000 * shallow["none"]
    assert all(deep[norm] < 10 * shallow[norm] for norm in ("pre", "post"))


def test_the_last_block_of_a_deeper_model_has_less_gradient_under_pre_norm_and_not_under_post_norm() -> None:
    config, last = ModelConfig(vocab_size=1), {}
    for depth in (DEPTHS[0], DEPTHS[-1]):
        for norm, found in gradients_at_start(
            lambda one: fresh(one, WORDS, 0), config, n_layers=depth
        ).items():
            last[norm, depth] = found.blocks[-1]
    assert last["pre", DEPTHS[-1]] < last["pre", DEPTHS[0]] / 2
    assert last["post", DEPTHS[-1]] > last["post", DEPTHS[0]] / 2


def test_what_is_found_of_one_placement_is_the_same_without_the_others() -> None:
    every = gradients_at_start(lambda one: fresh(one, WORDS, SEED), CONFIG, n_layers=DEPTH)
    alone = gradients_at_start(lambda one: fresh(one, WORDS, SEED), CONFIG, n_layers=DEPTH, norms=["post"])
    assert list(alone) == ["post"]
    assert alone["post"].blocks.tolist() == every["post"].blocks.tolist()


@pytest.mark.parametrize("words", [["one"], ["one", "one"]])
def test_a_sentence_without_two_different_words_asks_nothing(words: list[str]) -> None:
    with pytest.raises(ValueError, match="two different words"):
        gradients_at_start(lambda one: fresh(one, words, 0), CONFIG, n_layers=2)
