"""Blocks of heads: side by side, cut apart, and each with the whole sentence; never over one another."""

from typing import Any

import numpy as np
import pytest

from viz.reshape import (
    FORMS,
    MOST_WORDS,
    NARROWEST,
    WIDTH,
    WORDS,
    Blocks,
    cell_colours,
    cell_digits,
    drawing,
    vectors_table,
)
from viz.theme import DARK, LIGHT

SIZES = [
    Blocks(n_heads=k, n_words=n, d_head=d // k, width=width)
    for k in (1, 2, 4, 8)
    for n in (1, 5, MOST_WORDS)
    for d in (48, 64)
    for width in (WIDTH, NARROWEST)
]


@pytest.mark.parametrize("form", FORMS)
def test_blocks_lie_within_the_width_and_never_over_one_another(form: str) -> None:
    for blocks in SIZES:
        assert_apart(blocks, form)


def assert_apart(blocks: Blocks, form: str) -> None:
    width, height = blocks.block
    places = blocks.places(form)
    assert len(places) == blocks.n_heads
    for x, y in places:
        assert WORDS <= x <= blocks.width - width
        assert y + height <= blocks.height(form)
    room = WORDS if form == FORMS[2] else 0
    for at, (x, y) in enumerate(places):
        for other_x, other_y in places[:at]:
            assert abs(x - other_x) >= width + room or abs(y - other_y) >= height


def drawn(vectors: np.ndarray, form: str) -> dict[str, Any]:
    words = ["<b>"] * vectors.shape[1]
    return drawing(vectors, words, form, name="Queries", colour=LIGHT.query, theme=LIGHT)


def test_forms_differ_in_their_places_and_text_alone() -> None:
    vectors = np.arange(105.0).reshape(3, 5, 7)
    first, second, third = (drawn(vectors, form) for form in FORMS)
    moved = {"places", "height", "apart", "alt"}
    assert {name for name in first if first[name] != third[name]} == moved
    assert [one["apart"] for one in (first, second, third)] == [False, False, True]
    assert first["alt"] == "Queries: one matrix, 5 by 21: the columns of 3 heads side by side."
    assert second["alt"] == "Queries: the same rows cut into 3 blocks, 5 by 3 by 7."
    assert third["alt"] == "Queries: 3 blocks apart, 3 by 5 by 7: every head has all words to itself."
    assert first["words"] == ["<b>"] * 5, "the script sets them as text"


def test_the_first_words_are_drawn_and_all_of_them_told_and_listed() -> None:
    vectors = np.arange(2.0 * 40 * 3).reshape(2, 40, 3)
    one = drawn(vectors, FORMS[0])
    assert np.shape(one["digits"]) == (2, MOST_WORDS, 3)
    assert len(one["labels"]) == MOST_WORDS
    assert "40 by 6" in one["alt"]
    table = vectors_table(vectors, ["so"] * 40)
    assert list(table.columns) == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]
    np.testing.assert_array_equal(table.iloc[7], [*vectors[0, 7], *vectors[1, 7]])


def test_numbers_wear_the_diverging_colours_in_their_own_cells() -> None:
    vectors = np.array([[[-2.0, 0.0], [1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]]])
    for theme in (LIGHT, DARK):
        colours = cell_colours(vectors, theme)
        assert colours[0][0] == [theme.diverging[0][1].lower(), theme.paper.lower()]
        assert colours[0][1] == [theme.diverging[3][1].lower(), theme.diverging[4][1].lower()]
        assert set(colours[1][0] + colours[1][1]) == {theme.paper.lower()}
    assert cell_digits(vectors, LIGHT)[0] == [["−2.0", "0.0"], ["1.0", "2.0"]]
