"""What schemes add by distance: each has its own chart, its numbers, and its place for a click."""

import numpy as np
import pytest

from viz.schemes import NARROWEST, Course, courses
from viz.theme import LIGHT

FALLING = Course(title="falls", brief="scores − d", values=np.array([[0.0, -1, -2], [0, -4, -8]]))
FLAT = Course(title="<b>none", brief="adds nothing", values=np.zeros((2, 3)))
LOOK = {"title": "Added", "x_title": "words back", "theme": LIGHT}


def drawn(*panels: Course, chosen: int = 0, size: int = 900):
    return courses(panels, chosen=chosen, size=size, **LOOK)


def test_the_chosen_head_is_drawn_above_the_others_in_each_chart() -> None:
    quiet, chosen, _, flat = drawn(FALLING, FLAT, chosen=1).figure().data
    np.testing.assert_array_equal(quiet.y[:3], [0, -1, -2])
    np.testing.assert_array_equal(chosen.y, [0, -4, -8])
    np.testing.assert_array_equal(flat.y, 0)
    assert list(chosen.customdata) == [0] * 3
    assert list(flat.customdata) == [1] * 3
    assert (chosen.xaxis, flat.xaxis) == ("x", "x2")
    assert chosen.line.color != quiet.line.color


def test_every_chart_has_its_own_scale_and_one_that_changes_nothing_is_flat() -> None:
    layout = drawn(FALLING, FLAT).figure().layout
    assert list(layout.yaxis.ticktext) == ["−8", "0"]
    assert layout.yaxis.range[0] < -8
    assert layout.yaxis2.range[0] < -0.9 < 0.9 < layout.yaxis2.range[1]


@pytest.mark.parametrize(("size", "columns"), [(980, 3), (2 * NARROWEST, 2), (300, 1)])
def test_charts_go_below_each_other_where_they_have_no_room(size: int, columns: int) -> None:
    layout = drawn(*[FALLING] * 6, size=size).figure().layout
    lefts = {round(layout[f"xaxis{at or ''}"].domain[0], 6) for at in ("", 2, 3, 4, 5, 6)}
    assert len(lefts) == columns
    tops = [layout[f"yaxis{at or ''}"].domain[1] for at in ("", 2, 3, 4, 5, 6)]
    assert tops == sorted(tops, reverse=True)
