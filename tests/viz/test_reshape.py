"""Blocks of heads: side by side, cut apart, and each with the whole sentence; never over one another."""

import numpy as np

from tests.covering import each
from viz.reshape import FORMS, MOST_WORDS, NARROWEST, WIDTH, WORDS, Blocks, Reshape
from viz.room import PAGE, Room
from viz.theme import DARK, LIGHT, Theme

SIZES = [
    Blocks(n_heads=k, n_words=n, d_head=d // k, width=width)
    for k in (1, 2, 4, 8)
    for n in (1, 5, MOST_WORDS)
    for d in (48, 64)
    for width in (WIDTH, NARROWEST)
]


@each("form", FORMS)
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


def of(vectors: np.ndarray, form: str = FORMS[0]) -> Reshape:
    words = ["<b>"] * vectors.shape[1]
    return Reshape(vectors=vectors, words=words, form=form, name="Queries", role="query")


def test_forms_differ_in_their_places_and_text_alone() -> None:
    vectors = np.arange(105.0).reshape(3, 5, 7)
    first, second, third = (of(vectors, form).drawing(PAGE) for form in FORMS)
    moved = {"places", "height", "apart", "alt"}
    assert {name for name in first if first[name] != third[name]} == moved
    assert [one["apart"] for one in (first, second, third)] == [False, False, True]
    assert first["alt"] == "Queries: one matrix, 5 by 21: the columns of 3 heads side by side."
    assert second["alt"] == "Queries: the same rows cut into 3 blocks, 5 by 3 by 7."
    assert third["alt"] == "Queries: 3 blocks apart, 3 by 5 by 7: every head has all words to itself."
    assert first["words"] == ["<b>"] * 5, "the script sets them as text"


def test_the_first_words_are_drawn_and_all_are_in_the_text_and_the_table() -> None:
    vectors = np.arange(2.0 * 40 * 3).reshape(2, 40, 3)
    one = of(vectors).drawing(PAGE)
    assert np.shape(one["digits"]) == (2, MOST_WORDS, 3)
    assert len(one["labels"]) == MOST_WORDS
    assert "40 by 6" in one["alt"]
    table = of(vectors).table()
    assert list(table.columns) == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]
    np.testing.assert_array_equal(table.iloc[7], [*vectors[0, 7], *vectors[1, 7]])


@each("theme", [LIGHT, DARK])
def test_numbers_wear_the_diverging_colours_in_their_own_cells(theme: Theme) -> None:
    vectors = np.array([[[-2.0, 0.0], [1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]]])
    one = of(vectors).drawing(Room(theme=theme))
    low, _, paper, high, highest = (colour.lower() for _, colour in theme.diverging)
    assert one["colours"] == [[[low, paper], [high, highest]], [[paper, paper]] * 2]
    assert one["digits"][0] == [["−2.0", "0.0"], ["1.0", "2.0"]]
    assert one["frame"] == theme.query


@each(("width", "drawn"), [(300, NARROWEST), (600, 600), (1280, WIDTH)])
def test_blocks_are_as_wide_as_their_room_within_bounds(width: int, drawn: int) -> None:
    assert of(np.ones((2, 3, 4))).drawing(Room(width=width))["width"] == drawn
