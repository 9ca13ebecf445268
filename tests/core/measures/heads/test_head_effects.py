"""Every head knocked out alone, in one pass: the same as one after the other, by its columns set to zero."""

from copy import deepcopy

import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn.functional import kl_div

from core.measures.heads.effects import head_effects
from core.measures.prediction import divergence, predict
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.masks.combining import window_if_any
from core.sources import load
from core.text.language import MASK

pytestmark = pytest.mark.usefixtures("noise_shelf")

WORDS = ("Maria", "met", "Zuko", "near", "the", "stores", "såg")


@pytest.mark.parametrize(("place", "window"), [(0, None), (4, None), (6, 1)])
@pytest.mark.parametrize("mask", MASKS)
def test_each_head_has_the_divergence_of_a_model_without_its_columns(
    mask: str, place: int, window: int | None
) -> None:
    config = ModelConfig(vocab_size=1, mask=mask, n_heads=2)
    found = head_effects(load("trained", config, WORDS, 0), position=place, window=window)

    loaded = load("trained", config, WORDS, 0)
    tokens = loaded.tokens.clone()
    if config.objective == "masked word":
        tokens[0, place] = loaded.vocabulary.encode([MASK]).item()
    allowed = window_if_any(len(WORDS), width=window)
    before = loaded.model(tokens, allowed=allowed)[0, place].log_softmax(-1)
    assert [(row.layer, row.head) for row in found.itertuples()] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for row in found.itertuples():
        model, d_head = deepcopy(loaded.model), loaded.model.config.d_head
        columns = model.blocks[row.layer - 1].attention.output.weight
        with torch.no_grad():
            columns[:, (row.head - 1) * d_head : row.head * d_head] = 0
        after = model(tokens, allowed=allowed)[0, place].log_softmax(-1)
        expected = kl_div(after, before, reduction="sum", log_target=True).item()
        assert row.divergence == pytest.approx(expected, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("mask", MASKS)
def test_the_divergences_are_those_of_knocking_out_one_head_after_the_other(mask: str) -> None:
    config = ModelConfig(vocab_size=1, mask=mask, positions="rotary")
    before = predict(load("trained", config, WORDS, 0))
    expected = [
        divergence(before, predict(load("trained", config, WORDS, 0), silenced={(layer, head)}), 3)
        for layer in range(2)
        for head in range(4)
    ]
    found = head_effects(load("trained", config, WORDS, 0), position=3)["divergence"]
    assert_allclose(found, expected, rtol=1e-3, atol=1e-6)
    assert found.nunique() == 8
