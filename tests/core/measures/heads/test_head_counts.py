"""The same sentence with 1, 2, 4 and 8 heads: every model's own patterns, and what it is known to do."""

import numpy as np
import pytest

from core.measures.distance.costs import transformer_parameters
from core.measures.heads.several import PHENOMENA, read_with_each, records_table, with_each
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from core.sources.trained import trained_config
from tests.records import record_of

WORDS = ["Maria", "met", "Zuko", "near", "the", "stores"]
CONFIG = ModelConfig(vocab_size=1)


@pytest.mark.parametrize("source", ["trained", "random"])
def test_every_model_has_its_own_heads_and_nothing_beyond_them(source: str) -> None:
    found = read_with_each({n: load(source, one, WORDS, 3) for n, one in with_each(CONFIG).items()}, layer=1)
    assert found.counts == (1, 2, 4, 8)
    assert found.patterns.shape == (4, 8, 6, 6)
    for row, n_heads in enumerate(found.counts):
        own = read(load(source, ModelConfig(vocab_size=1, n_heads=n_heads), WORDS, 3))
        np.testing.assert_array_equal(found.patterns[row, :n_heads], own.patterns()[1])
        assert np.isnan(found.patterns[row, n_heads:]).all()
    np.testing.assert_array_equal(found.allowed, np.tril(np.ones((6, 6), dtype=bool)))


def test_what_models_can_do_stands_in_their_records() -> None:
    known = {2: 0.25, 8: 0.75}
    records = {
        n: record_of(CONFIG, loss=n / 7, accuracy=share, accuracies={"agreement": share / 2})
        for n, share in known.items()
    }
    table = records_table(records).set_index("heads")
    assert PHENOMENA == ("agreement", "names")
    assert table["loss"].to_dict() == {2: 2 / 7, 8: 8 / 7}
    assert table["task"].to_dict() == known
    assert table["agreement"].to_dict() == {2: 0.125, 8: 0.375}
    assert table["names"].isna().all()
    assert records_table({}).empty


def test_models_with_more_heads_have_as_many_weights() -> None:
    sizes = {
        sum(transformer_parameters(trained_config(ModelConfig(vocab_size=1, n_heads=k))).values())
        for k in (1, 2, 4, 8)
    }
    assert len(sizes) == 1
