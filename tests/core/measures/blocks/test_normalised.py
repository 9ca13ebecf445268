"""Layer norm of a model on a sentence: torch's own numbers, and no token knows of another."""

import numpy as np
import pytest
import torch
from torch import nn

from core.measures.blocks.norms import normalised, places
from core.model.config import NORMS, ModelConfig, Norm
from core.model.trace import Trace
from core.sources import load
from tests.covering import each

WORDS = ["the", "oven", "cooked", "the", "bread"]


def config(**fields: object) -> ModelConfig:
    return ModelConfig(vocab_size=1, **fields)  # type: ignore[arg-type]


@each("place", range(4))
def test_after_is_torchs_layer_norm_and_the_learned_one_goes_on_into_the_next_part(place: int) -> None:
    found = normalised(load("trained", config(), WORDS, 0), place=place)
    loaded, trace = load("trained", config(), WORDS, 0), Trace()
    loaded.model(loaded.tokens, trace=trace)
    layer, part = divmod(place, 2)
    entering = [trace["positions"], trace["blocks.0.mid"], trace["blocks.0.out"], trace["blocks.1.mid"]][
        place
    ]
    block = loaded.model.blocks[layer]
    ours = block.mlp_norm if part else block.attention_norm
    theirs = nn.LayerNorm(loaded.model.config.d_model)
    np.testing.assert_array_equal(found.before, entering[0].double().numpy())
    np.testing.assert_allclose(found.after, theirs(entering)[0].detach().numpy(), atol=1e-5)
    theirs.load_state_dict({"weight": ours.gain, "bias": ours.bias})
    np.testing.assert_allclose(found.learned, theirs(entering)[0].detach().numpy(), atol=1e-5)
    if part:
        hidden = block.mlp.expand(torch.tensor(found.learned).float()).relu()
        torch.testing.assert_close(hidden, trace[f"blocks.{layer}.mlp.hidden"][0])


@each("residual", [True, False])
@each("place", range(4))
def test_post_norm_stands_behind_the_sum(place: int, residual: bool) -> None:
    made = config(norm="post", residual=residual)
    found = normalised(load("random", made, WORDS, 3), place=place)
    loaded, trace = load("random", made, WORDS, 3), Trace()
    loaded.model(loaded.tokens, trace=trace)
    layer, part = divmod(place, 2)
    leaving = trace[f"blocks.{layer}.{'out' if part else 'mid'}"][0]
    np.testing.assert_allclose(found.learned, leaving.double().numpy(), atol=1e-5)


def test_without_layer_norm_the_plain_formula_is_shown() -> None:
    found = normalised(load("random", config(norm="none"), WORDS, 0), place=1)
    np.testing.assert_array_equal(found.after, found.learned)
    np.testing.assert_allclose(found.after.mean(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize("norm", NORMS)
def test_other_tokens_do_not_change_the_statistics_of_one(norm: Norm) -> None:
    plain, changed = (
        normalised(load("random", config(norm=norm), WORDS, 0), place=2, kept=kept) for kept in (None, 3)
    )
    assert plain.change(changed, 3) == 0
    assert all(plain.change(changed, other) > 0.1 for other in (0, 1, 2, 4))
    np.testing.assert_array_equal(changed.before[0], 3 * plain.before[0].astype(np.float32) + 1)
    np.testing.assert_array_equal(changed.learned[3], plain.learned[3])


def test_statistics_are_of_a_token_over_its_own_dimensions() -> None:
    found = normalised(load("random", config(), WORDS, 0), place=0)
    mean, deviation = found.statistics()["before"]
    d = found.before.shape[1]
    assert mean[1] == pytest.approx(sum(found.before[1]) / d)
    assert deviation[1] == pytest.approx((sum((x - mean[1]) ** 2 for x in found.before[1]) / d) ** 0.5)
    np.testing.assert_allclose(found.statistics()["after"][0], 0, atol=1e-6)
    np.testing.assert_allclose(found.statistics()["after"][1], 1, atol=1e-4)


def test_places_are_named_in_the_order_of_the_forward_pass() -> None:
    assert places(config()) == [
        "layer 1, before attention",
        "layer 1, before feed-forward",
        "layer 2, before attention",
        "layer 2, before feed-forward",
    ]
    assert places(config(norm="post", mlp=False, n_layers=1)) == ["layer 1, after attention"]
