"""Panels of a figure grow with its paper, and what is around them keeps its pixels."""

import pytest

from viz.parts.paper import paper


def test_what_is_beside_a_panel_keeps_its_pixels_and_the_panel_takes_the_rest() -> None:
    across = paper([(0.2, 0.7)], 100, 190)

    assert across.growth == pytest.approx(2.8)
    assert [round(across.place(share) * 190) for share in (0, 0.1, 0.2, 0.7, 1)] == [0, 10, 20, 160, 190]
    assert across.place(0.45) * 190 == pytest.approx(20 + 70)


def test_panels_share_the_difference_by_their_lengths_and_keep_their_distance() -> None:
    across = paper([(0.5, 0.9), (0.1, 0.3)], 100, 160)

    assert [round(across.place(share) * 160) for share in (0.1, 0.3, 0.5, 0.9, 1.0)] == [10, 50, 70, 150, 160]


def test_panels_above_each_other_are_one() -> None:
    assert paper([(0, 0.5), (0, 0.5), (0.4, 0.6)], 10, 20).panels == ((0, 0.6),)


def test_what_stands_outside_the_paper_keeps_its_distance_to_it() -> None:
    across = paper([(0.2, 0.8)], 100, 200)

    assert across.place(-0.05) * 200 == pytest.approx(-5)
    assert across.place(1.1) * 200 == pytest.approx(210)


@pytest.mark.parametrize("panels", [[], [(0.3, 0.3)], [(0.0, 0.4)]])
def test_a_paper_that_leaves_its_panels_no_room_is_pressed_as_a_whole(
    panels: list[tuple[float, float]],
) -> None:
    pressed = paper(panels, 100, 50)

    assert [pressed.place(share) for share in (0, 0.4, 1)] == pytest.approx([0, 0.4, 1])
