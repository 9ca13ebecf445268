"""Heads knocked out alone or together: as in predictions and in models without their columns."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from core.measures.heads import effects as module
from core.measures.heads.effects import decisive_head, every_head, head_effects, max_tokens, state_changes
from core.measures.prediction import Head, divergence, predict
from core.model.blocks import Block
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.masks.combining import window_if_any
from core.sources import load
from tests.covering import each
from tests.real import N_HEADS, N_LAYERS, SOURCE, gpt2_folder, one_model

SIX = ("Maria", "met", "Zuko", "near", "the", "stores")


@pytest.mark.usefixtures("noise_shelf")
def test_no_other_head_moves_the_prediction_further() -> None:
    config = ModelConfig(vocab_size=1, n_heads=4)
    loaded, place = load("trained", config, SIX, 0), 3
    moved = head_effects(loaded, position=place).set_index(["layer", "head"])["divergence"]
    found = decisive_head(loaded, position=place)
    assert (found.layer + 1, found.head + 1) == moved.idxmax()
    assert found.n_heads == len(moved)
    assert_allclose(found.all_heads.log_probabilities, predict(loaded).log_probabilities)
    without = predict(loaded, silenced=[(found.layer, found.head)])
    assert_allclose(found.without.log_probabilities, without.log_probabilities)


WORDS = ("Maria", "met", "Zuko", "near", "the", "stores", "såg")


@pytest.mark.usefixtures("noise_shelf")
@each(("mask", "place", "window"), zip(MASKS, (0, 4, 6), (None, None, 1), strict=False))
def test_each_head_has_the_divergence_of_a_prediction_without_it(
    mask: str, place: int, window: int | None
) -> None:
    config = ModelConfig(vocab_size=1, mask=mask, n_heads=2)
    loaded = load("trained", config, WORDS, 0)
    found, before = head_effects(loaded, position=place, window=window), predict(loaded, window=window)
    assert [(row.layer, row.head) for row in found.itertuples()] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for row in found.itertuples():
        after = predict(loaded, silenced=[(row.layer - 1, row.head - 1)], window=window)
        assert row.divergence == pytest.approx(divergence(before, after, place), rel=1e-3, abs=1e-6)
    for layer in range(2):
        of_layer = head_effects(loaded, position=place, window=window, layer=layer)
        assert_allclose(of_layer, found[found["layer"] == layer + 1], atol=1e-7)


TEXT = "I don't think the cats run"
HEADS = [(layer, head) for layer in range(N_LAYERS) for head in range(N_HEADS)]


def states(
    words: tuple[str, ...], config: ModelConfig, silenced: Iterable[Head] = (), window: int | None = None
) -> np.ndarray:
    """Return the last states of a copy of the model whose output maps have no columns for these heads."""
    loaded = load(SOURCE, config, words, 0)
    model, d_head = deepcopy(loaded.model), config.d_head
    allowed = window_if_any(len(words), width=window)
    with torch.no_grad():
        for layer, head in silenced:
            model.blocks[layer].attention.output.weight[:, head * d_head : (head + 1) * d_head] = 0
        return model.states(loaded.tokens, allowed=allowed)[0].double().numpy()


def angle(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


@pytest.mark.usefixtures("tiny_model")
@each(("silenced", "window"), [([(1, 2)], 1), ([(0, 0), (0, 2), (1, 1)], None)])
def test_states_move_as_in_a_model_without_these_columns(silenced: list[Head], window: int | None) -> None:
    one = one_model(SOURCE)
    words = one.split(TEXT).texts
    found = state_changes(load(SOURCE, one.config, words, 0), silenced=silenced, window=window)
    before, after = (states(words, one.config, heads, window) for heads in ((), silenced))
    moved = [np.linalg.norm(b - a) / np.linalg.norm(a) for a, b in zip(before, after, strict=True)]
    assert_allclose(found.moved, moved, rtol=1e-3)
    assert_allclose(found.cosines, [angle(a, b) for a, b in zip(before, after, strict=True)], atol=1e-6)
    assert found.mean == pytest.approx(np.mean(moved), rel=1e-3)
    whole, less = before.mean(axis=0), after.mean(axis=0)
    assert found.sentence_moved == pytest.approx(
        np.linalg.norm(less - whole) / np.linalg.norm(whole), rel=1e-3
    )
    assert found.sentence_cosine == pytest.approx(angle(whole, less), abs=1e-6)
    assert not found.moved.flags.writeable


@each(("kind", "window"), [("bert", 1), ("gpt2", None)])
def test_every_head_alone_moves_them_as_it_does_when_it_is_chosen(
    kind: str, window: int | None, no_real_model: Path, tiny_model: Path
) -> None:
    source = SOURCE
    if kind == "gpt2":  # pre-norm, and causal: the norm after the last layer counts
        gpt2_folder(no_real_model / "second", trained_on=TEXT)
        source = "real/second"
    one = one_model(source)
    words = one.split(TEXT).texts
    table = every_head(load(source, one.config, words, 0), window=window)
    assert list(zip(table["layer"] - 1, table["head"] - 1, strict=True)) == HEADS
    expected = [
        state_changes(load(source, one.config, words, 0), silenced=[head], window=window).mean
        for head in HEADS
    ]
    assert_allclose(table["change"], expected, rtol=1e-3)
    assert table["change"].nunique() == len(HEADS)
    of_layer = every_head(load(source, one.config, words, 0), window=window, layer=1)
    assert_allclose(of_layer, table[table["layer"] == 2], rtol=1e-4)


@pytest.mark.usefixtures("tiny_model")
@each("changed", [{}, {"gated": True}, {"mlp": False}, {"n_kv_heads": 1}])
def test_the_limit_counts_the_multiplications_of_every_layer_that_is_computed(
    changed: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = replace(one_model(SOURCE).config, bias=False, norm="none", **changed)  # type: ignore[arg-type]
    with torch.device("meta"):
        per_block = sum(parameter.numel() for parameter in Block(config).parameters())
    # Both layers once, then both for each head of the first and one for each of the second.
    work = (N_LAYERS + N_HEADS * (2 + 1)) * per_block
    monkeypatch.setattr(module, "MOST_WORK", 41 * work)
    assert max_tokens(config) == 41
    # Both layers once, then both for each head of the first: no other layer takes longer.
    monkeypatch.setattr(module, "MOST_WORK", 41 * (N_LAYERS + N_HEADS * 2) * per_block)
    assert max_tokens(config, one_layer=True) == 41
