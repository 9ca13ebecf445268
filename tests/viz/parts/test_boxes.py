"""Boxes, numbers and words of a network have the room they need, however many words there are."""

from math import cos, radians, sin

import numpy as np

from tests.covering import each
from viz.parts.boxes import NARROWEST, Boxes, boxes, outlines
from viz.text import em_width, shortened

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
    return boxes((SENTENCES[kind] * n)[:n], n_rows)


def position(form: Boxes, at: int) -> float:
    """Pixels from the left edge of the narrowest figure to the middle of a word."""
    first, last = form.columns
    return form.left + (at - first) / (last - first) * (NARROWEST - form.left - 12)


@MANY
@ROWS
def test_the_longest_number_fits_its_box_or_none_is_written(n: int, n_rows: int) -> None:
    here = form(n, n_rows)
    assert here.is_crowded == (here.number_size == 0)
    if not here.is_crowded:
        widest = 0.556 * len(str(n + n_rows - 2)) * here.number_size
        assert widest + 3 <= 2 * here.half_width * here.column
        assert 11 <= here.number_size <= here.box_height - 6


def test_numbers_are_written_for_twenty_words_and_not_for_thirty() -> None:
    crowded = [form(n, kind="short").is_crowded for n in range(1, 40)]
    assert crowded == sorted(crowded)
    assert (crowded[20 - 1], crowded[30 - 1]) == (False, True)


@MANY
@ROWS
def test_boxes_leave_room_between_columns_and_between_rows(n: int, n_rows: int) -> None:
    here = form(n, n_rows)
    assert 0.3 < here.half_width <= 0.43
    assert here.row * (1 - 2 * here.half_height) >= 36


@MANY
@KINDS
def test_a_slanted_word_begins_inside_the_figure_and_ends_inside_it(n: int, kind: str) -> None:
    here = form(n, kind=kind)
    words = (SENTENCES[kind] * n)[:n]
    for at in here.written(0, n - 1) if here.is_slanted else []:
        reach = em_width(shortened(words[at])) * here.word_size
        assert position(here, at) - reach * cos(radians(60)) >= 0
        assert reach * sin(radians(60)) <= here.below


@each("at", range(13))
def test_a_long_word_pushes_the_boxes_no_further_than_it_must(at: int) -> None:
    words = ["so"] * 13
    words[at] = "Donaudampfschifffahrtsgesellschaft"
    here = boxes(words, 2)
    reach = (em_width(shortened(words[at])) * cos(radians(60)) + 0.5) * here.word_size
    begin = position(here, at) - reach
    assert begin >= 0
    assert begin < 1 or here.left == 12


@MANY
@KINDS
def test_words_that_lie_flat_do_not_touch(n: int, kind: str) -> None:
    here = form(n, kind=kind)
    if not here.is_slanted:
        assert max(here.widths) * here.word_size < here.column


def test_few_short_words_lie_flat_and_long_ones_are_slanted() -> None:
    assert not form(5, kind="short").is_slanted
    assert form(5, kind="mixed").is_slanted


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
    assert np.diff(places).min(initial=256) * here.column >= 16
    if abs(first - second) * here.column >= 2 * 16:
        assert second in places


def test_every_word_is_written_while_there_is_room() -> None:
    assert form(20).written(3, 7) == list(range(20))
    assert len(form(64).written(3, 7)) < 64


def test_few_words_stand_in_the_middle() -> None:
    assert form(1).columns == (-2.5, 2.5)
    assert form(2).columns == (-2, 3)
    assert form(5).columns == (-0.5, 4.5)
    assert form(13).columns == (-0.5, 12.5)


def test_more_layers_take_lower_rows_down_to_a_least_height() -> None:
    heights = [form(5, n_rows).row for n_rows in range(2, 8)]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > 100 > heights[-1] >= 70
    assert form(5, 7).height < 600


def test_outlines_are_closed_rectangles_with_gaps_between() -> None:
    x, y = outlines([3, 5], [1, 2], 0.5, 0.25)
    expected = [(2.5, 0.75), (3.5, 0.75), (3.5, 1.25), (2.5, 1.25), (2.5, 0.75), (np.nan, np.nan)]
    np.testing.assert_array_equal(np.stack([x, y], axis=1)[:6], expected)
    np.testing.assert_array_equal(np.stack([x, y], axis=1)[6:], np.add(expected, (2, 1)))


def test_words_and_boxes_are_smaller_only_where_there_are_many() -> None:
    few, many = form(5), form(256)
    assert few.word_size > many.word_size
    low, high = form(5, n_rows=12), form(5, n_rows=2)
    assert low.row < high.row
    assert low.box_height < high.box_height
