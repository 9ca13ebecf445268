"""Boxes, numbers and words of a network have the room they need, however many words there are."""

import numpy as np

from tests.covering import each
from viz.layout.boxes import Boxes, boxes
from viz.room import Room

NUMBERS = [1, 2, 5, 8, 13, 17, 20, 23, 31, 64, 127, 256]
SENTENCES = {
    "short": ["is"],
    "mixed": ["the", "blackberries", "so", "<b>x</b>"],
    "long first": ["Donaudampfschifffahrtsgesellschaft", "a", "b"],
    "Chinese": ["私は学生です私は学生", "学"],
}

MANY = each("n", NUMBERS)
ROWS = each("n_rows", [2, 3, 7])
KINDS = each("kind", SENTENCES)


def form(n: int, n_rows: int = 2, kind: str = "mixed") -> Boxes:
    return boxes((SENTENCES[kind] * n)[:n], n_rows, Room(width=400))


@MANY
@ROWS
def test_the_longest_number_fits_its_box_or_none_is_written(n: int, n_rows: int) -> None:
    here = form(n, n_rows)
    assert here.is_crowded == (here.number_size == 0)
    if not here.is_crowded:
        widest = 0.556 * len(str(n + n_rows - 2)) * here.number_size
        assert widest + 3 <= 2 * here.half_width * here.column
        assert 12 <= here.number_size <= here.box_height - 6


@MANY
@ROWS
def test_boxes_leave_room_between_columns_and_between_rows(n: int, n_rows: int) -> None:
    here = form(n, n_rows)
    assert 0.3 < here.half_width <= 0.43
    assert here.row * (1 - 2 * here.half_height) >= 36


@MANY
@KINDS
def test_words_that_lie_flat_do_not_touch(n: int, kind: str) -> None:
    here = form(n, kind=kind)
    if not here.is_slanted:
        assert max(here.widths) * here.word_size < here.column


@each(("first", "second"), [(0, 12), (12, 0), (5, 5), (5, 6), (100, 103), (255, 0)])
@MANY
def test_written_words_are_apart_and_the_first_chosen_one_is_among_them(
    n: int, first: int, second: int
) -> None:
    here = form(n)
    first, second = min(first, n - 1), min(second, n - 1)
    places = here.written(first, second)
    assert first in places
    assert places == sorted(set(places))
    assert np.diff(places).min(initial=256) * here.column >= 13
    if abs(first - second) * here.column >= 2 * 14:
        assert second in places


def test_every_word_is_written_while_there_is_room() -> None:
    assert form(20).written(3, 7) == list(range(20))
    assert len(form(64).written(3, 7)) < 64
