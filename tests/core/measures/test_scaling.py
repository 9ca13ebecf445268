"""Scaling: dot products stray as the root of their length, and softmax loses its gradient."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.measures import scaling
from core.measures.heads.several import configs_by_n_heads
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from tests.covering import each

CONFIG = ModelConfig(vocab_size=1)
WORDS = ["Maria", "met", "Zuko", "near", "the", "stores", "and", "Zuko", "praised", "Maria", "."]


def test_dot_products_stray_as_the_root_of_their_length_and_the_division_stops_it() -> None:
    table = scaling.growth_table(7)
    assert list(table["dimensions"].unique()) == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
    spread = table.pivot(index="dimensions", columns="scores", values="spread")
    np.testing.assert_allclose(spread[scaling.PLAIN], np.sqrt(spread.index), rtol=0.06)
    np.testing.assert_allclose(spread[scaling.BY_ROOT_D], 1, rtol=0.06)


def test_a_longer_vector_goes_on_where_the_shorter_one_ends() -> None:
    words = ["a", "b", "a"]
    dots = {d: scaling.word_dots(words, 1, d, seed=3) for d in (2, 4)}
    q, key = (
        scaling.normal([1024], seed=3, name=f"{what} {word}") for what, word in [("query", "b"), ("key", "a")]
    )
    assert dots[2][0] == pytest.approx(float(q[:2] @ key[:2]), rel=1e-5)
    assert dots[4][0] == pytest.approx(float(q[:4] @ key[:4]), rel=1e-5)
    assert dots[2][0] == dots[2][2]
    rows = scaling.word_rows(words, 1, 4, seed=3)
    np.testing.assert_allclose(rows[1], torch.tensor(dots[4] / 2).softmax(-1))


def test_the_spread_of_a_layer_is_the_spread_of_its_rows_without_their_means() -> None:
    reading = read(load("random", CONFIG, WORDS, 0))
    deviations = []
    for head in range(4):
        dots = reading.head(1, head).dots
        for query in range(1, len(WORDS)):
            seen = dots[query, : query + 1]
            deviations.extend(seen - seen.mean())
    assert scaling.spread_within_rows(reading, 1) == pytest.approx(np.std(deviations), rel=1e-5)
    assert np.isnan(scaling.spread_within_rows(read(load("random", CONFIG, ["one"], 0)), 0))


def test_random_heads_need_the_root_of_their_own_width() -> None:
    table = scaling.heads_table(
        [load("random", one, WORDS * 5, 0) for one in configs_by_n_heads(CONFIG).values()], layer=0
    )
    spread = table.pivot(index="heads", columns="scores", values="spread")
    assert spread[scaling.BY_ROOT_D_HEAD].between(0.7, 1.2).all()
    np.testing.assert_allclose(
        spread[scaling.BY_ROOT_D] * np.sqrt(spread.index), spread[scaling.BY_ROOT_D_HEAD]
    )
    np.testing.assert_allclose(spread[scaling.PLAIN] / 8, spread[scaling.BY_ROOT_D])


@each("positions", ["sinusoidal", "alibi"])
def test_the_division_by_the_heads_own_root_gives_the_models_weights(positions: str) -> None:
    reading = read(load("random", replace(CONFIG, positions=positions), WORDS, 2))  # type: ignore[arg-type]
    rows = scaling.head_rows(reading, 1, 3, 5)
    np.testing.assert_allclose(rows[2], reading.pattern(1, 3)[5], atol=1e-6)
    assert not np.allclose(rows[1], rows[2], atol=1e-3)
    assert not np.allclose(rows[0], rows[2], atol=1e-3)
