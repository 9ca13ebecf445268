"""A word's vector taken out changes its own feed-forward output only, and attention's where it was seen."""

import numpy as np
import pytest
import torch

from core.measures.blocks.parts import elsewhere, output_changes
from core.model.config import NORMS, ModelConfig
from core.model.trace import Trace
from core.sources import load
from tests.covering import each

WORDS = ["the", "oven", "cooked", "the", "bread"]


@each("mask", ["causal", "bidirectional"])
@each("norm", NORMS)
@each("place", [0, 3])
def test_the_feed_forward_layer_acts_on_each_position_alone(place: int, norm: str, mask: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, mask=mask)  # type: ignore[arg-type]
    found = output_changes(load("random", config, WORDS, 2), layer=1, position=place)
    assert [at for at in range(5) if found.feed_forward[at] != 0] == [place]
    first_changed = place if mask == "causal" else 0
    assert [at for at in range(5) if found.attention[at] != 0] == list(range(first_changed, 5))


@each("norm", NORMS)
@each("layer", [0, 1])
def test_changes_are_those_of_the_formula_on_what_enters_in_the_model(layer: int, norm: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, positions="learned")  # type: ignore[arg-type]
    found = output_changes(load("random", config, WORDS, 2), layer=layer, position=1)
    loaded, trace = load("random", config, WORDS, 2), Trace()
    loaded.model(loaded.tokens, trace=trace)
    block = loaded.model.blocks[layer]
    before = trace[f"blocks.{layer}.mlp.out"][0, 1]
    without = block.mlp.contract(block.mlp.expand(torch.zeros_like(before)).relu())
    expected = (without - before).norm() / before.norm()
    np.testing.assert_allclose(found.feed_forward[1], expected.item(), rtol=1e-5)

    pattern, v = (trace[f"blocks.{layer}.attention.{name}"][0] for name in ("pattern", "v"))
    scores = trace[f"blocks.{layer}.attention.scores"][0].clone()
    scores[:, :, 1] = 0  # the dot product with a zero key
    last = scores[:, 4].softmax(-1)
    assert torch.allclose(trace[f"blocks.{layer}.attention.scores"][0][:, 4].softmax(-1), pattern[:, 4])
    values = v.clone()
    values[:, 1] = 0
    was, now = (
        (weights[:, None] @ one)[:, 0].flatten() for weights, one in ((pattern[:, 4], v), (last, values))
    )
    change = block.attention.output(now) - block.attention.output(was)
    expected = change.norm() / block.attention.output(was).norm()
    np.testing.assert_allclose(found.attention[4], expected.item(), rtol=1e-4)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_what_enters_a_trained_feed_forward_layer_is_what_enters_it_in_the_model(norm: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, positions="learned")  # type: ignore[arg-type]
    found = output_changes(load("trained", config, WORDS, 0), layer=1, position=1)
    loaded, trace = load("trained", config, WORDS, 0), Trace()
    loaded.model(loaded.tokens, trace=trace)
    mlp, before = loaded.model.blocks[1].mlp, trace["blocks.1.mlp.out"][0, 1]
    change = mlp.contract(mlp.expand.bias.relu()) - before
    np.testing.assert_allclose(found.feed_forward[1], (change.norm() / before.norm()).item(), rtol=1e-4)


def test_without_feed_forward_layers_there_is_nothing_to_measure() -> None:
    with pytest.raises(ValueError, match="mlp=False"):
        output_changes(load("random", ModelConfig(vocab_size=1, mlp=False), WORDS, 0), layer=0, position=0)


def test_what_changes_elsewhere_leaves_the_place_itself_out() -> None:
    assert elsewhere(np.array([0.0, 0.25, 9.0, 0.5]), 2) == (2, 0.5)
    assert elsewhere(np.array([0.0, 9.0]), 1) == (0, 0.0)
    assert elsewhere(np.array([9.0]), 0) == (0, 0.0)
