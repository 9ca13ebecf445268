"""Position schemes one by one: formulas entry by entry, rotations, slopes and learned tables."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from core.learning.collection import load_listed_member, record_of
from core.learning.tasks.sentences import batch_of_sentences
from core.measures.positions import schemes
from core.measures.positions.schemes import (
    LearnedTable,
    UnrotatedPair,
    learned_table,
    radians_per_word,
    unrotated_pair,
)
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from tests.covering import each

N, D = 11, 14


def test_a_wave_begins_again_after_its_wavelength() -> None:
    assert schemes.wavelength(0, D) == pytest.approx(2 * math.pi)
    assert schemes.wavelength(3, 6) == pytest.approx(2 * math.pi * 10000)
    for pair in range(D // 2):
        assert schemes.wavelength(pair, D) / 10000 ** (2 * pair / D) == pytest.approx(2 * math.pi)


def test_dot_products_depend_on_the_offset_alone() -> None:
    products = schemes.products(N, D)
    for p in range(N):
        for other in range(N):
            cosines = (math.cos((p - other) / 10000 ** (2 * i / D)) for i in range(D // 2))
            assert products[p, other] == pytest.approx(sum(cosines), abs=1e-12)
    by_offset, spread = schemes.along_diagonals(products)
    assert spread < 1e-12
    assert by_offset[0] == pytest.approx(D / 2)
    assert by_offset.argmax() == 0
    np.testing.assert_allclose(by_offset, products[0], atol=1e-12)
    square = np.zeros((5, 5))
    square[3, 1] = 0.25
    by_offset, spread = schemes.along_diagonals(square)
    assert (spread, by_offset.tolist()) == (0.25, [0] * 5), "more than the offset"


WORDS = ("the", "oven", "cooked", "the", "bread", "so", "zzyzx")


def reading_of(**fields: Any) -> Any:
    return read(load("random", ModelConfig(vocab_size=1, positions="rotary", **fields), WORDS, 3))


@each(("query", "key"), [(6, 1), (2, 5), (0, 0)])
@each("fields", [{}, {"scale": False, "n_heads": 2}])
def test_at_their_own_places_they_have_the_score_of_the_model(
    query: int, key: int, fields: dict[str, Any]
) -> None:
    reading = reading_of(**fields)
    found = unrotated_pair(reading, 1, 1, query, key)
    score = reading.head(1, 1).scores[query, key]
    assert found.parts(query, key).sum() == pytest.approx(score, abs=1e-4)


def test_the_score_depends_on_the_offset_alone() -> None:
    found = unrotated_pair(reading_of(), 0, 2, 5, 1)
    matrix = np.array([[found.parts(query, key).sum() for key in range(7)] for query in range(7)])
    np.testing.assert_allclose(matrix[1:, 1:], matrix[:-1, :-1], atol=1e-12)
    assert len(set(np.round([*matrix[0], *matrix[1:, 0]], 6))) == 13


def test_both_arrows_of_a_pair_turn_by_the_same_angle() -> None:
    found, moved = unrotated_pair(reading_of(), 0, 0, 6, 2), 5
    for before, after in zip(found.pairs(6, 2), found.pairs(6 + moved, 2 + moved), strict=True):
        turn = np.exp(1j * moved * radians_per_word(16))
        expected = (before[:, 0] + 1j * before[:, 1]) * turn
        np.testing.assert_allclose(after[:, 0] + 1j * after[:, 1], expected, atol=1e-12)
    np.testing.assert_allclose(found.parts(6, 2), found.parts(11, 7), atol=1e-12)


def test_a_pair_adds_the_dot_product_of_its_arrows() -> None:
    found = UnrotatedPair(np.array([1.0, 2.0, 3.0, 5.0]), np.array([7.0, 11.0, 13.0, 17.0]), 0.5)
    assert found.parts(0, 0).tolist() == [(7 + 22) / 2, (39 + 85) / 2]


def test_a_bias_alone_gives_each_word_back_a_fixed_share_of_the_one_before_it() -> None:
    weights = schemes.weights_by_bias_alone(7, 0.5)
    assert weights.sum() == pytest.approx(1)
    assert weights[0] == weights.max()
    for nearer, further in pairwise(weights):
        assert further / nearer == pytest.approx(math.exp(-0.5))


NAME = "causal-learned-4-pre"


def test_a_row_counts_as_reached_if_it_points_elsewhere_however_long_it_is() -> None:
    before = np.array([[1.0, 0], [0, 2], [3, 0], [0, 1]])
    after = np.array([[0.0, 1], [-1, 1], [0.3, 0], [0, 0.9]])
    table = LearnedTable(before, after)
    assert table.turned() == pytest.approx([90, 45, 0, 0])
    assert table.reach == 2


def test_training_has_reached_the_first_rows_and_none_after_them() -> None:
    table = learned_table(load_listed_member(NAME), seed=record_of(NAME).recipe.seed)
    assert table.after.shape == (256, 48)
    assert table.after[5].tolist() == load_listed_member(NAME).positions.table[5].tolist()
    turned = table.turned()
    assert turned[: table.reach].min() > 0.5
    assert turned[table.reach :].max() < 0.1
    assert 48 < table.reach < 64


@pytest.mark.long("training sentences drawn again: a longer one than is said")
def test_no_training_sentence_is_longer_than_the_table_says() -> None:
    recipe = record_of(NAME).recipe
    lengths = (
        len(sentence.words)
        for step in range(0, recipe.steps, 8)
        for sentence in batch_of_sentences(recipe.seed, step, recipe.batch_size, "train")
    )
    assert max(lengths) <= learned_table(load_listed_member(NAME), seed=recipe.seed).longest_sentence
