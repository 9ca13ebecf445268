"""The room that figures have: in a column, on a narrow page, in a low window."""

from pages.contract.look import ABOVE, GAP, STACKED, Look


def test_columns_share_the_width_and_bear_the_gaps_in_equal_parts() -> None:
    left, right = Look(page=980, width=980).columns((1, 3))
    assert left.width == 980 / 4 - GAP / 2
    assert left.width + right.width + GAP == 980
    inner, _ = right.columns((1, 1))
    assert inner.width == right.width / 2 - GAP / 2


def test_a_panel_has_the_whole_window_and_on_a_page_its_column() -> None:
    hall = Look(page=980, width=980, fills=True, panel=2)
    assert hall.columns((1, 3)) == [hall, hall]
    assert Look(page=980, width=980, panel=2).columns((1, 3))[0].width < 980


def test_on_a_narrow_page_columns_stand_below_each_other_in_its_whole_width() -> None:
    narrow = Look(page=STACKED - 1, width=STACKED - 1)
    assert narrow.columns((1, 1)) == [narrow, narrow]


def test_a_figure_is_as_wide_as_there_is_room_in_whole_steps() -> None:
    assert Look(width=517).for_picture.width == 510


def test_only_a_known_height_limits_a_figure() -> None:
    assert Look(height=720).for_picture.height == 720 - ABOVE
    assert Look().for_picture.height is None
