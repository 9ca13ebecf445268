"""Parts of a block: two layers as one, one position alone, and lengths of the residual stream."""

import numpy as np
import pytest
import torch

from core.measures.blocks.parts import SAME, elsewhere, largest_difference, output_changes, stream, two_layers
from core.model.config import NORMS, ModelConfig
from core.model.trace import Trace
from core.sources import load
from tests.covering import each

WORDS = ["the", "oven", "cooked", "the", "bread"]
CONFIG = ModelConfig(vocab_size=1, d_model=14, n_heads=7, d_mlp=17, n_layers=3)


def test_the_result_is_the_double_sum_of_the_note() -> None:
    both = two_layers(load("random", CONFIG, WORDS, 1), head=6)
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


@each(("source", "norm", "mask"), [("trained", "pre", "causal"), ("random", "post", "bidirectional")])
def test_with_relu_between_or_taken_apart_it_is_another_result(source: str, norm: str, mask: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, mask=mask)  # type: ignore[arg-type]
    both = two_layers(load(source, config, WORDS, 0), head=2)
    in_turn = both.in_turn()
    assert largest_difference(in_turn, both.at_once()) < SAME
    assert largest_difference(in_turn, both.with_relu()) > 0.01
    assert largest_difference(in_turn, both.factorised()) > 0.01


def test_weights_and_maps_agree_with_the_model() -> None:
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


@each(("place", "norm", "mask"), [(0, "pre", "bidirectional"), (3, "post", "causal"), (3, "none", "causal")])
def test_the_feed_forward_layer_acts_on_each_position_alone(place: int, norm: str, mask: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, mask=mask)  # type: ignore[arg-type]
    found = output_changes(load("random", config, WORDS, 2), layer=1, position=place)
    assert [at for at in range(5) if found.feed_forward[at] != 0] == [place]
    first_changed = place if mask == "causal" else 0
    assert [at for at in range(5) if found.attention[at] != 0] == list(range(first_changed, 5))


@each(("layer", "norm"), [(0, "pre"), (1, "post"), (1, "none")])
def test_changes_agree_with_the_formula_on_the_models_inputs(layer: int, norm: str) -> None:
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


def test_without_feed_forward_layers_there_is_nothing_to_measure() -> None:
    with pytest.raises(ValueError, match="mlp=False"):
        output_changes(load("random", ModelConfig(vocab_size=1, mlp=False), WORDS, 0), layer=0, position=0)


def test_changes_elsewhere_exclude_the_place_itself() -> None:
    assert elsewhere(np.array([0.0, 0.25, 9.0, 0.5]), 2) == (2, 0.5)
    assert elsewhere(np.array([0.0, 9.0]), 1) == (0, 0.0)
    assert elsewhere(np.array([9.0]), 0) == (0, 0.0)


@each("norm", NORMS)
def test_lengths_and_shares_agree_with_the_recorded_vectors(norm: str) -> None:
    config = ModelConfig(vocab_size=1, n_layers=3, norm=norm)  # type: ignore[arg-type]
    found = stream(load("random", config, WORDS, 4))
    loaded, trace = load("random", config, WORDS, 4), Trace()
    loaded.model(loaded.tokens, trace=trace)

    vectors = [trace["positions"], *(trace[f"blocks.{i}.out"] for i in range(3))]
    expected = np.sqrt(np.stack([(one[0].double().numpy() ** 2).sum(axis=1) for one in vectors], axis=1))
    np.testing.assert_allclose(found.lengths, expected, rtol=1e-5)
    np.testing.assert_allclose(found.mean_lengths(), expected.mean(axis=0), rtol=1e-5)
    assert found.parts == tuple(f"{part} {i}" for i in (1, 2, 3) for part in ("attention", "feed-forward"))
    second = (trace["blocks.1.attention.out"].norm(dim=-1) / trace["blocks.0.out"].norm(dim=-1))[0]
    np.testing.assert_allclose(found.added[:, 2], second, rtol=1e-5)
    last = (trace["blocks.2.mlp.out"].norm(dim=-1) / trace["blocks.2.mid"].norm(dim=-1))[0]
    np.testing.assert_allclose(found.added[:, 5], last, rtol=1e-5)
