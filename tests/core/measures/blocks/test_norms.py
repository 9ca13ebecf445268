"""Layer norm: torch's numbers, gradients by finite differences, and the training loop's own losses."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import nan

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from core.learning.tasks import NEXT_WORD, chance
from core.learning.training import Training
from core.measures.blocks import norms as module
from core.measures.blocks.norms import (
    AVERAGED,
    DEPTHS,
    POST,
    POST_WARM,
    PRE,
    PRE_BARE,
    RECIPE,
    SETTINGS,
    STEPS,
    Loss,
    expected_of_pre,
    last_block_gradients,
    last_losses,
    normalised,
    read_shipped_losses,
    short_training,
)
from core.model.config import NORMS, ModelConfig, Norm
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.trace import Trace
from core.sources import LoadedModel, load
from core.sources.random_weights import fresh
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


@each(("place", "residual"), [(0, True), (3, False)])
def test_post_norm_stands_behind_the_sum(place: int, residual: bool) -> None:
    made = config(norm="post", residual=residual)
    found = normalised(load("random", made, WORDS, 3), place=place)
    loaded, trace = load("random", made, WORDS, 3), Trace()
    loaded.model(loaded.tokens, trace=trace)
    layer, part = divmod(place, 2)
    leaving = trace[f"blocks.{layer}.{'out' if part else 'mid'}"][0]
    np.testing.assert_allclose(found.learned, leaving.double().numpy(), atol=1e-5)


@each("norm", NORMS)
def test_other_tokens_do_not_change_the_statistics_of_one(norm: Norm) -> None:
    plain, changed = (
        normalised(load("random", config(norm=norm), WORDS, 0), place=2, kept=kept) for kept in (None, 3)
    )
    assert plain.change(changed, 3) == 0
    assert all(plain.change(changed, other) > 0.1 for other in (0, 1, 2, 4))
    np.testing.assert_array_equal(changed.before[0], 3 * plain.before[0].astype(np.float32) + 1)
    np.testing.assert_array_equal(changed.learned[3], plain.learned[3])


SIX = ("the", "oven", "cooked", "the", "bread", "so")
SMALL = ModelConfig(vocab_size=1, d_model=8, n_heads=2, d_mlp=5)


def made(config: ModelConfig) -> LoadedModel:
    return fresh(config, SIX, 5)


@each("norms", [NORMS, NORMS[::-1]])
@each("options", [{}, {"mlp": False}, {"residual": False}])
def test_the_norm_is_the_gradients_in_a_separate_model_of_each_depth_and_norm(
    options: dict[str, bool], norms: Sequence[Norm]
) -> None:
    config = replace(SMALL, **options)  # type: ignore[arg-type]
    found = last_block_gradients(made, config, norms=norms, depths=[1, 3])
    for norm, i in product(norms, range(2)):
        new = made(replace(config, norm=norm, n_layers=(1, 3)[i]))
        model, tokens = new.model.double(), new.tokens
        cross_entropy(model(tokens)[0, :-1], tokens[0, 1:]).backward()
        last = model.blocks[-1]
        linear = last.mlp.contract if config.mlp else last.attention.output  # type: ignore[union-attr]
        assert found[norm][i] == pytest.approx(float(linear.weight.grad.norm()), rel=1e-12)


@pytest.mark.long("several seeds: a law that holds for one of them by chance")
def test_over_some_seeds_it_falls_as_the_root_with_pre_norm_and_stays_with_post_norm() -> None:
    config = ModelConfig(vocab_size=1)
    found = [last_block_gradients(lambda c, s=seed: fresh(c, SIX, s), config) for seed in range(3)]  # type: ignore[misc]
    pre, post = (np.exp(np.mean([np.log(one[norm]) for one in found], axis=0)) for norm in ("pre", "post"))  # type: ignore[index]
    np.testing.assert_allclose(pre / pre[0], expected_of_pre(DEPTHS, 1.0), atol=0.25)
    assert pre[-1] / pre[0] < 0.4 < 0.6 < post[-1] / post[0]


@each("words", [["one"], ["one", "one"]])
def test_a_sentence_without_two_different_words_asks_nothing(words: list[str]) -> None:
    with pytest.raises(ValueError, match="two different words"):
        last_block_gradients(lambda one: fresh(one, words, 0), SMALL)


BIDIRECTIONAL = ModelConfig(vocab_size=1, mask="bidirectional")


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECIPE", replace(RECIPE, steps=3, batch_size=4))


def test_losses_agree_with_the_training_loop() -> None:
    losses = list(short_training(BIDIRECTIONAL, n_layers=3, seed=5))

    assert [(one.norm, one.step) for one in losses] == [(norm, step) for norm in NORMS for step in (1, 2, 3)]
    vocab_size = len(NEXT_WORD.vocabulary())
    model = Transformer(ModelConfig(vocab_size=vocab_size, d_model=32, n_layers=3, norm="post", tied=True))
    initialise(model, seed=5)
    steps = Training(model, NEXT_WORD, replace(module.RECIPE, seed=5)).steps()
    assert [one.loss for one in losses[3:6]] == pytest.approx([step.loss for step in steps], rel=1e-5)


def test_the_last_steps_of_each_model_are_averaged() -> None:
    steps = range(module.RECIPE.steps - module.LAST - 1, module.RECIPE.steps + 1)
    losses = [Loss("pre", step, float(step == steps[-1])) for step in steps]
    losses += [Loss("post", step, 100.0 if step <= steps[1] else 7.0) for step in steps]
    losses += [Loss("none", step, nan if step == steps[4] else 1.0) for step in steps]
    found = last_losses(losses)
    assert found == pytest.approx({"pre": 1 / module.LAST, "post": 7.0, "none": nan}, nan_ok=True)


def test_the_file_has_every_training_to_its_end() -> None:
    assert {name: len(losses) for name, losses in read_shipped_losses().items()} == dict.fromkeys(
        SETTINGS, STEPS // AVERAGED
    )


def test_without_residual_connections_little_more_than_the_word_frequencies_is_learned() -> None:
    last = {name: losses[-1] for name, losses in read_shipped_losses().items()}
    assert last[PRE_BARE] > chance(NEXT_WORD).loss - 0.3
    assert last[PRE] < chance(NEXT_WORD).loss - 1.5
    assert last[POST_WARM] < last[POST] - 0.8
