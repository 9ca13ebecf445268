"""The room that figures have: in a column, on a narrow page, in a low window."""

from pages.contract.look import Look


def test_a_panel_has_the_whole_window_and_on_a_page_its_column() -> None:
    hall = Look(page=980, width=980, fills=True, panel=2)
    assert hall.columns((1, 3)) == [hall, hall]
    assert Look(page=980, width=980, panel=2).columns((1, 3))[0].width < 980


def test_a_figure_is_as_wide_as_there_is_room_in_whole_steps() -> None:
    assert Look(width=517).for_picture.width == 510
