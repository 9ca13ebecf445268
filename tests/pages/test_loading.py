"""The shell loads for measures: the model of the switches, and of several those that are there."""

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.measures import long_reading
from core.measures import reading as readings
from core.measures.heads.several import configs_by_n_heads
from core.model.config import ModelConfig
from core.pretrained import library
from core.sources import UnavailableError, load
from pages.contract.loading import load_available, loaded, loaded_with_each
from pages.contract.scene import reading
from pages.contract.switches import Architecture
from tests.real import SOURCE, one_model
from tests.shelf import SpoiltShelf

WORDS = ("Zuko", "made", "tea")
SWITCHES = Architecture(config=ModelConfig(vocab_size=1), source="trained", seed=3)


def test_the_switches_choose_the_model_with_its_words() -> None:
    for source in ("random", "trained"):
        found = loaded(WORDS, replace(SWITCHES, source=source))
        assert found.words == WORDS
        assert found.model is load(source, SWITCHES.config, WORDS, 3).model


@pytest.mark.parametrize("is_long", [False, True])
def test_a_reading_that_is_kept_lets_its_model_make_room(
    is_long: bool, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "LARGEST_WHOLE", 0)
    monkeypatch.setattr(long_reading, "LONG", 0 if is_long else 256)
    one = one_model(SOURCE)
    found = reading(one.split("the cats").texts, Architecture(config=one.config, source=SOURCE, seed=0))
    before, model = found.head(1, 2).scores, weakref.ref(library.load_cached(tiny_model).stack)
    found.head(0, 0)
    library.forget_all()
    gc.collect()
    assert model() is None
    np.testing.assert_array_equal(found.head(1, 2).scores, before)


def test_models_that_are_not_there_are_left_out(spoilt_shelf: SpoiltShelf) -> None:
    spoilt_shelf.lose("causal-sinusoidal-2-pre.safetensors")
    found = loaded_with_each(WORDS, SWITCHES, configs_by_n_heads(SWITCHES.config))
    assert {n_heads: one.model.config.n_heads for n_heads, one in found.items()} == {1: 1, 4: 4, 8: 8}


def test_only_unavailable_models_are_left_out() -> None:
    def take(number: int) -> int:
        if number == 2:
            raise UnavailableError("not trained")
        return 10 // number

    assert load_available(take, {"a": 1, "b": 2, "c": 5}) == {"a": 10, "c": 2}
    with pytest.raises(ZeroDivisionError):
        load_available(take, {"d": 0})
