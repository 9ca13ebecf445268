"""The same sentence with 1, 2, 4 and 8 heads: every model's own patterns, and what it is known to do."""

import numpy as np
import pytest

from core.measures.distance.costs import transformer_parameters
from core.measures.heads.head_counts import PHENOMENA, read_with_each, records_table
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import UnavailableError
from core.sources.trained import trained_config
from tests.shelf import ACCURACIES, ACCURACY, LOSS

WORDS = ["Maria", "met", "Zuko", "near", "the", "stores"]
CONFIG = ModelConfig(vocab_size=1)


@pytest.mark.parametrize("source", ["trained", "random"])
def test_every_model_has_its_own_heads_and_nothing_beyond_them(source: str) -> None:
    found = read_with_each(WORDS, CONFIG, source=source, seed=3, layer=1)
    assert found.counts == (1, 2, 4, 8)
    assert found.patterns.shape == (4, 8, 6, 6)
    for row, n_heads in enumerate(found.counts):
        own = read(WORDS, ModelConfig(vocab_size=1, n_heads=n_heads), source=source, seed=3)
        np.testing.assert_array_equal(found.patterns[row, :n_heads], own.patterns()[1])
        assert np.isnan(found.patterns[row, n_heads:]).all()
    np.testing.assert_array_equal(found.allowed, np.tril(np.ones((6, 6), dtype=bool)))


def test_what_models_can_do_stands_in_their_records(noise_shelf: None) -> None:
    table = records_table(CONFIG, source="trained").set_index("heads")
    assert list(table.index) == [1, 2, 4, 8]
    assert set(table["task"]) == {ACCURACY}
    assert set(table["loss"]) == {LOSS}
    assert set(table["agreement"]) == {ACCURACIES["agreement"]}
    assert table["names"].isna().all()
    assert PHENOMENA == ("agreement", "names")


def test_random_models_and_missing_ones_have_no_records(empty_shelf: None) -> None:
    assert records_table(CONFIG, source="random").empty
    assert records_table(CONFIG, source="trained").empty
    with pytest.raises(UnavailableError, match="No model has been trained"):
        read_with_each(WORDS, CONFIG, source="trained", seed=0, layer=0)


def test_models_with_more_heads_have_as_many_weights() -> None:
    sizes = {
        sum(transformer_parameters(trained_config(ModelConfig(vocab_size=1, n_heads=k))).values())
        for k in (1, 2, 4, 8)
    }
    assert len(sizes) == 1
