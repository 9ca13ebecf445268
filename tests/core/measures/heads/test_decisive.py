"""The head that a prediction depends on most: no other one moves it further when it is knocked out."""

import pytest
from numpy.testing import assert_allclose

from core.measures.heads.effects import decisive_head
from core.measures.prediction import divergence, predict
from core.model.config import ModelConfig
from core.sources import load

pytestmark = pytest.mark.usefixtures("noise_shelf")

WORDS = ("Maria", "met", "Zuko", "near", "the", "stores")


def test_no_other_head_moves_the_prediction_further() -> None:
    config = ModelConfig(vocab_size=1, n_heads=4)
    loaded, place = load("trained", config, WORDS, 0), 3
    before = predict(loaded)
    moved = {
        (layer, head): divergence(before, predict(loaded, silenced=[(layer, head)]), place)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    }
    found = decisive_head(loaded, position=place)

    assert (found.layer, found.head) == max(moved, key=lambda one: moved[one])
    assert found.n_heads == len(moved)
    assert_allclose(found.divergence, max(moved.values()), rtol=1e-4)
    assert_allclose(found.all_heads.log_probabilities, before.log_probabilities)
    without = predict(loaded, silenced=[(found.layer, found.head)])
    assert_allclose(found.without.log_probabilities, without.log_probabilities)
