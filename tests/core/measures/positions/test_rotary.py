"""A query and a key of a rotary model, turned back and moved: the scores are the model's, at any place."""

from typing import Any

import numpy as np
import pytest

from core.measures.positions.schemes import Meeting, meeting, radians_per_word
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from tests.covering import each

WORDS = ("the", "oven", "cooked", "the", "bread", "so", "zzyzx")


def reading_of(**fields: Any) -> Any:
    return read(load("random", ModelConfig(vocab_size=1, positions="rotary", **fields), WORDS, 3))


@each(("query", "key"), [(6, 1), (2, 5), (4, 4), (0, 0)])
@each("fields", [{}, {"scale": False, "n_heads": 2}])
def test_at_their_own_places_they_have_the_score_of_the_model(
    query: int, key: int, fields: dict[str, Any]
) -> None:
    reading = reading_of(**fields)
    found = meeting(reading, 1, 1, query, key)
    score = reading.head(1, 1).scores[query, key]
    assert found.parts(query, key).sum() == pytest.approx(score, abs=1e-4)


def test_the_score_depends_on_the_offset_alone() -> None:
    found = meeting(reading_of(), 0, 2, 5, 1)
    matrix = np.array([[found.parts(query, key).sum() for key in range(13)] for query in range(13)])
    np.testing.assert_allclose(matrix[1:, 1:], matrix[:-1, :-1], atol=1e-12)
    assert len(set(np.round([*matrix[0], *matrix[1:, 0]], 6))) == 25


def test_both_arrows_of_a_pair_turn_by_the_same_angle() -> None:
    found, moved = meeting(reading_of(), 0, 0, 6, 2), 5
    for before, after in zip(found.pairs(6, 2), found.pairs(6 + moved, 2 + moved), strict=True):
        turn = np.exp(1j * moved * radians_per_word(16))
        expected = (before[:, 0] + 1j * before[:, 1]) * turn
        np.testing.assert_allclose(after[:, 0] + 1j * after[:, 1], expected, atol=1e-12)
    np.testing.assert_allclose(found.parts(6, 2), found.parts(11, 7), atol=1e-12)


def test_a_pair_adds_the_dot_product_of_its_arrows() -> None:
    found = Meeting(np.array([1.0, 2.0, 3.0, 5.0]), np.array([7.0, 11.0, 13.0, 17.0]), 0.5)
    assert found.parts(0, 0).tolist() == [(7 + 22) / 2, (39 + 85) / 2]


def test_pairs_turn_slower_and_slower() -> None:
    assert radians_per_word(6).tolist() == pytest.approx([1, 10000 ** (-1 / 3), 10000 ** (-2 / 3)])
